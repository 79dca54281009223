--TEST--
drain() waits for another drain no longer than its wait
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Lock, LockTimeoutException, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$counter = new Counter($pool, 'views', wait: 0.1);
$counter->increment(10);

// A Lock of the counter's name, and one of the counter's guard's whole key, are other locks.
$lock = new Lock($pool, 'views');
$lock->acquire();
echo 'beside a Lock of its name: ', $counter->drain(), "\n";

// What a drain that was killed leaves behind.
$server->raw('stats reset');
$guard = 'lock:views~#' . substr(hash('sha256', "\1drain:views"), 0, 32);
$server->raw("set $guard 65536 2 4\r\ndead");
$counter->increment(10);
try {
    $counter->drain();
} catch (LockTimeoutException $error) {
    echo $error->getMessage(), "\n";
}
$same = new Lock($pool, substr($guard, strlen('lock:')));
echo 'a Lock of the guard\'s key is another: ', json_encode($same->acquire()), "\n";
echo (new Counter($pool, 'views'))->drain(), ' ', $counter->value(), "\n";
?>
--EXPECT--
beside a Lock of its name: 10
The counter "views" could not be drained within 0.1 s: other processes were draining it, or the server replied too slowly
a Lock of the guard's key is another: true
10 0
