--TEST--
A fatal error while decoding suppresses no later request's error messages
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!getenv('TEST_PHP_EXTENSION')) {
    die('skip needs TEST_PHP_EXTENSION, the path of the extension under test');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';

$folder = make_temporary_folder('silence');
register_shutdown_function('remove_folder', $folder);
file_put_contents("$folder/index.php", <<<'PHP'
<?php
use McPatterns\{Cache, Pool};

class Failing
{
    public function __wakeup(): void
    {
        trigger_error('the end', E_USER_ERROR);
    }
}

echo error_reporting() === E_ALL ? 'all errors' : 'silenced', "\n";
if (isset($_GET['fail'])) {
    $cache = new Cache(new Pool('memory://m'));
    $cache->set('k', new Failing);
    $cache->get('k');
}
PHP);

$port = find_free_port();
$server = start_process([
    PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-d', 'error_reporting=' . E_ALL,
    '-d', 'html_errors=0', '-d', 'fatal_error_backtraces=0', '-S', "127.0.0.1:$port", '-t', $folder,
], "$folder/log");
for ($try = 0; $try < 500 && !($socket = @fsockopen('127.0.0.1', $port)); $try++) {
    usleep(10000);
}
fclose($socket);
$options = stream_context_create(['http' => ['ignore_errors' => true]]);
foreach (['', '?fail', '', '?fail', ''] as $query) {
    echo file_get_contents("http://127.0.0.1:$port/$query", false, $options);
}
proc_terminate($server, SIGNAL_KILL);
proc_close($server);
?>
--EXPECTF--
all errors
all errors

Fatal error: the end in %sindex.php on line %d
all errors
all errors

Fatal error: the end in %sindex.php on line %d
all errors
