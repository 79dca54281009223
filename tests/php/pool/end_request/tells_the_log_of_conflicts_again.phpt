--TEST--
Pool::endRequest() allows session conflicts to be logged once per request
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Locking, Pool, SessionHandler};

require __DIR__ . '/../../../_support/memcached.inc';

ini_set('log_errors', '1');
ini_set('error_log', $log = tempnam(sys_get_temp_dir(), 'conflicts'));
$pool = new Pool(start_memcached()->address, timeout: 10);
[$first, $second] = [new SessionHandler($pool, Locking::Merge), new SessionHandler($pool, Locking::Merge)];
foreach ([1, 2] as $request) {
    foreach (['a', 'b'] as $id) {
        array_map(fn ($handler) => $handler->open('', 'name') && $handler->read($id), [$first, $second]);
        $first->write($id, "row|i:{$request}1;") && $second->write($id, "row|i:{$request}2;") || print("not stored\n");
        array_map(fn ($handler) => $handler->close(), [$first, $second]);
    }
    Pool::endRequest();
    echo "lines after request $request: ", substr_count(file_get_contents($log), 'a session was changed by 2 concurrent requests'), "\n";
}
unlink($log);
?>
--EXPECT--
lines after request 1: 1
lines after request 2: 2
