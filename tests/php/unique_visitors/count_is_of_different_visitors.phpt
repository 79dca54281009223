--TEST--
UniqueVisitors counts each visitor once across slots, names and servers (H1, H2, H5)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, UniqueVisitors};

require __DIR__ . '/../../_support/memcached.inc';

Clock::freeze(1_800_000_000.0);
$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'));
$news = new UniqueVisitors($pool, 'news', 3600, 4);
$sport = new UniqueVisitors($pool, 'sport', 3600, 4);
$far = new UniqueVisitors(new Pool('memory://far'), 'far', 7200, 1);

function hits(UniqueVisitors $unique, int $from, int $to): void
{
    $visitors = [...range($from, $to), ...range($from, $to)];
    shuffle($visitors);
    array_map(fn ($number) => $unique->hit("visitor $number"), $visitors);
}

/** Within three standard errors. */
function is_about(int $expected, int $counted): string
{
    return abs($counted - $expected) <= max(1, 3 * 0.0163 * $expected) ? "about $expected" : "$counted, not $expected";
}

hits($news, 1, 1000);
hits($sport, 501, 1500);
hits($far, 1, 100);
echo 'news: ', is_about(1000, $news->count()), ', sport: ', is_about(1000, $sport->count()), "\n";
echo 'both: ', is_about(1500, $news->count($sport)), ', in either order: ', $news->count($sport) - $sport->count($news), "\n";
echo 'with itself: ', $news->count($news, $news) - $news->count(), ', with another server: ', is_about(1500, $news->count($sport, $far)), "\n";
$before = $news->count();
hits($news, 1, 1000);
echo 'again: ', $news->count() - $before, "\n";

// Those who come and go are in the number of the window as often as once.
foreach ([1, 2, 3] as $slot) {
    Clock::advance(900);
    hits($news, 1, 100 * $slot);
}
echo 'a window: ', is_about(1000, $news->count()), "\n";
$slots = $news->perSlot();
echo 'per slot: ', json_encode(array_keys($slots)), ' ';
echo implode(', ', array_map(is_about(...), [300, 200, 100, 1000], array_values($slots))), "\n";
Clock::advance(900);
echo 'the first slot has left: ', is_about(300, $news->count()), "\n";
Clock::advance(3600);
echo 'all: ', $news->count(), "\n";

// By keys that sign, nobody outside knows what a visitor's hash is; the last one stays while others are put in front.
$keyed = fn (array|string $keys) => new UniqueVisitors(new Pool($servers[0]->address, signingKey: $keys), 'keyed');
$keyed('old')->hit('anna');
$keyed(['new', 'old'])->hit('anna');
$keyed('other')->hit('bert');
echo 'keyed: ', $keyed('old')->count(), "\n";
?>
--EXPECT--
news: about 1000, sport: about 1000
both: about 1500, in either order: 0
with itself: 0, with another server: about 1500
again: 0
a window: about 1000
per slot: [1800002700,1800001800,1800000900,1800000000] about 300, about 200, about 100, about 1000
the first slot has left: about 300
all: 0
keyed: 2
