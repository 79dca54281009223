--TEST--
PHP 8.6 reports an unencodable session name, and nothing is stored
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
if (PHP_VERSION_ID < 80600) {
    die('skip PHP before 8.6 calls the handler');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
const SCRIPT = <<<'CODE'
ob_start();
$holder = fn (): string => (new McPatterns\SessionHandler(new McPatterns\Pool($argv[1])))->holder('s') === null ? 'free' : 'held';
$begin = function (string $id): void {
    session_id($id);
    session_start();
};
$begin('s');
$_SESSION['a'] = 1;
session_write_close();
$begin('s');
$_SESSION = ['a' => 2, 'b|c' => 3];
session_write_close();
echo 'behind its close: ', $holder(), "\n";
$begin('other');
echo 'behind the next start: ', $holder(), "\n";
session_abort();
$begin('s');
echo json_encode($_SESSION), "\n";
$_SESSION['b|c'] = 3;
session_write_close();
$counts = McPatterns\Metrics::read()['sessions'][0];
echo "starts $counts[starts], refused $counts[refused], failures $counts[failures]\n";
CODE;
$settings = session_settings($server->address, ['mcpatterns.session_lock_wait' => '0']);
echo preg_replace('/ in Command line code on line \d+/', '', run_script(SCRIPT, [$server->address], $settings));
echo run_script('ob_start(); session_id("s"); session_start(); echo json_encode($_SESSION);', [], $settings), "\n";
?>
--EXPECT--

Warning: session_write_close(): Failed to write session data. Data contains invalid key "b|c"
behind its close: held
behind the next start: free
{"a":1}

Warning: session_write_close(): Failed to write session data. Data contains invalid key "b|c"
starts 4, refused 0, failures 0
{"a":1}
