--TEST--
Each algorithm keeps its limit under many concurrent processes (R1, R2, R4, R6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Limiting, Pool, RateLimiter};

require __DIR__ . '/../../_support/rate_journal.inc';

[$processes, $seconds] = at_full_size() ? [16, 30] : [6, 3];
$server = start_memcached();
[$journal, $attempts] = admissions($processes, $seconds, function () use ($server) {
    $pool = new Pool($server->address, timeout: 10);
    return [
        'few' => new RateLimiter($pool, 'few', 20, 1, Limiting::SlidingWindow, slots: 10),
        'many' => new RateLimiter($pool, 'many', 1000, 1, Limiting::SlidingWindow, slots: 5),
        'window' => new RateLimiter($pool, 'window', 50, 0.5, Limiting::FixedWindow),
        'bucket' => new RateLimiter($pool, 'bucket', 200, 1, Limiting::TokenBucket, burst: 30),
    ];
});

// The bucket's clock counts milliseconds.
$bounds = [
    'few' => [[1.0, 20]],
    'many' => [[1.0, 1000]],
    'window' => [[0.5, 100]],
    'bucket' => [[0.001, 31], [0.1, 51], [1.0, 231]],
];
$figures = [];
foreach ($bounds as $name => $ones) {
    foreach ($ones as [$period, $most]) {
        $admitted = most_within($journal[$name], $period);
        $figures[] = "$name: at most $admitted of $most in $period s";
        echo $admitted <= $most ? '' : "$name: $admitted in $period s, and at most $most may be\n";
    }
}
// What is refused does not keep others out: of 20 a second ten elevenths, of 200 all, or much of it on a busy machine.
foreach (['few' => 20 * 10 / 11, 'window' => 100, 'bucket' => 200] as $name => $rate) {
    $share = count($journal[$name]) / ($rate * $seconds);
    $figures[] = sprintf('%s: %.0f %% of what may be', $name, 100 * $share);
    echo $share > 0.4 ? '' : "$name: only $share of what may be was admitted\n";
}
$immortal = immortal_items($server);
echo $immortal === [] ? 'all numbers end' : implode(', ', $immortal), "\n";
report_figures("$attempts attempts by $processes processes in $seconds s; " . implode('; ', $figures));
?>
--EXPECT--
all numbers end
