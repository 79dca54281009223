--TEST--
Unsigned sessions of other handlers are rejected if sessions are signed (E19)
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Pool, SessionHandler};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$server->raw("set memc.sess.key.s 0 0 17\r\nuser|s:5:\"admin\";");
foreach ([null, 'secret', ['secret', 'another']] as $key) {
    foreach ([null, '', 'memc.sess.key.'] as $foreign) {
        try {
            $handler = new SessionHandler(new Pool($server->address, signingKey: $key), format: 'php', foreignPrefix: $foreign);
            echo json_encode([$key, $foreign]), ' read ', json_encode($handler->read('s')), "\n";
            $handler->close();
        } catch (ValueError $error) {
            echo json_encode([$key, $foreign]), ' ', $error->getMessage(), "\n";
        }
    }
}

file_put_contents($server->path('keys'), "secret\n");
const WORK = 'ob_start(); session_id("s"); echo json_encode([ini_set("mcpatterns.session_foreign_prefix", $argv[1]), session_start(), $_SESSION]), "\n"; session_abort();';
foreach (['', $server->path('keys')] as $file) {
    echo $file === '' ? 'without keys' : 'with a file of keys', "\n";
    foreach ([['', 'memc.sess.key.'], ['memc.sess.key.', '']] as [$at_start, $later]) {
        $settings = ['mcpatterns.session_foreign_prefix' => $at_start, 'mcpatterns.session_key_file' => $file];
        $said = run_script(WORK, [$later], session_settings($server->address, $settings));
        preg_match('/The INI .*(?= in Unknown)|^\[.*/', $said, $found);
        echo '  ', $found[0] ?? $said, str_contains($said, 'Unable to start') ? ' (PHP does not start)' : '', "\n";
    }
}
?>
--EXPECT--
[null,null] read ""
[null,""] read ""
[null,"memc.sess.key."] read "user|s:5:\"admin\";"
["secret",null] read ""
["secret",""] read ""
["secret","memc.sess.key."] McPatterns\SessionHandler::__construct(): Argument #8 ($foreignPrefix) must be null if the Pool has a signing key: another handler's sessions are not signed
[["secret","another"],null] read ""
[["secret","another"],""] read ""
[["secret","another"],"memc.sess.key."] McPatterns\SessionHandler::__construct(): Argument #8 ($foreignPrefix) must be null if the Pool has a signing key: another handler's sessions are not signed
without keys
  ["",true,{"user":"admin"}]
  ["memc.sess.key.",true,[]]
with a file of keys
  [false,true,[]]
  The INI setting mcpatterns.session_foreign_prefix must be empty if mcpatterns.session_key_file is set: another handler's sessions are not signed, "memc.sess.key." given (PHP does not start)
