--TEST--
A killed rebuilder delays the next election until its lease expires (C2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const LEASE = 1.5;
$server = start_memcached();
$new_cache = fn () => new Cache(new Pool($server->address, timeout: 5), ttl: 100, lease: LEASE, wait: 30);
$elections = function (string $key) use ($new_cache) {
    $cache = $new_cache();
    $value = $cache->remember($key, 100, function () use (&$elected_at) {
        $elected_at = hrtime(true);
        return 'rebuilt';
    }, lease: LEASE, stale: false);
    return [$elected_at ?? null, $value];
};
foreach (['hot', 'cold'] as $key) {
    if ($key === 'hot') {
        $new_cache()->set($key, 'old');
        $new_cache()->expire($key);
    }
    // The victim says when it was about to be elected, and never comes back.
    $marks = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $victim = new Workers(1, function () use ($new_cache, $key, $marks) {
        $before = hrtime(true);
        $new_cache()->remember($key, 100, function () use ($marks, $before) {
            fwrite($marks[1], "$before\n");
            sleep(100);
        }, lease: LEASE);
    }, 60);
    $victim->release();
    $taken_at = (int) fgets($marks[0]);
    $victim->kill(0);
    $victim->results();
    $results = run_workers(8, fn () => $elections($key), 60);
    $elected = array_filter(array_column($results, 0));
    $after = (min($elected) - $taken_at) / 1e9;
    echo $key, ': ', count($elected), ' elected, ', $after < LEASE ? "too early: $after" : ($after < LEASE + 5 ? 'when the lease was over' : "late: $after"),
        ', answers: ', implode(', ', array_unique(array_column($results, 1))), "\n";
}
?>
--EXPECT--
hot: 1 elected, when the lease was over, answers: rebuilt
cold: 1 elected, when the lease was over, answers: rebuilt
