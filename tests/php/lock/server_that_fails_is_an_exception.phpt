--TEST--
Lock throws ServerException within timeouts, and removes an acquire without a reply (L7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call, float $limit = 5): void
{
    global $server;
    $start = hrtime(true);
    try {
        $answer = $call();
        echo "$name: ", json_encode($answer), "\n";
    } catch (ServerException $error) {
        $took = (hrtime(true) - $start) / 1e9;
        echo "$name: ", str_replace($server->name, 'server', $error->getMessage()), $took < $limit ? '' : " after $took s", "\n";
    }
}

$server = start_memcached();
$missing = new Lock(new Pool('unix:///nowhere/memcached.sock', retryAfter: 0), 'job');
foreach (['acquire', 'isLocked', 'forceRelease'] as $method) {
    attempt($method, fn () => $missing->$method());
}
attempt('run', fn () => $missing->run(fn () => 'not run', wait: 60));
attempt('restore', fn () => Lock::restore(new Pool('unix:///nowhere/memcached.sock'), 'job', 'o'));
attempt('release of nothing', fn () => $missing->release());

// By text: over Direct a server that hangs is asked a question first, and hears nothing of the write.
$pool = new Pool($server->address, timeout: 0.3, retryAfter: 0, transport: Transport::Libmemcached);
$held = new Lock($pool, 'held', ttl: 60);
$held->acquire();
$lock = new Lock($pool, 'job', ttl: 60);
$server->freeze();
foreach (['refresh', 'token', 'release'] as $method) {
    attempt("$method, hung", fn () => $held->$method(), 3);
}
attempt('acquire, hung', fn () => $lock->acquire(wait: 60), 3);
$server->thaw();
// Its add arrives now. Nobody holds it: the object knows, and takes it back.
$is_there = fn (): bool => str_starts_with($server->raw('get lock:job'), 'VALUE');
for ($try = 0; $try < 500 && !$is_there(); $try++) {
    usleep(2000);
}
$rival = new Lock(new Pool($server->address), 'job');
echo 'arrived late: ', json_encode($is_there()), ', held: ', json_encode($lock->isHeld()), ', locked: ', json_encode($rival->isLocked()), "\n";
unset($lock);
echo 'after the object died: ', json_encode($is_there()), "\n";
echo 'released after all: ', json_encode($held->release()), "\n";

$held->acquire();
$server->kill();
attempt('release, killed', fn () => $held->release());
$server->start();
attempt('release, restarted', fn () => $held->release());
attempt('acquire, restarted', fn () => $held->acquire());
?>
--EXPECT--
acquire: Cannot acquire the lock "job" on unix:///nowhere/memcached.sock: the server could not be reached: no such file
isLocked: Cannot read the lock "job" on unix:///nowhere/memcached.sock: the server could not be reached: no such file
forceRelease: Cannot force the release of the lock "job" on unix:///nowhere/memcached.sock: the server could not be reached: no such file
run: Cannot acquire the lock "job" on unix:///nowhere/memcached.sock: the server could not be reached: no such file
restore: Cannot restore the lock "job" on unix:///nowhere/memcached.sock: the server could not be reached: no such file
release of nothing: false
refresh, hung: Cannot refresh the lock "held" on server: the server did not reply within 300 ms
token, hung: Cannot get a fencing token for the lock "held" on server: the server did not reply within 300 ms
release, hung: Cannot release the lock "held" on server: the server did not reply within 300 ms
acquire, hung: Cannot acquire the lock "job" on server: outcome unknown: the server did not reply within 300 ms
arrived late: true, held: false, locked: false
after the object died: false
released after all: true
release, killed: Cannot release the lock "held" on server: the server could not be reached: connection refused, nothing listens there
release, restarted: false
acquire, restarted: true
