--TEST--
A demo with an unwritable picture fails but prints its table
--EXTENSIONS--
mcpatterns
pcntl
posix
shmop
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/memcached.inc';

$server = start_memcached();
$folder = make_temporary_folder('demo');
register_shutdown_function('remove_folder', $folder);
mkdir("$folder/demo.svg"); // no file can be written there

$command = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION')];
foreach (['pcntl', 'posix', 'shmop'] as $extension) {
    if (is_file(ini_get('extension_dir') . "/$extension.so")) {
        array_push($command, '-d', "extension=$extension");
    }
}
$process = start_process([...$command, __DIR__ . '/../../bench/demo/run.php', '--socket', $server->host, '--glance',
    '--contenders', 'mcpatterns', '--out', $folder], "$folder/log");
while (($status = proc_get_status($process))['running']) {
    usleep(10000);
}
$said = file_get_contents("$folder/log");
var_dump($status['exitcode'], str_contains(file_get_contents("$folder/demo.txt"), 'rebuilds per expiry'));
echo str_replace($folder, 'FOLDER', strstr($said, 'bin/demo:'));
?>
--EXPECTF--
int(1)
bool(true)
bin/demo: the picture failed: could not write FOLDER/demo.svg (bench/demo/run.php:%d)
