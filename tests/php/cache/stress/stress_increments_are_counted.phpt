--TEST--
8 processes with 500 increments each reach 4,000 for each TTL (I1, I2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$count = at_full_size() ? 20_000 : 500;
$new_cache = fn () => new Cache(new Pool($server->address, timeout: 5), lease: 0.01);
foreach ([3600, 0, 20 * 86400, 0.05] as $ttl) {
    $new_cache()->set('n', 0, $ttl, $ttl === 0.05 ? 3600 : null);
    $results = run_workers(8, function () use ($new_cache, $count) {
        $cache = $new_cache();
        $wrong = $last = 0;
        for ($i = 0; $i < $count; $i++) {
            $number = $cache->increment('n');
            $wrong += $number <= $last;
            $last = $number;
            $seen = match ($i % 4) { 0 => $cache->get('n', $last), 1 => $cache->peek('n'), 2 => $cache->getMultiple(['n'], $last)['n'], 3 => $cache->entry('n')->value };
            $wrong += $seen < $last;
        }
        return $wrong;
    }, 60);
    echo $ttl === 0.05 ? 'past its TTL, while others are elected' : "TTL $ttl", ': ', $new_cache()->peek('n') - 8 * $count, ' too many, ', array_sum($results), " wrong reads\n";
}
?>
--EXPECT--
TTL 3600: 0 too many, 0 wrong reads
TTL 0: 0 too many, 0 wrong reads
TTL 1728000: 0 too many, 0 wrong reads
past its TTL, while others are elected: 0 too many, 0 wrong reads
