--TEST--
32 processes rebuild an expired key once without waiting (C1)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

define('SECONDS', at_full_size() ? 10 : 3.0);
const TTL = 0.9;
const REBUILD_US = 100_000;
$server = start_memcached();

/** One rebuild, noted by when it began. */
$rebuild = function (array &$rebuilds) {
    $rebuilds[] = hrtime(true) / 1e9;
    usleep(REBUILD_US);
    return bin2hex(random_bytes(500));
};
$ways = [
    'get and set' => function (Cache $cache, array &$rebuilds) use ($rebuild) {
        $value = $cache->get('k');
        if ($value === null) {
            $value = $rebuild($rebuilds);
            $cache->set('k', $value, TTL);
        }
        return $value;
    },
    'remember' => fn (Cache $cache, array &$rebuilds) => $cache->remember('k', TTL, function () use ($rebuild, &$rebuilds) {
        return $rebuild($rebuilds);
    }),
    'MC' => function (Cache $cache, array &$rebuilds) use ($rebuild) {
        $value = MC::get('k');
        if ($value === false) {
            $value = $rebuild($rebuilds);
            MC::set('k', $value, false, 1);
        }
        return $value;
    },
];
foreach ($ways as $name => $way) {
    $server->raw('flush_all');
    $seed = new Cache(new Pool($server->address));
    $seed->set('k', 'first', $name === 'MC' ? 1 : TTL, 600); // it lasts until all have started
    $results = run_workers(32, function () use ($server, $way) {
        // Who gets no answer computes for itself (C13): a busy machine must not look like a second election.
        $cache = new Cache(new Pool($server->address, connectTimeout: 10, timeout: 10));
        MC::use($cache);
        $rebuilds = $waits = [];
        $end = hrtime(true) / 1e9 + SECONDS;
        while (($start = hrtime(true) / 1e9) < $end) {
            $before = count($rebuilds);
            $value = $way($cache, $rebuilds);
            if (count($rebuilds) === $before) {
                $waits[] = hrtime(true) / 1e9 - $start;
            }
            assert(is_string($value));
            usleep(mt_rand(1000, 10_000));
        }
        sort($waits);
        return [$rebuilds, $waits];
    }, 60);
    $rebuilds = array_merge(...array_column($results, 0));
    sort($rebuilds);
    // Two that began within one TTL belong to the same expiry.
    $doubles = 0;
    for ($i = 1; $i < count($rebuilds); $i++) {
        $doubles += $rebuilds[$i] - $rebuilds[$i - 1] < ($name === 'MC' ? 1 : TTL);
    }
    $expected = SECONDS / (($name === 'MC' ? 1 : TTL) + REBUILD_US / 1e6);
    $waits = array_merge(...array_column($results, 1));
    sort($waits);
    report_figures(sprintf('%s: %d rebuilds, %d readers, p50 %.2f ms, p99 %.2f ms, longest %.2f ms', $name, count($rebuilds), count($waits),
        $waits[count($waits) >> 1] * 1e3, $waits[(int) (count($waits) * 0.99)] * 1e3, end($waits) * 1e3));
    echo $name, ': ', $doubles, ' rebuilds too many, ', count($rebuilds) <= $expected + 1 && count($rebuilds) >= $expected / 2 ? 'one per expiry' : count($rebuilds) . " of $expected", "\n";
    echo '    readers ', $waits[(int) (count($waits) * 0.5)] < REBUILD_US / 2e6 ? 'did not wait' : 'waited', "\n";
}
?>
--EXPECT--
get and set: 0 rebuilds too many, one per expiry
    readers did not wait
remember: 0 rebuilds too many, one per expiry
    readers did not wait
MC: 0 rebuilds too many, one per expiry
    readers did not wait
