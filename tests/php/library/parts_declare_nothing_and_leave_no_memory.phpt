--TEST--
The parts written in PHP declare no name, and take no more memory from call to call or from request to request of a worker
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool};

function grown_by(Closure $call): int
{
    $i = $used = 0;
    $call();
    Pool::endRequest();
    $used = memory_get_usage();
    for (; $i < 1000; $i++) {
        $call();
        Pool::endRequest();
    }
    return memory_get_usage() - $used;
}

$pool = new Pool('memory://m');
(new Cache($pool, 'c:'))->get('k');
$names = fn (): array => [get_defined_functions(), get_declared_classes(), get_included_files()];
$before = $names();
echo 'Metrics::prometheus(): ', grown_by(fn () => Metrics::prometheus()), " bytes\n";
echo 'Pool::diagnose(): ', grown_by(fn () => Pool::diagnose($pool)), " bytes\n";
var_dump($before === $names());
?>
--EXPECT--
Metrics::prometheus(): 0 bytes
Pool::diagnose(): 0 bytes
bool(true)
