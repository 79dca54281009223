--TEST--
A Fiber counts without waiting for another's suspended initial callback
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool};

$pool = new Pool('memory://m');
$counter = new Counter($pool, 'views', fn () => Fiber::suspend() ?? 100, wait: 60);
$first = new Fiber(fn () => $counter->increment());
$second = new Fiber(fn () => $counter->increment());
$start = hrtime(true);
$first->start();
$second->start();
var_dump(hrtime(true) - $start < 10e9);
$second->resume();
$first->resume();
var_dump($second->getReturn(), $first->getReturn());

// The object is part of a cycle with its callable, and both go.
$object = new stdClass;
$object->counter = new Counter($pool, 'cycle', fn () => $object->number);
$gone = WeakReference::create($object);
unset($object);
gc_collect_cycles();
var_dump($gone->get());
?>
--EXPECT--
bool(true)
int(101)
int(102)
NULL
