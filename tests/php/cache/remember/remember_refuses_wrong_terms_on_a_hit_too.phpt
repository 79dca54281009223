--TEST--
Wrong terms of remember() are refused at once where a value is there, in memcached or near, as on a cold key: a mistake shows in the first test and not when a value ends
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$compute = fn (): string => 'computed';
$wrong = [
    fn (Cache $cache) => $cache->remember('k', -1, $compute), fn (Cache $cache) => $cache->remember('k', 'no callable', $compute),
    fn (Cache $cache) => $cache->remember('k', 60, $compute, grace: -1), fn (Cache $cache) => $cache->remember('k', 60, $compute, lease: 0),
    fn (Cache $cache) => $cache->remember('k', 60, $compute, wait: -1), fn (Cache $cache) => $cache->remember('k', 60, $compute, early: -1.0),
    fn (Cache $cache) => $cache->remember('k', 60, $compute, jitter: 2.0),
];
$caches = ['cold' => new Cache($pool, prefix: 'cold:'), 'fresh' => new Cache($pool), 'near' => new Cache($pool, near: 60)];
$caches['fresh']->set('k', 'there', 600);
$caches['near']->get('k');
$told = [];
foreach ($caches as $name => $cache) {
    $before = $cache->stats();
    foreach ($wrong as $number => $call) {
        try {
            $call($cache);
            echo "$name: $number is taken\n";
        } catch (ValueError | TypeError $error) {
            $told[$number][$error->getMessage()] = true;
        }
    }
    echo "$name: ", $cache->stats() === $before ? 'nothing was asked for' : 'asked', "\n";
}
echo count($told), ' refused, of each ', max(array_map(count(...), $told)), " message\n";
?>
--EXPECT--
cold: nothing was asked for
fresh: nothing was asked for
near: nothing was asked for
7 refused, of each 1 message
