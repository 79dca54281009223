--TEST--
SlidingWindow admits at most twice its limit with 200 ms clock skew (R1)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Pool, RateLimiter};

require __DIR__ . '/../../_support/rate_journal.inc';

[$processes, $seconds] = at_full_size() ? [16, 30] : [4, 3];
$server = start_memcached();
[$journal] = admissions($processes, $seconds, function (int $index) use ($server) {
    if ($index % 2 === 1) {
        Clock::advance(0.2);
    }
    $pool = new Pool($server->address, timeout: 10);
    return [
        'few' => new RateLimiter($pool, 'few', 20, 1, slots: 2),
        'many' => new RateLimiter($pool, 'many', 1000, 1, slots: 5),
    ];
});
$figures = [];
foreach (['few' => 20, 'many' => 1000] as $name => $limit) {
    $most = most_within($journal[$name], 1.0);
    $figures[] = sprintf('%s: %d of %d in a period, %d in a period less 0.2 s', $name, $most, $limit, most_within($journal[$name], 0.8));
    echo $most <= 2 * $limit ? '' : "$most of $limit were admitted\n";
}
report_figures(implode('; ', $figures));
echo count($journal['few']) > 10 ? 'at most twice' : 'too few', "\n";
?>
--EXPECT--
at most twice
