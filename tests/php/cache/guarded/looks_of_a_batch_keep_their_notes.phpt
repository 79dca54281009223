--TEST--
A guarded batch deletes keys whose read stamps no longer fit (V1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$open = fn (): Cache => new Cache(new Pool('memory://a'), ttl: 100, guarded: true);
/* Another process: of the same server, but for this one a list of its own. */
$pool = new Pool(['memory://a', 'memory://b']);
$others = new Cache($pool, ttl: 100);
$key = current(array_filter(array_map(fn ($i) => "k$i", range(1, 20)), fn ($key) => $pool->serverFor($key) === 'memory://a'));
$fill = fn (int $left) => $open()->getMultiple(array_map(fn ($i) => "filler $i", range(1, 16_384 - $left)));

foreach (['the oldest last' => ['new' => 'read before', $key => 'read before'], 'the oldest first' => [$key => 'read before', 'new' => 'read before']] as $name => $values) {
    Pool::endRequest();
    $others->delete($key);
    $open()->get($key);
    $others->delete($key);
    $fill(1);
    echo "$name: ", json_encode([$open()->setMultiple($values), $others->peek($key)]), "\n";
}

echo "as many as there is room for\n";
Pool::endRequest();
$others->delete($key);
$open()->get($key);
$fill(1);
var_dump($open()->setMultiple([$key => 1, 'filler 1' => 1, 'filler 16383' => 1]));

echo "a batch of looks\n";
Pool::endRequest();
$open()->get('first');
$fill(1);
$open()->getMultiple(['first', 'one more', 'and one']);
echo json_encode([$open()->setMultiple(['first' => 1, 'one more' => 2, 'and one' => 3]), $open()->set('filler 1', 1), $open()->set('filler 16383', 1)]), "\n";
?>
--EXPECT--
the oldest last: [false,null]
the oldest first: [false,null]
as many as there is room for
bool(true)
a batch of looks
[true,false,true]
