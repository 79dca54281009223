--TEST--
Rebuilds on 2 copies with a frozen server never hide acknowledged values (D2, D5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const PROCESSES = 8;
const KEYS = 12;
define('FROZEN', at_full_size() ? 3.0 : 0.8);
define('ROUNDS', at_full_size() ? 4 : 1);
define('SECONDS', 0.5 + ROUNDS * (FROZEN + 1.3));

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Cache(new Pool(array_column($servers, 'address'), timeout: 0.2, retryAfter: 0.5), ttl: 0.1, grace: 600, lease: 2, copies: 2);
$keys = array_map(fn ($i) => "key $i", range(1, KEYS));
$away = make_temporary_folder('thawed') . '/away';

/* The journal: each value is stored once; when that began, whether it was acknowledged, and when it was over; each value
 * that was read, and when the read began. By the host's monotonic clock, which all processes share. */
$worker = function (int $index) use ($make, $keys, $away): array {
    $cache = $make();
    $stores = $reads = [];
    for ($end = hrtime(true) + (int) (SECONDS * 1e9), $n = 1; hrtime(true) < $end; $n++) {
        // Every other process asks nothing while a server is away: it sees nothing of that, and believes what comes back.
        while ($index % 2 === 1 && file_exists($away)) {
            usleep(1000);
            clearstatcache();
        }
        $key = $keys[mt_rand(0, KEYS - 1)];
        $began = hrtime(true);
        $value = "by $index: $n";
        if ($n % 20 === 1) {
            $stores[] = [$key, $value, $began, $cache->set($key, $value), hrtime(true)];
        } else {
            $found = $cache->lookup($key);
            $reads[] = [$key, $found->value, $began];
            if ($found->status === Status::Elected) {
                usleep(mt_rand(0, 20_000));
                $began = hrtime(true);
                $stores[] = [$key, $value, $began, $cache->publish($key, $value), hrtime(true)];
            }
        }
        usleep(mt_rand(100, 2000));
    }
    return [$stores, $reads];
};
$seed = $make();
foreach ($keys as $key) {
    $seed->set($key, 'first');
}
$workers = new Workers(PROCESSES, $worker, 90);
$workers->release();
usleep(300_000);
for ($round = 0; $round < ROUNDS; $round++) {
    touch($away);
    usleep(100_000); // what those are at comes to its end
    $servers[$round % 2]->freeze();
    usleep((int) (FROZEN * 1e6));
    $servers[$round % 2]->thaw();
    unlink($away);
    usleep(1_200_000);
}
$results = $workers->results();
$stores = array_merge(...array_column($results, 0));
$reads = array_merge(...array_column($results, 1));

// A value that is over when an acknowledged one begins is covered by that: no read that begins after it shows it.
$over = array_column($stores, 4, 1) + ['first' => 0];
$acknowledged = array_filter($stores, fn (array $store) => $store[3]);
$covered = 0;
foreach ($reads as [$key, $value, $began]) {
    foreach ($acknowledged as [$of, $by, $by_began, , $by_over]) {
        if ($of === $key && $value !== null && $over[$value] < $by_began && $by_over < $began) {
            $covered++;
            break;
        }
    }
}
$not = count($stores) - count($acknowledged);
report_figures(sprintf('two copies, rebuilt around %d outages of %.1f s: %d reads, %d writes acknowledged, %d not, %d covered values read', ROUNDS,
    FROZEN, count($reads), count($acknowledged), $not, $covered));
echo 'reads: ', count($reads) > 200 ? 'many' : count($reads), ', acknowledged: ', count($acknowledged) > 20 ? 'many' : count($acknowledged),
    ', not: ', $not > 0 ? 'some' : 'none', ", covered values read: $covered\n";
remove_folder(dirname($away));
?>
--EXPECT--
reads: many, acknowledged: many, not: some, covered values read: 0
