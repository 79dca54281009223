--TEST--
No process that noticed an outage reads a thawed server's values fresh
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Entry, Pool, Status};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const PROCESSES = 16;
const COMPUTED = 60; // keys that are computed anew wherever they are not fresh
const OWNED = 8;     // keys of each process, which it alone counts up
define('FROZEN', at_full_size() ? 5.0 : 1.5);
define('SECONDS', 0.5 + FROZEN + (at_full_size() ? 5 : 1.5));

$servers = [start_memcached(), start_memcached(), start_memcached()];
$frozen = $servers[0]->address;
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.4, retryAfter: 0.3, failover: true);
$computed = array_map(fn ($i) => "computed $i", range(1, COMPUTED));
$owned = array_map(fn ($index) => array_map(fn ($i) => "owned $index $i", range(1, OWNED)), range(0, PROCESSES - 1));
/* Keys of the server that is to be frozen, one of each process, which it changes when it notices and never again. */
$left = array_map(function (int $index) use ($make, $frozen): string {
    for ($i = 1; $make()->serverFor("left $index $i") !== name_of($frozen); $i++);
    return "left $index $i";
}, range(0, PROCESSES - 1));
$stored = (new Cache($make(), ttl: 3600))->setMultiple(array_fill_keys([...$computed, ...$left], 'old') + array_fill_keys(array_merge(...$owned), 0));

$now = fn () => hrtime(true) / 1e9;
$show = fn (Entry $entry) => [$entry->value, $entry->status === Status::Fresh];
$worker = function (int $index) use ($make, $frozen, $computed, $owned, $left, $now, $show): array {
    $pool = $make();
    $cache = new Cache($pool, ttl: 3600, grace: 3600);
    $keys = array_merge($computed, ...$owned);
    shuffle($keys);
    $noticed = null;
    $failures = [];
    $is_left = false;
    $looks = $written = [];
    for ($end = $now() + SECONDS, $n = 1; $now() < $end; $n++) {
        $key = $keys[$n % count($keys)];
        $looks[] = [$now(), $key, ...$show($cache->entry($key))];
        if ($n % 3 === 0) {
            $key = $owned[$index][$n % OWNED];
            $is_acknowledged = $cache->set($key, $n);
            $written[] = [$now(), $key, $is_acknowledged ? $n : 0];
        }
        if ($n % 5 === 0) {
            $key = $computed[array_rand($computed)];
            $began = $now();
            $cache->remember($key, null, fn () => 'new', entry: $entry);
            $looks[] = [$began, $key, ...$show($entry)];
        }
        $failed = $pool->lastErrors()[$frozen]['at'] ?? null;
        if ($failed !== $noticed) {
            $noticed = $failed;
            $failures[] = [$failed, $now()];
        }
        $is_left = $is_left || ($noticed !== null && $cache->set($left[$index], 'new'));
        usleep(1000);
    }
    // On a busy machine another server may be late, too: an outage of its own, which others do not see.
    $is_judged = count(array_filter($pool->lastErrors())) === 1;
    return ['is judged' => $is_judged, 'failures' => $failures, 'is left' => $is_left, 'looks' => $looks, 'written' => $written];
};
/* It has its connection, and sleeps until the server is there again; then until all the others have come back. */
$blind = function () use ($make, $computed, $left, $now, $show): array {
    $cache = new Cache($make(), ttl: 3600, grace: 3600);
    $cache->getMultiple($computed);
    $began = $now();
    $believed = [];
    foreach (['there again' => 0.55 + FROZEN, 'all are back' => 0.7 + SECONDS] as $when => $seconds) {
        usleep((int) (max(0, $began + $seconds - $now()) * 1e6));
        $keys = $when === 'there again' ? $computed : $left;
        $believed[$when] = count(array_filter($keys, fn ($key) => $show($cache->entry($key)) === ['old', true]));
    }
    return $believed;
};

$workers = new Workers(PROCESSES + 1, fn ($index) => $index < PROCESSES ? $worker($index) : $blind(), 60);
$workers->release();
usleep(500_000);
$servers[0]->freeze();
$frozen_at = microtime(true);
usleep((int) (FROZEN * 1e6));
$thawed = $now();
$thawed_at = microtime(true);
$servers[0]->thaw();
$results = $workers->results();
$believed = array_pop($results);

/* What each owner had acknowledged elsewhere before anybody could come back. */
$acknowledged = [];
/* A failure of before is another outage. */
foreach ($results as &$result) {
    $seen = array_filter($result['failures'], fn ($failure) => $failure[0] > $frozen_at && $failure[0] < $thawed_at);
    $result['noticed'] = $seen === [] ? null : reset($seen)[1];
}
unset($result);
$judged = array_filter($results, fn ($result) => $result['is judged'] && $result['noticed'] !== null);
foreach (array_merge(...array_column($judged, 'written')) as [$at, $key, $n]) {
    if ($at < $thawed) {
        $acknowledged[$key] = max($n, $acknowledged[$key] ?? 0);
    }
}
$pool = $make();
$sums = ['fresh' => 0, 'old' => 0, 'fresh though old' => 0, 'fresh though overtaken' => 0];
foreach ($judged as ['noticed' => $noticed, 'looks' => $looks]) {
    foreach ($looks as [$at, $key, $value, $is_fresh]) {
        if ($at <= $noticed || $pool->serverFor($key) !== name_of($frozen)) {
            continue;
        }
        $is_overtaken = is_int($value) && $at > $thawed && $value < ($acknowledged[$key] ?? 0);
        $sums['fresh'] += $is_fresh;
        $sums['old'] += !$is_fresh && ($value === 'old' || $is_overtaken);
        $sums['fresh though old'] += $is_fresh && $value === 'old';
        $sums['fresh though overtaken'] += $is_fresh && $is_overtaken;
    }
}
$writes = count(array_merge(...array_column($results, 'written')));
report_figures(sprintf('failover, %.1f s frozen: %d fresh looks and %d writes of %d processes, old ones found and not believed: %d, fresh: %d and %d; a process that saw nothing believed %d of what nobody had changed, and %d of what was',
    FROZEN, $sums['fresh'], $writes, PROCESSES, $sums['old'], $sums['fresh though old'], $sums['fresh though overtaken'], ...array_values($believed)));
echo json_encode($stored), ', judged: ', count($judged) >= PROCESSES / 2 ? 'most' : count($judged), "\n";
echo 'old values fresh: ', $sums['fresh though old'], ', older than acknowledged: ', $sums['fresh though overtaken'], "\n";
echo 'fresh ones: ', $sums['fresh'] > (under_valgrind() ? 50 : 1000) ? 'many' : $sums['fresh'], "\n";
echo 'old ones that are not believed: ', $sums['old'] > 0 ? 'some' : 'none', ', believed by who saw nothing: ', $believed['there again'] > 0 ? 'some' : 'none', "\n";
echo 'of ', array_sum(array_column($results, 'is left')), " changed meanwhile, who saw nothing believes {$believed['all are back']} in the end\n";
?>
--EXPECT--
true, judged: most
old values fresh: 0, older than acknowledged: 0
fresh ones: many
old ones that are not believed: some, believed by who saw nothing: some
of 16 changed meanwhile, who saw nothing believes 0 in the end
