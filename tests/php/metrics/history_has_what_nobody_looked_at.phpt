--TEST--
Metrics::history() has the last 2 minutes and hour without readers
--EXTENSIONS--
mcpatterns
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
use McPatterns\{Cache, Clock, Lock, Metrics, Pool};

$server = start_memcached();
$pool = new Pool($server->address, retryAfter: 0);
// A step begins here, and a minute.
Clock::freeze(1_800_000_000);
Metrics::reset();
// 64 calls of any connection have a timed one among them, which takes the sample.
$work = function () use ($pool): void {
    $cache = new Cache($pool, 'page:');
    for ($i = 0; $i < 128; $i++) {
        $cache->remember('k', 10_000, fn () => 1);
    }
};
for ($minute = 0; $minute < 90; $minute++) {
    $work();
    Clock::advance(60);
}
for ($i = 0; $i < 70; $i++) {
    $work();
    Clock::advance(2);
}
$server->kill();
(new Cache($pool, 'page:'))->get('k');
Clock::advance(10);
$history = Metrics::history();
$last = end($history);
$ago = array_map(fn (array $sample): int => (int) round($last['at'] - $sample['at']), $history);
echo count($history), ' samples, from ', $ago[0], ' s ago; ', implode(' ', array_slice($ago, -6)), "\n";
$steps = array_filter(array_keys($ago), fn (int $i): bool => $i > 0 && $ago[$i] < 120);
echo 'of two minutes: ', count($steps), ', of ', implode(' ', array_unique(array_map(fn (int $i): int => $ago[$i - 1] - $ago[$i], $steps))), " s\n";
$grown = fn (string $name, int $from, int $to = -1): int => array_slice($history, $to, 1)[0][$name] - array_slice($history, $from, 1)[0][$name];
// The step that failed took its sample before it counted, and so did the one before.
echo 'in the last step: ', $grown('hits', -2), ' hits, ', $grown('errors', -2), ' error, ', $grown('failures', -2), ' failure; ';
var_dump($grown('errors', 0, -2) === 0, $grown('failures', 0, -2) === 0, $grown('hits', 0, -2) > 50 * 128);
$read = Metrics::read();
$total = fn (string $list, string $name): int|float => array_sum(array_column($read[$list], $name));
foreach (['groups' => ['hits', 'misses', 'elections', 'stored', 'errors', 'computations', 'saved_seconds'], 'servers' => ['calls', 'failures', 'breaker_openings']] as $list => $names) {
    foreach ($names as $name) {
        if ($total($list, $name) !== $last[$name]) {
            echo "$name: ", $last[$name], ' instead of ', $total($list, $name), "\n";
        }
    }
}
Metrics::reset();
var_dump(count(Metrics::history()));
Clock::unfreeze();
?>
--EXPECT--
122 samples, from 3810 s ago; 18 16 14 12 10 0
of two minutes: 56, of 2 10 s
in the last step: 0 hits, 1 error, 1 failure; bool(true)
bool(true)
bool(true)
int(1)
