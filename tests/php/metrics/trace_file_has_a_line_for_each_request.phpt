--TEST--
mcpatterns.trace_file appends 1 line per request and never fails it
--EXTENSIONS--
mcpatterns
posix
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY === 'Windows') {
    die('skip needs paths that begin with /');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

$folder = make_temporary_folder('trace');
register_shutdown_function('remove_folder', $folder);
$code = <<<'PHP'
    use McPatterns\{Cache, Metrics, Pool};
    foreach (['page:', '../secret', ''] as $prefix) {
        $cache = new Cache(new Pool('memory://trace'), $prefix);
        $cache->remember('k', 10, fn () => 1);
        $cache->remember('k', 10, fn () => 1);
    }
    $cache->lookup('left');
    $claimed = new Cache(new Pool('memory://trace'), 'page:', ttl: 0.001, grace: 60);
    $claimed->set('old', 1);
    usleep(5000);
    $claimed->lookup('old');
    echo Metrics::read()['enabled'] ? 'counted' : 'not counted', ', failures: ', Metrics::read()['trace_failures'], "\n";
    PHP;
$run = fn (string $path, array $settings = [], ?string $other = null) => print run_script($other ?? $code, [], ['mcpatterns.trace_file' => $path] + $settings);
$show = function () use ($folder) {
    foreach (array_diff(scandir($folder), ['.', '..']) as $file) {
        if (is_file("$folder/$file")) {
            echo "$file\n", preg_replace('/^/m', '  ', trim(file_get_contents("$folder/$file"))), "\n";
            unlink("$folder/$file");
        }
    }
};
echo "one file\n";
$run("$folder/all");
$run("$folder/all", ['mcpatterns.metrics' => '0']);
$show();
echo "one for each prefix\n";
$run("$folder/%p.trace");
$show();
echo "no such folder, a folder, a device, a path that is none\n";
$failing = <<<'PHP'
    (new McPatterns\Cache(new McPatterns\Pool('memory://trace'), 'page:'))->get('k');
    for ($i = 0; $i < 4095; $i++) {
        (new McPatterns\Cache(new McPatterns\Pool('memory://trace'), 'page:'))->get('k');
    }
    echo 'failures: ', McPatterns\Metrics::read()['trace_failures'], "\n";
    PHP;
$run("$folder/nowhere/file", [], $failing);
$run($folder, [], $failing);
$run('/dev/full', [], $failing);
echo "a link, a second name, a pipe that is read\n";
file_put_contents("$folder/.target", '');
symlink("$folder/.target", "$folder/link");
$run("$folder/link", [], $failing);
unlink("$folder/link");
link("$folder/.target", "$folder/link");
$run("$folder/link", [], $failing);
posix_mkfifo("$folder/pipe", 0600);
$reader = fopen("$folder/pipe", 'r+');
stream_set_blocking($reader, false);
$run("$folder/pipe", [], $failing);
var_dump(file_get_contents("$folder/.target"), fread($reader, 100));
unlink("$folder/link");
unlink("$folder/pipe");
unlink("$folder/.target");
echo "for the group to read\n";
umask(0);
$run("$folder/readable", [], $failing);
printf("%o\n", fileperms("$folder/readable") & 07777);
unlink("$folder/readable");
echo "more letters than there is room for\n";
$run("$folder/long", [], $failing);
echo strlen(file_get_contents("$folder/long")), ' ', substr_count(file_get_contents("$folder/long"), "\n"), "\n";
echo "off\n";
unlink("$folder/long");
$run('', [], $failing);
$show();
?>
--EXPECT--
one file
counted, failures: 0
not counted, failures: 0
all
  MLWHMLWHMLWHMWMLU
  MLWHMLWHMLWHMWMLU
one for each prefix
counted, failures: 0
_._secret.trace
  MLWH
_.trace
  MLWHM
page_.trace
  MLWHWMLU
no such folder, a folder, a device, a path that is none
failures: 1
failures: 1
failures: 1
a link, a second name, a pipe that is read
failures: 1
failures: 1
failures: 1
string(0) ""
string(0) ""
for the group to read
failures: 0
640
more letters than there is room for
failures: 0
4097 1
off
failures: 0
