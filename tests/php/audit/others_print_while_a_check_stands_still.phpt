--TEST--
Audit keeps others' output and output buffers while its Fiber is suspended
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
$audit = new Audit($cache, 1.0, function (mixed $served, mixed $computed): bool {
    Fiber::suspend('compares');
    return $served === $computed;
});
$compute = function (): string {
    Fiber::getCurrent() !== null && Fiber::suspend('computes');
    return 'value';
};
$cache->remember('key', 600, $compute);
$fiber = new Fiber(function () use ($cache, $compute): void {
    $cache->remember('key', 600, $compute);
    Pool::endRequest();
});
echo $fiber->start(), "\n";
echo "another prints\n";
ob_start();
echo 'in its own buffer';
echo ', ', $fiber->resume();
$fiber->resume();
echo ', level ', ob_get_level();
$kept = ob_get_clean();
var_dump($kept, ob_get_level(), $fiber->isTerminated(), $cache->stats()['audit_checked']);
?>
--EXPECT--
computes
another prints
string(36) "in its own buffer, compares, level 1"
int(0)
bool(true)
int(1)
