--TEST--
Audit checks near hits against the value stored in memcached
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Clock, Pool};

require __DIR__ . '/../../_support/audit.inc';

Clock::freeze(1_700_000_000);
$pool = new Pool(start_memcached()->address, timeout: 10);
$cache = new Cache($pool, ttl: 1000, near: 60);
$row = 'first';
$compute = function () use (&$row) { return $row; };
$read = fn () => $cache->remember('k', 1000, $compute);
$read();
$audit = new Audit($cache, rate: 1);
echo 'equal: ', audited_by($cache, function () use ($read) { $read(); $read(); }), "\n";
Clock::advance(7);
$row = 'second';
echo 'different: ', audited_by($cache, function () use ($read) { $read(); $read(); $read(); }), "\n";
echo 'with an entry: ', audited_by($cache, function () use ($cache, $compute) {
    $cache->remember('k', 1000, $compute);
    $cache->remember('k', 1000, $compute, entry: $entry);
    echo $entry->status->name, ' ';
}), "\n";
$make_list = function () use (&$row) { return [$row]; };
$list = fn () => $cache->remember('list', 1000, $make_list);
$list();
$row = 'third';
echo 'an array: ', audited_by($cache, function () use ($list) { $list(); $list(); }), "\n";
echo 'near hits: ', $cache->stats()['near'] > 3 ? 'some' : 'none', ', ', audited($cache), "\n";
?>
--EXPECTF--
equal: checked 1
different: checked 1, different 1, still_stored 1
with an entry: Fresh checked 1, different 1, still_stored 1
an array: checked 1, different 1, still_stored 1
near hits: some, checked 4, different 3, still_stored 3, oldest_seconds 7.0%d
