--TEST--
clear() ends all values of its prefix immediately, and no others (N1, N3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/workers.inc';
require __DIR__ . '/../../../_support/envelope.inc';

$servers = [start_memcached(), start_memcached()];
$addresses = array_map(fn ($server) => $server->address, $servers);
$pool = new Pool($addresses, timeout: 10);
$shop = new Cache($pool, 'shop.', clearable: true);
$nested = new Cache($pool, 'shop.eu.', clearable: true);
$others = new Cache($pool, 'user.');
$keys = array_map(fn ($i) => "k$i", range(1, 100));
$fill = function () use ($shop, $nested, $others, $keys) {
    $shop->setMultiple(array_fill_keys($keys, 'shop'));
    $shop->tagged('t')->setMultiple(['tagged' => 'shop']);
    $nested->set('k', 'nested');
    $others->set('k', 'other');
};
$show = fn () => count(array_filter($shop->getMultiple([...$keys, 'tagged']))) . ', ' .
    json_encode([$nested->peek('k'), $others->peek('k'), $shop->peek('eu.k')]) . "\n";

$fill();
echo $show();
echo "cleared by another process, seen by eight more\n";
var_dump(run_workers(1, fn () => (new Cache(new Pool($addresses, timeout: 10), 'shop.', clearable: true))->clear())[0]);
echo implode(' ', run_workers(8, fn () => count(array_filter(
    (new Cache(new Pool($addresses, timeout: 10), 'shop.', clearable: true))->getMultiple($keys))))), "\n";
echo $show();

echo "not strictly: old values until they are rebuilt\n";
$fill(); // as of the looks before the clear: cleared with it
$fill();
var_dump($shop->clear(false));
echo $shop->entry('k1')->status->name, ' ', $shop->peek('k1'), ' ', $shop->remember('k1', 10, fn () => 'new'), ' ', $shop->entry('k1')->status->name, "\n";

echo "a view clears the same; one that is strictly cleared computes once and is fresh\n";
var_dump($shop->tagged('t')->clear());
echo $show(), $shop->remember('k1', 10, fn () => 'anew'), ' ', $shop->entry('k1')->status->name, "\n";

echo "what was stored without it is nothing\n";
(new Cache($pool, 'shop.'))->set('before', 'value');
var_dump($shop->get('before'), (new Cache($pool, 'shop.'))->get('before'));

echo "a lost namespace clears, and never restores\n";
$fill();
foreach ($servers as $server) {
    $tag = tag_key('shop.', kind: 'namespace');
    var_dump(str_starts_with($server->raw("get $tag"), 'VALUE'));
    $server->raw("delete $tag");
}
echo $show();
$shop->set('one', 1);
echo $show();

echo "a cache that is not clearable\n";
try {
    $others->clear();
} catch (LogicException $exception) {
    echo get_class($exception), ': ', $exception->getMessage(), "\n";
}
$servers[1]->kill();
var_dump($shop->clear());
?>
--EXPECT--
101, ["nested","other",null]
cleared by another process, seen by eight more
bool(true)
0 0 0 0 0 0 0 0
0, ["nested","other",null]
not strictly: old values until they are rebuilt
bool(true)
Stale shop new Fresh
a view clears the same; one that is strictly cleared computes once and is fresh
bool(true)
0, ["nested","other",null]
anew Fresh
what was stored without it is nothing
NULL
string(5) "value"
a lost namespace clears, and never restores
bool(true)
bool(true)
0, ["nested","other",null]
0, ["nested","other",null]
a cache that is not clearable
LogicException: This Cache cannot be cleared: create it with clearable: true
bool(false)
