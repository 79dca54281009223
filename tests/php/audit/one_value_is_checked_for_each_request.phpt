--TEST--
Audit checks 1 uniformly chosen read per request, excluding nested reads
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/audit.inc';

$pool = new Pool(start_memcached()->address, timeout: 10);
$cache = new Cache($pool, ttl: 100);
$computed = [];
$read = function (string $key) use ($cache, &$computed) {
    return $cache->remember($key, 100, function () use ($key, &$computed) { $computed[$key] = ($computed[$key] ?? 0) + 1; return $key; });
};
$keys = ['a', 'b', 'c', 'd'];
array_map($read, $keys);
Pool::endRequest();
$audit = new Audit($cache, rate: 1);
$computed = [];
for ($i = 0; $i < 200; $i++) {
    array_map($read, $keys);
    Pool::endRequest();
}
ksort($computed);
echo 'in all: ', audited($cache), ', of ', implode(' ', array_keys($computed)), ', each of them ', min($computed) >= 20 ? 'often' : 'seldom', "\n";

$nested = fn () => $cache->remember('outer', 100, fn () => $read('a') . $read('b'));
$nested();
Pool::endRequest();
echo 'with values inside: ', audited_by($cache, $nested), ', afterwards: ', audited_by($cache, fn () => 0), "\n";
echo 'rememberMany: ', audited_by($cache, fn () => $cache->rememberMany(['a', 'b'], 100, fn (array $keys) => array_fill_keys($keys, 1))), "\n";
echo 'get: ', audited_by($cache, fn () => $cache->get('a')), "\n";
$cache->remember('number', 100, fn () => 5);
$cache->increment('number');
Pool::endRequest();
echo 'a number that was counted on: ', audited_by($cache, fn () => $cache->remember('number', 100, fn () => 5)), "\n";
$cache->expire('a');
echo 'an old value: ', audited_by($cache, fn () => $cache->lookup('a') && $read('a')), "\n";
$often = new Audit($cache, rate: 0.5);
$before = $cache->stats()['audit_checked'];
for ($i = 0; $i < 200; $i++) {
    $read('b');
    Pool::endRequest();
}
$checked = $cache->stats()['audit_checked'] - $before;
echo 'half of 200: ', $checked > 50 && $checked < 150 ? 'about' : $checked, "\n";
?>
--EXPECT--
in all: checked 200, of a b c d, each of them often
with values inside: checked 1, afterwards: nothing
rememberMany: nothing
get: nothing
a number that was counted on: nothing
an old value: nothing
half of 200: about
