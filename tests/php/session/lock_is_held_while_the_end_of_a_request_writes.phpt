--TEST--
A session stays locked until the end of the request wrote it
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
skip_without_extensions('session');
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$code = <<<'PHP'
/** Asks, while it is encoded, whether another request could begin. */
final class Looking
{
    public function __serialize(): array
    {
        echo 'meanwhile another one ', shell_exec($GLOBALS['argv'][1]), "\n";
        return [];
    }
}
session_id('fixed');
session_start();
$_SESSION['counted'] = ($_SESSION['counted'] ?? 0) + 1;
$_SESSION['looking'] = new Looking;
PHP;
$settings = session_settings($server->address, ['session.serialize_handler' => 'php_serialize']);
$command = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-d', 'mcpatterns.session_lock_wait=0'];
foreach ($settings as $name => $value) {
    array_push($command, '-d', "$name=$value");
}
array_push($command, '-r', 'session_id("fixed"); echo @session_start() ? "begins" : "waits"; session_status() === PHP_SESSION_ACTIVE && session_abort();');
$other = implode(' ', array_map(escapeshellarg(...), $command));
for ($request = 0; $request < 2; $request++) {
    echo run_script($code, [$other], $settings);
}
echo shell_exec($other), ' in the end', "\n";
?>
--EXPECT--
meanwhile another one waits
meanwhile another one waits
begins in the end
