--TEST--
Cache sends memcached TTL, grace and lease as the physical lifetime (C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address), ttl: 100, lease: 10);
$day = 86400;
$cases = [
    'by default' => [null, null, 210],
    'ttl 5' => [5, null, 20],
    'ttl 5, grace 1' => [5, 1, 16],
    'grace 0' => [5, 0, 15],
    'fractions' => [5.1, 5.1, 20.2],
    '20 days' => [20 * $day, null, 40 * $day + 10],
    '29.99 days' => [29.99 * $day, 0, 29.99 * $day + 10],
    '30 days' => [30 * $day, 0, 30 * $day + 10],
    '10 years' => [3650 * $day, 0, 3650 * $day + 10],
    'ttl 0' => [0, null, -1],
    'grace INF' => [5, INF, -1],
];
foreach ($cases as $name => [$ttl, $grace, $expected]) {
    $cache->set('k', 'v', $ttl, $grace);
    $left = get_seconds_left($server, 'k');
    // Rounded up, one second for memcached's clock, and one for its phase.
    $is_right = $expected < 0 ? $left === $expected : $left >= $expected - 1 && $left <= $expected + 3;
    echo $name, ': ', $is_right ? 'right' : "$left, expected $expected", "\n";
    assert($cache->get('k') === 'v');
}
?>
--EXPECT--
by default: right
ttl 5: right
ttl 5, grace 1: right
grace 0: right
fractions: right
20 days: right
29.99 days: right
30 days: right
10 years: right
ttl 0: right
grace INF: right
