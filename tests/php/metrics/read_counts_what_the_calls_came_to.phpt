--TEST--
Metrics::read() counts each Cache read once by its result and prefix
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Metrics, Pool};

function show(string $prefix): void
{
    $group = array_column(Metrics::read()['groups'], null, 'group')[$prefix] ?? [];
    $counts = array_filter($group, fn ($value) => is_int($value) && $value > 0);
    echo $prefix, ': ', implode(' ', array_map(fn ($name, $value) => "$name=$value", array_keys($counts), $counts)), "\n";
}

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://counts');
$cache = new Cache($pool, 'page:', ttl: 10);
$compute = function () {
    usleep(2000);
    return 'value';
};
$cache->remember('front', 10, $compute);
for ($i = 0; $i < 5; $i++) {
    $cache->remember('front', 10, $compute);
}
show('page:');
Clock::advance(11);
$cache->lookup('front');
$cache->get('front');
$cache->getMultiple(['front', 'nothing']);
show('page:');
echo 'claim given back: ', var_export($cache->abandon('front'), true), "\n";
$cache->set('front', 'other');
$cache->get('front');
show('page:');

$others = new Cache($pool, 'other:');
$others->set('number', 1);
$others->increment('number', 3);
$others->delete('number');
$others->tagged('a', 'b')->invalidateTags('a');
(new Counter($pool, 'visits'))->increment();
show('other:');
$others->tagged('a')->remember('tagged', 10, fn () => 1);
$others->tagged('a')->get('tagged');
show('other:');

$read = Metrics::read();
$group = array_column($read['groups'], null, 'group')['page:'];
var_dump($read['enabled'], $read['now'], count($read['bounds']['compute_times']) + 1 === count($group['compute_times']));
var_dump(array_sum($group['compute_times']) === $group['computations'], $group['compute_seconds'] >= 0.002, $group['saved_seconds'] >= 0.002 * 8);
printf("%s %d\n", $read['rebuilds'][0]['key'], $read['rebuilds'][0]['count']);
var_dump($read['servers'], $read['locks']);
?>
--EXPECT--
page:: hits=5 elections=1 stored=1 computations=1
page:: hits=5 stale=2 misses=1 elections=2 stored=1 computations=1
claim given back: true
page:: hits=6 stale=2 misses=1 elections=2 stored=2 computations=1
other:: stored=1
other:: hits=1 elections=1 stored=2 computations=1
bool(true)
float(1700000011)
bool(true)
bool(true)
bool(true)
bool(true)
front 1
array(0) {
}
array(0) {
}
