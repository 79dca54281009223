--TEST--
Metrics::read() equals the journals of 16 processes after they end
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
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

use McPatterns\{Cache, Entry, Lock, Metrics, Pool, Status, Transport};

const PROCESSES = 16;
const CALLS = 300;

/** What one process says that its calls came to: group or lock => counter => number. */
final class Journal
{
    public array $counts = [];

    public function add(string $group, string $counter, int $by = 1): void
    {
        $this->counts[$group][$counter] = ($this->counts[$group][$counter] ?? 0) + $by;
    }

    public function answer(string $group, Entry $entry): void
    {
        $this->add($group, match (true) {
            $entry->status === Status::Fresh => 'hits',
            $entry->status === Status::Elected => 'elections',
            $entry->value !== null => 'stale', // also while another caller is at it
            default => 'misses',
        });
    }
}

function call(Cache $cache, string $group, string $key, Journal $journal): void
{
    switch (random_int(0, 5)) {
        case 0:
        case 1:
            $cache->remember($key, 0.05, function () use ($group, $journal) {
                $journal->add($group, 'computations');
                return str_repeat('x', random_int(0, 100));
            }, grace: 10, wait: 30, entry: $entry);
            $journal->answer($group, $entry);
            if ($entry->status === Status::Elected) {
                $journal->add($group, 'ended'); // stored or refused: this caller is not told
            }
            break;
        case 2:
            $journal->answer($group, $cache->entry($key));
            break;
        case 3:
            $entry = $cache->lookup($key);
            $journal->answer($group, $entry);
            if ($entry->status === Status::Elected) {
                $journal->add($group, 'computations');
                $cache->publish($key, 'published', 0.05);
                $journal->add($group, 'ended');
            }
            break;
        case 4:
            $journal->add($group, 'stored', (int) $cache->set($key, 'set', 0.05, 10));
            break;
        case 5:
            $cache->delete($key);
    }
}

$server = start_memcached();
Metrics::reset();
$journals = run_workers(PROCESSES, function (int $index) use ($server) {
    // Over Direct a write may be read back in the same round trip: one call here, two requests there.
    $pool = new Pool($server->address, timeout: 20, transport: Transport::Libmemcached);
    $journal = new Journal();
    $caches = [];
    for ($i = 0; $i < CALLS; $i++) {
        $group = 'group' . random_int(0, 4) . ':';
        $caches[$group] ??= new Cache($pool, $group, ttl: 0.05, grace: 10);
        call($caches[$group], $group, 'key' . random_int(0, 3), $journal);
        if ($i % 10 === 0) {
            $lock = new Lock($pool, 'lock' . random_int(0, 2), ttl: 30);
            $journal->add('locks', $lock->acquire() ? 'acquisitions' : 'contention');
        }
    }
    unset($lock);
    return $journal->counts;
}, 120);

$expected = [];
foreach ($journals as $journal) {
    foreach ($journal as $group => $counts) {
        foreach ($counts as $counter => $count) {
            $expected[$group][$counter] = ($expected[$group][$counter] ?? 0) + $count;
        }
    }
}
$read = Metrics::read();
$wrong = 0;
foreach (array_column($read['groups'], null, 'group') as $name => $group) {
    $said = $expected[$name];
    $pairs = [];
    foreach (['hits', 'stale', 'misses', 'elections', 'computations'] as $counter) {
        $pairs[$counter] = [$said[$counter] ?? 0, $group[$counter]];
    }
    $pairs['stored and discarded'] = [$said['stored'] + $said['ended'], $group['stored'] + $group['discarded']];
    $pairs['histogram'] = [$said['computations'], array_sum($group['compute_times'])];
    $pairs['errors'] = [0, $group['errors'] + $group['gave_up'] + $group['unreadable'] + $group['forged'] + $group['unstorable']];
    foreach ($pairs as $counter => [$journaled, $counted]) {
        if ($journaled !== $counted) {
            echo "$name $counter: $journaled in the journals, $counted counted\n";
            $wrong++;
        }
    }
}
$of_locks = fn (string $counter) => array_sum(array_column($read['locks'], $counter));
printf("%d groups, %d wrong\n", count($read['groups']), $wrong);
var_dump($of_locks('acquisitions') === $expected['locks']['acquisitions'], $of_locks('contention') === ($expected['locks']['contention'] ?? 0), $of_locks('losses') === 0);

echo "the server says the same\n";
$memcached = (new Pool($server->address))->stats()[$server->name];
$requests = $memcached['cmd_get'] + $memcached['cmd_set'] + $memcached['delete_hits'] + $memcached['delete_misses'];
$counted = $read['servers'][0];
var_dump(count($read['servers']), $counted['server'] === $server->name, $counted['failures'], $counted['is_open']);
var_dump($counted['calls'] === $requests ?: [$counted['calls'], $requests, array_filter($memcached, fn ($name) => str_contains($name, 'cmd') || str_contains($name, 'cas') || str_contains($name, 'delete'), ARRAY_FILTER_USE_KEY)]);
echo "one of 64 is timed\n";
var_dump(abs(array_sum($counted['round_trips']) - $counted['calls'] / 64) <= PROCESSES + 1, $counted['seconds'] > 0);
?>
--EXPECT--
5 groups, 0 wrong
bool(true)
bool(true)
bool(true)
the server says the same
int(1)
bool(true)
int(0)
bool(false)
bool(true)
one of 64 is timed
bool(true)
bool(true)
