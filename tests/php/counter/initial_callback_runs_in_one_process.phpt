--TEST--
Only 1 process runs the initial callback unless another's wait ends (K2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$runs = new Counter($pool, 'runs');
function slow(): int
{
    global $runs;
    $runs->increment();
    usleep(200000);
    return 1000;
}

$results = run_workers(8, fn () => (new Counter($pool, 'views', slow(...), wait: 20))->increment());
sort($results);
echo implode(' ', $results), ', run ', $runs->value(), "x\n";
echo (new Counter($pool, 'views', slow(...)))->value(), ', run ', $runs->value(), "x\n";

$runs->reset();
$results = run_workers(4, fn () => (new Counter($pool, 'shown', slow(...), wait: 20))->value());
echo implode(' ', $results), ', run ', $runs->value(), "x, stored: ", (new Counter($pool, 'shown'))->value(), "\n";

// The first one's run takes longer than the others wait.
$runs->reset();
$results = run_workers(4, fn () => (new Counter($pool, 'impatient', function () use ($runs) {
    $runs->increment();
    sleep(1);
    return 50;
}, wait: 0.1))->increment());
sort($results);
echo implode(' ', $results), ', run ', $runs->value(), "x\n";
?>
--EXPECT--
1001 1002 1003 1004 1005 1006 1007 1008, run 1x
1008, run 1x
1000 1000 1000 1000, run 1x, stored: 1000
51 52 53 54, run 4x
