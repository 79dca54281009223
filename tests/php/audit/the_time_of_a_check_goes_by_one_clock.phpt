--TEST--
audit_seconds and the pause after a check use McPatterns\Clock
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Clock, Pool};

require __DIR__ . '/../../_support/audit.inc';

$cache = new Cache(new Pool('memory://audited'), ttl: 100_000);
$audit = new Audit($cache, rate: 1);
$lasts_ms = 0;
$read = function () use ($cache, &$lasts_ms) {
    $cache->remember('k', 100_000, function () use (&$lasts_ms) { Clock::advance($lasts_ms); return 'value'; });
};
$read();
Clock::freeze();
foreach ([1_000, 0] as $lasts_ms) {
    $before = $cache->stats()['audit_seconds'];
    echo "$lasts_ms ms: ", audited_by($cache, $read);
    $counted = $cache->stats()['audit_seconds'] - $before;
    echo $counted >= $lasts_ms / 1_000 ? '' : ", and $counted s are counted", "\n";
}
?>
--EXPECT--
1000 ms: checked 1
0 ms: nothing
