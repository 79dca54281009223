--TEST--
A guarded Cache stores no value that was read before a delete (V1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$open = fn (): Cache => new Cache(new Pool('memory://a'), 'shop.', ttl: 100, guarded: true);
/* Another process: of the same server, but for this one a list of its own. */
$pool = new Pool(['memory://a', 'memory://b']);
$others = new Cache($pool, 'shop.', ttl: 100);
[$key, $more] = array_values(array_filter(array_map(fn ($i) => "k$i", range(1, 20)), fn ($key) => $pool->serverFor("shop.$key") === 'memory://a'));

$looks = [
    'get' => fn () => $open()->get($key),
    'peek' => fn () => $open()->peek($key),
    'has' => fn () => $open()->has($key),
    'entry' => fn () => $open()->entry($key),
    'getMultiple' => fn () => $open()->getMultiple([$key, $more]),
    'a view\'s get' => fn () => $open()->tagged('t')->get($key),
];
$stores = [
    'set' => fn () => $open()->set($key, 'read before'),
    'add' => fn () => $open()->add($key, 'read before'),
    'setMultiple' => fn () => $open()->setMultiple([$key => 'read before']),
    'a view\'s set' => fn () => $open()->tagged('t')->set($key, 'read before'),
];
$told = [];
foreach ($looks as $look) {
    foreach ($stores as $store) {
        foreach (['nobody' => fn () => null, 'delete' => fn () => $others->delete($key), 'set and delete' => fn () => $others->set($key, 'new') && $others->delete($key)] as $name => $meanwhile) {
            Pool::endRequest();
            $others->delete($key);
            $look();
            $look();
            $meanwhile();
            $told[$name][] = json_encode([$store(), $open()->peek($key)]);
        }
    }
}
foreach ($told as $name => $each) {
    echo "$name: ", json_encode(array_count_values($each)), "\n";
}

echo "a second look does not make what was read before it new\n";
Pool::endRequest();
$others->delete($key);
$open()->get($key);
$others->delete($key);
$open()->has($key);
var_dump($open()->set($key, 'read before'), $open()->peek($key));

echo "without a look it is stored\n";
Pool::endRequest();
var_dump($open()->set($key, 'blind'), $others->peek($key));

echo "an own delete ends the look, and so do clear() and flush()\n";
foreach (['delete' => fn () => $open()->delete($key), 'deleteMultiple' => fn () => $open()->deleteMultiple([$key]), 'forget' => fn () => $open()->forget($key),
    'expire' => fn () => $open()->expire($key), 'pull' => fn () => $open()->pull($key),
    'flush' => fn () => (new Pool('memory://a'))->flush()] as $name => $end) {
    $others->set($key, 'old');
    Pool::endRequest();
    $open()->get($key);
    $others->set($key, 'newer');
    $end();
    echo "$name: ", json_encode([$open()->set($key, 'after'), $open()->peek($key)]), "\n";
}
$clearable = fn () => new Cache(new Pool('memory://a'), 'c.', ttl: 100, clearable: true, guarded: true);
$clearable()->get('k');
$clearable()->clear();
echo 'clear: ', json_encode([$clearable()->set('k', 'after'), $clearable()->peek('k'), $clearable()->entry('k')->status->name]), "\n";

echo "a mark is nothing to others\n";
Pool::endRequest();
$others->delete($key);
$open()->get($key);
var_dump($others->get($key), $others->has($key), $others->remember($key, 100, fn () => 'computed'), $open()->peek($key));
?>
--EXPECT--
nobody: {"[true,\"read before\"]":24}
delete: {"[false,null]":24}
set and delete: {"[false,null]":24}
a second look does not make what was read before it new
bool(false)
NULL
without a look it is stored
bool(true)
string(5) "blind"
an own delete ends the look, and so do clear() and flush()
delete: [true,"after"]
deleteMultiple: [true,"after"]
forget: [true,"after"]
expire: [true,"after"]
pull: [true,"after"]
flush: [true,"after"]
clear: [true,"after","Fresh"]
a mark is nothing to others
NULL
bool(false)
string(8) "computed"
string(8) "computed"
