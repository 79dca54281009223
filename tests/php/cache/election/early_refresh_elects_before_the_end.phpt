--TEST--
early: elects 1 caller before expiry, sooner for slower computations (C10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

const NOW = 1_700_000_000_000;
$server = start_memcached();
$pool = new Pool($server->address);
Clock::freeze(NOW / 1000);

/** How often, of 400 fresh values that took $compute ms and have $left ms to live, one is refreshed. */
function count_refreshed(Cache $cache, int $left, int $compute, array $options = []): int
{
    global $server;
    $refreshed = 0;
    for ($i = 0; $i < 400; $i++) {
        put_raw($server, 'k', make_envelope('k', 'old', ['created' => NOW - 1000, 'soft' => NOW + $left, 'hard' => NOW + 100_000, 'compute' => $compute]));
        $refreshed += $cache->remember('k', 100, fn () => 'new', ...$options) === 'new';
    }
    return $refreshed;
}

$cache = new Cache($pool, early: 1.0);
// With beta 1 the chance is e^-(left / compute).
foreach ([[1, 1000, 390, 400], [1000, 1000, 100, 200], [3000, 1000, 4, 45], [50_000, 1000, 0, 0], [1000, 0, 0, 0]] as [$left, $compute, $least, $most]) {
    $count = count_refreshed($cache, $left, $compute);
    echo "$left ms left of a $compute ms value: ", $count >= $least && $count <= $most ? 'as it should' : $count, "\n";
}
$count = count_refreshed($cache, 3000, 1000, ['early' => 5.0]);
echo 'beta 5: ', $count >= 170 && $count <= 270 ? 'as it should' : $count, "\n";
echo 'off: ', count_refreshed(new Cache($pool), 1, 1000), ' ', count_refreshed($cache, 1, 1000, ['early' => 0.0]), "\n";
echo 'counted: ', $cache->stats()['early'] === $cache->stats()['elected'] && $cache->stats()['early'] > 500 ? 'yes' : 'no', "\n";

echo "one at a time\n";
put_raw($server, 'k', make_envelope('k', 'old', ['soft' => NOW + 1, 'hard' => NOW + 100_000, 'compute' => 60_000]));
$other = new Cache($pool, early: 1000.0);
echo $cache->remember('k', 100, function () use ($other) {
    for ($i = 0; $i < 50; $i++) {
        $others[] = $other->remember('k', 100, fn () => 'by another');
    }
    return implode(' ', array_unique($others));
}), "\n";
?>
--EXPECT--
1 ms left of a 1000 ms value: as it should
1000 ms left of a 1000 ms value: as it should
3000 ms left of a 1000 ms value: as it should
50000 ms left of a 1000 ms value: as it should
1000 ms left of a 0 ms value: as it should
beta 5: as it should
off: 0 0
counted: yes
one at a time
old
