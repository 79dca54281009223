--TEST--
If another handler's item could not be read or deleted, the message names the server that failed
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
?>
--FILE--
<?php
use McPatterns\{Locking, Pool, SessionHandler};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$down = 'unix:///nowhere/memcached.sock';
$pool = new Pool([$server->address, $down], timeout: 10);
$handler = new SessionHandler($pool, Locking::Merge, format: 'php', foreignPrefix: 'memc.sess.key.');
$named = [];
for ($i = 0; $i < 12; $i++) {
    foreach (['read', 'destroy'] as $method) {
        try {
            $handler->$method("s$i");
            $named[] = 'none';
        } catch (McPatterns\ServerException $failure) {
            $named[] = str_replace($down, 'the server', preg_replace('/circuit breaker is open: /', '', $failure->getMessage()));
        }
        $handler->close();
    }
}
echo implode("\n", array_unique($named)), "\n";
?>
--EXPECT--
The session could not be read on the server: the server could not be reached: no such file
