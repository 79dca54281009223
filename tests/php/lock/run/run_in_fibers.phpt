--TEST--
A destroyed Fiber in run() releases its lock
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool};

$pool = new Pool('memory://m');
$tries = [];
foreach (['a', 'b'] as $name) {
    $fibers[$name] = new Fiber(function () use ($pool, $name) {
        return (new Lock($pool, $name))->run(fn (Lock $lock) => Fiber::suspend($name) . ($lock->isHeld(verify: true) ? ', still held' : ''));
    });
    echo $fibers[$name]->start(), "\n";
}
$other = new Lock($pool, 'a');
var_dump($other->isLocked(), $other->acquire());
$fibers['a']->resume('resumed');
echo $fibers['a']->getReturn(), "\n";
var_dump($other->isLocked());

var_dump((new Lock($pool, 'b'))->isLocked());
unset($fibers['b']);
gc_collect_cycles();
var_dump((new Lock($pool, 'b'))->isLocked());
?>
--EXPECT--
a
b
bool(true)
bool(false)
resumed, still held
bool(false)
bool(true)
bool(false)
