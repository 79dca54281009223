--TEST--
A session handler that uses MC after the request leaves no claim
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
if (!getenv('TEST_PHP_EXTENSION')) {
    die('skip needs TEST_PHP_EXTENSION, the path of the extension under test');
}
skip_without_extensions('session');
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';

$folder = make_temporary_folder('session');
register_shutdown_function('remove_folder', $folder);
file_put_contents("$folder/index.php", <<<'PHP'
<?php
use McPatterns\{Cache, MC, Pool};

class Handler implements SessionHandlerInterface
{
    public function open($path, $name): bool { return true; }
    public function close(): bool { return true; }
    public function read($id): string { return ''; }
    public function write($id, $data): bool
    {
        MC::get('old'); // is elected
        return MC::set('written', 'by the handler');
    }
    public function destroy($id): bool { return true; }
    public function gc($lifetime): int { return 0; }
    public function create_sid(): string { return bin2hex(random_bytes(16)); }
    public function validateId($id): bool { return true; }
}

if (isset($_GET['session'])) {
    session_set_save_handler(new Handler, false); // false: written when all shutdown functions are over
    session_start(['use_cookies' => 0, 'cache_limiter' => '']);
    $_SESSION['x'] = 1;
}
$cache = new Cache(Pool::default());
$cache->has('old') || $cache->set('old', 'value') && $cache->expire('old');
echo json_encode([MC::get('written'), $cache->entry('old')->status->name]);
PHP);

$port = find_free_port();
$server = start_process([
    PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-d', 'mcpatterns.servers="memory://m"',
    '-S', "127.0.0.1:$port", '-t', $folder,
], "$folder/log");
for ($try = 0; $try < 500 && !($socket = @fsockopen('127.0.0.1', $port)); $try++) {
    usleep(10000);
}
fclose($socket);
foreach (['', '?session', '', '?session', ''] as $query) {
    echo @file_get_contents("http://127.0.0.1:$port/$query") ?: 'no answer', "\n";
}
proc_terminate($server, SIGNAL_KILL);
proc_close($server);
?>
--EXPECT--
[false,"Stale"]
[false,"Stale"]
["by the handler","Stale"]
["by the handler","Stale"]
["by the handler","Stale"]
