--TEST--
Killed processes leave Metrics and its trace readable
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (PHP_OS_FAMILY === 'Windows') {
    die('skip needs fork');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/workers.inc';

use McPatterns\{Cache, Metrics, Pool};

const ROUNDS = 25;
const LETTERS = 'HhSMELBWURwTXC';

function look(): array
{
    $trace = Metrics::trace(null, 4096);
    foreach ($trace as $event) {
        $is_whole = strlen($event['letter']) === 1 && str_contains(LETTERS, $event['letter']) &&
            preg_match('/^(|round\d+:)$/', $event['group']) && preg_match('/^key:\d+:x*$/', $event['key']) &&
            $event['pid'] > 0 && $event['at'] > 1_700_000_000;
        if (!$is_whole) {
            echo 'half an event: ', json_encode($event), "\n";
        }
    }
    foreach (Metrics::read()['groups'] as $group) {
        if (!preg_match('/^(|\?|round\d+:)$/', $group['group'])) {
            echo "half a name: {$group['group']}\n";
        }
    }
    return $trace;
}

Metrics::reset();
$events = 0;
for ($round = 0; $round < ROUNDS; $round++) {
    $workers = new Workers(2, function () use ($round) {
        for ($i = 0; ; $i++) {
            $cache = new Cache(new Pool('memory://mine'), "round$round:");
            $cache->remember('key:' . $i % 50 . ':' . str_repeat('x', $i % 41), 10, fn () => $i);
        }
    });
    $workers->release();
    do {
        usleep(random_int(500, 20_000));
    } while (Metrics::trace("round$round:", 1) === []); // valgrind takes longer
    $events += count(look());
    $workers->kill(0);
    $workers->kill(1);
    $workers->results();
    $events += count(look());
}
var_dump($events > (patience() > 1 ? 500 : 1000));
$before = array_column(Metrics::read()['groups'], 'hits', 'group');
$cache = new Cache(new Pool('memory://mine'), 'round0:');
$cache->remember('key:1:', 10, fn () => 1);
$cache->remember('key:1:', 10, fn () => 1);
var_dump(array_column(Metrics::read()['groups'], 'hits', 'group')['round0:'] - ($before['round0:'] ?? 0));
$letters = array_column(Metrics::trace('round0:', 4), 'letter');
echo implode($letters), "\n";
?>
--EXPECT--
bool(true)
int(1)
MLWH
