--TEST--
Concurrent hits of UniqueVisitors count as one process's hits would (H1, H3, H4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Pool, UniqueVisitors};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

[$processes, $visitors, $pages] = at_full_size() ? [16, 100_000, 400_000] : [4, 3_000, 6_000];
$server = start_memcached();
Clock::freeze(1_800_000_000.0);
$sent = fn () => (int) $server->stats()['cmd_set'] + (int) $server->stats()['get_hits'];

$name = fn (int $number) => 'visitor ' . $number;
run_workers($processes, function (int $index) use ($server, $visitors, $processes, $name) {
    $unique = new UniqueVisitors(new Pool($server->address, timeout: 10), 'page');
    mt_srand($index);
    // Each sees two shares of all, so everybody is seen twice, by two processes.
    $mine = array_filter(range(1, $visitors), fn ($number) => in_array($number % $processes, [$index, ($index + 1) % $processes], true));
    shuffle($mine);
    foreach ($mine as $number) {
        $unique->hit($name($number));
    }
}, 120);
$alone = new UniqueVisitors(new Pool('memory://alone'), 'page');
for ($number = 1; $number <= $visitors; $number++) {
    $alone->hit($name($number));
}
$together = new UniqueVisitors(new Pool($server->address), 'page');
echo $together->count() === $alone->count() ? 'as by one process' : "{$together->count()}, and {$alone->count()} by one process", "\n";
$error = $together->count() / $visitors - 1;
echo abs($error) < 4 * 0.0163 ? 'about right' : "off by $error", "\n";

// A process that sees visitors again: those who would change nothing are not sent.
$before = $sent();
mt_srand(1);
for ($page = 0; $page < $pages; $page++) {
    $together->hit($name(mt_rand(1, $visitors)));
}
$asked = ($sent() - $before) / $pages;
echo $asked < 0.6 ? 'most hits cost nothing' : "$asked of all hits were sent", "\n";

$bytes = strlen($server->raw('get unique:page:' . intdiv(1_800_000_000, 3600)));
$together->count();
$folded = strlen($server->raw('get unique:page:' . intdiv(1_800_000_000, 3600)));
echo $folded < 3072 + 4 + 4096 + 60 ? 'bounded' : $folded, "\n";
report_figures(sprintf('%d processes, %d visitors: %d counted (%.2f %% off, theory %.2f %%); of %d hits by one process %.1f %% were sent; %d bytes of the slot as found, %d folded',
    $processes, $visitors, $together->count(), 100 * $error, 100 * 1.04 / 64, $pages, 100 * $asked, $bytes, $folded));
?>
--EXPECT--
as by one process
about right
most hits cost nothing
bounded
