--TEST--
Semaphore::isHeld() detects expiry locally and lost permits by a request
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, Semaphore, ServerException};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 5);
[$one, $two, $never] = [new Semaphore($pool, 'export', 3), new Semaphore($pool, 'export', 3), new Semaphore($pool, 'export', 3)];
$one->acquire() && $two->acquire() or die('not acquired');
$tell = fn (string $when) => printf("%s: %s\n", $when, json_encode(array_map(
    fn (Semaphore $semaphore) => [$semaphore->isHeld(), $semaphore->isHeld(verify: true)], [$one, $two, $never])));
$tell('two of three');
$two->release();
$tell('one of three');
$server->raw('flush_all');
echo 'flushed: ', json_encode([$one->isHeld(), $one->isHeld(verify: true), $one->isHeld()]), "\n";
$two->acquire() or die('not acquired');
Clock::freeze();
Clock::advance(10);
$tell('after the TTL');
Clock::unfreeze();
$one = new Semaphore($pool, 'other', 1);
$one->acquire() or die('not acquired');
$server->kill();
try {
    $one->isHeld(verify: true);
} catch (ServerException) {
    echo 'without a server: ', json_encode($one->isHeld()), "\n";
}
?>
--EXPECT--
two of three: [[true,true],[true,true],[false,false]]
one of three: [[true,true],[false,false],[false,false]]
flushed: [true,false,false]
after the TTL: [[false,false],[false,false],[false,false]]
without a server: true
