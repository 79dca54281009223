--TEST--
A cold key's killed rebuilder is replaced after its claim expires (C2, C4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$folder = make_temporary_folder('killed');
register_shutdown_function('remove_folder', $folder);

/** A process that is elected for the key and killed in the middle of its work. */
function kill_a_winner(string $key, float $lease): void
{
    global $server, $folder;
    $winner = new Workers(1, function () use ($server, $folder, $key, $lease) {
        (new Cache(new Pool($server->address, timeout: 10)))->remember($key, 100, function () use ($folder) {
            touch("$folder/working");
            sleep(60);
        }, lease: $lease);
    });
    $winner->release();
    while (!file_exists("$folder/working")) {
        usleep(1000);
        clearstatcache();
    }
    $winner->kill(0);
    $winner->results();
    unlink("$folder/working");
}

/** 32 processes at once: [computations, when each began and ended, value, how long it took], in ms. */
function ask_32(string $key, float $lease, Closure $wait, int $compute_ms): array
{
    global $server;
    return run_workers(32, function (int $index) use ($server, $key, $lease, $wait, $compute_ms) {
        $cache = new Cache(new Pool($server->address, timeout: 10));
        $begun = $ended = $calls = 0;
        $start = hrtime(true);
        $value = $cache->remember($key, 100, function () use (&$begun, &$ended, &$calls, $start, $compute_ms, $index) {
            $calls++;
            $begun = (hrtime(true) - $start) / 1e6;
            usleep($compute_ms * 1000);
            $ended = (hrtime(true) - $start) / 1e6;
            return "by $index";
        }, lease: $lease, wait: $wait($index));
        return ['calls' => $calls, 'begun' => $begun, 'ended' => $ended, 'value' => $value, 'took' => (hrtime(true) - $start) / 1e6, 'wait' => $wait($index) * 1000];
    });
}

echo "its lease ends before their waits: back to the election\n";
kill_a_winner('short lease', 1.0);
$all = ask_32('short lease', 5.0, fn () => 30.0, 200);
echo array_sum(array_column($all, 'calls')), ' computation, ', count(array_unique(array_column($all, 'value'))), " value\n";

echo "their waits end before its lease\n";
kill_a_winner('long lease', 1000.0);
$all = ask_32('long lease', 1000.0, fn ($index) => 0.5 + 0.05 * $index, 300);
$stored = (new Cache(new Pool($server->address, timeout: 10)))->peek('long lease');
$computed = array_filter($all, fn ($one) => $one['calls'] > 0);
var_dump(max(array_column($all, 'calls')) === 1); // at most one each
var_dump(min(array_column($computed, 'begun')) >= 499); // none while all were waiting (their clock counts whole milliseconds)
var_dump(array_filter($computed, fn ($one) => $one['begun'] < $one['wait'] - 1) === []); // none before its own wait was over
// The first result was stored, and ended the wait of all who were still waiting.
$first = $all[(int) substr($stored, 3)];
var_dump($first['calls'] === 1 && $first['value'] === $stored);
$spared = array_filter($all, fn ($one) => $one['calls'] === 0);
var_dump(count($spared) > 0 && array_unique(array_column($spared, 'value')) === [$stored]);
$needless = array_filter($computed, fn ($one) => $one['begun'] > $first['ended'] + 2000); // 2 s: a loaded machine
var_dump(count($needless));
?>
--EXPECT--
its lease ends before their waits: back to the election
1 computation, 1 value
their waits end before its lease
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
