--TEST--
Audit counts equal, different and still stored values, and their oldest age
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Clock, Metrics, Pool};

require __DIR__ . '/../../_support/audit.inc';

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool(start_memcached()->address, timeout: 10), 'audited:', ttl: 100);
$row = 'first';
$read = function () use ($cache, &$row) {
    return $cache->remember('k', 100, function () use (&$row) { return $row; });
};
$read();
echo 'without an Audit: ', audited_by($cache, $read), "\n";
$audit = new Audit($cache, rate: 1);
echo 'equal: ', audited_by($cache, $read), "\n";
echo 'computed, not served: ', audited_by($cache, function () use ($cache, $read) { $cache->delete('k'); $read(); }), "\n";
Clock::advance(12);
$row = 'second';
echo 'different: ', audited_by($cache, $read), "\n";
echo 'it is served still: ', $read(), "\n";
Pool::endRequest();
Clock::advance(3);
$row = 'first';
echo 'equal again: ', audited_by($cache, $read), "\n";
$row = 'third';
$cache->delete('k');
$read();
Clock::advance(2);
$row = 'fourth';
echo 'a younger one: ', audited_by($cache, $read), "\n";
echo 'in all: ', audited($cache), "\n";
$group = Metrics::read()['groups'][0];
printf("in Metrics: %d checked, %d different, oldest %.0f s\n", $group['audit_checked'], $group['audit_different'], $group['audit_oldest_seconds']);
echo preg_match('/^# TYPE mcpatterns_cache_audit_oldest_seconds gauge\nmcpatterns_cache_audit_oldest_seconds\{group="audited:"} 12(\.\d+)?$/m', Metrics::prometheus()), ' in prometheus(), ',
    implode(array_column(Metrics::trace('audited:'), 'letter')), "\n";
?>
--EXPECT--
without an Audit: nothing
equal: checked 1
computed, not served: nothing
different: checked 1, different 1, still_stored 1
it is served still: first
equal again: checked 1
a younger one: checked 1, different 1, still_stored 1
in all: checked 5, different 3, still_stored 3, oldest_seconds 12.001
in Metrics: 5 checked, 3 different, oldest 12 s
1 in prometheus(), MLWHHMLWHDHDHMLWHD
