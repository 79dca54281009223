--TEST--
Metrics::read() reports each server's last error, breaker and last use
--EXTENSIONS--
mcpatterns
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
use McPatterns\{Cache, Clock, Metrics, Pool};

$one = start_memcached();
$two = start_memcached();
Clock::freeze(1_800_000_000);
Metrics::reset();
$tell = function (string $when) use ($one, $two): void {
    $servers = Metrics::read()['servers'];
    usort($servers, fn (array $a, array $b): int => ($b['server'] === $one->name) <=> ($a['server'] === $one->name));
    foreach ($servers as $server) {
        $name = [$one->name => 'one', $two->name => 'two'][$server['server']];
        $times = array_map(fn (?float $at): string => $at === null ? 'null' : (string) round($at - 1_800_000_000), [$server['open_since'], $server['last_error']['at'] ?? null, $server['last_used']]);
        echo "$when: $name is ", $server['is_open'] ? 'open' : 'closed', " since $times[0], failed at $times[1] of ",
            json_encode($server['last_error']['message'] ?? null), ", used at $times[2]\n";
    }
};
(new Cache(new Pool($two->address)))->get('k');
$tell('at first');
Clock::advance(10);
$cache = new Cache(new Pool($one->address, retryAfter: 2));
$cache->get('k');
$one->kill();
for ($i = 0; $i < 3; $i++) {
    Clock::advance(2.5);
    $cache->get('k');
}
Clock::advance(1);
$tell('down');
$one->restart();
Clock::advance(5);
$cache->get('k');
$tell('up again');
Clock::advance(600);
$tell('later');
Clock::unfreeze();
?>
--EXPECT--
at first: two is closed since null, failed at null of null, used at 0
down: one is open since 13, failed at 18 of "the server could not be reached: connection refused, nothing listens there", used at 19
down: two is closed since null, failed at null of null, used at 0
up again: one is closed since null, failed at 18 of "the server could not be reached: connection refused, nothing listens there", used at 24
up again: two is closed since null, failed at null of null, used at 0
later: one is closed since null, failed at 18 of "the server could not be reached: connection refused, nothing listens there", used at 24
later: two is closed since null, failed at null of null, used at 0
