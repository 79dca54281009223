--TEST--
Values are fresh for their TTL, then stale, then gone, to milliseconds (C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

$cache = new Cache(new Pool('memory://time'), ttl: 60, lease: 1);

/** The moments, in seconds after storing, at which a peek and entry() see a change. */
function live(callable $store, array $steps): string
{
    global $cache;
    Clock::freeze(1_700_000_000.25);
    $cache->delete('k');
    $store($cache);
    $seen = [];
    $at = 0;
    foreach ($steps as $step) {
        Clock::advance($step - $at);
        $at = $step;
        $entry = $cache->entry('k');
        assert(($entry->value === 'v') === $cache->has('k') && $cache->has('k') === ($cache->peek('k') === 'v'));
        $seen[] = "$at " . $entry->status->name;
    }
    return implode(', ', $seen) . "\n";
}

echo 'default grace: ', live(fn ($cache) => $cache->set('k', 'v', 10), [9.999, 10, 19.999, 20]);
echo "the object's TTL: ", live(fn ($cache) => $cache->set('k', 'v'), [59.999, 60, 119.999, 120]);
echo 'grace 5: ', live(fn ($cache) => $cache->set('k', 'v', 10, 5), [9.999, 10, 14.999, 15]);
echo 'grace 0: ', live(fn ($cache) => $cache->set('k', 'v', 10, 0), [9.999, 10]);
echo 'sub-second: ', live(fn ($cache) => $cache->set('k', 'v', 0.25, 0.5), [0.249, 0.25, 0.749, 0.75]);
echo 'a millisecond: ', live(fn ($cache) => $cache->set('k', 'v', 0.001, 0), [0, 0.001]);
echo 'grace INF: ', live(fn ($cache) => $cache->set('k', 'v', 10, INF), [9.999, 10, 40 * 86400, 4000 * 86400]);
echo 'TTL 0: ', live(fn ($cache) => $cache->set('k', 'v', 0), [40 * 86400, 4000 * 86400]);
echo 'TTL 0, grace 0: ', live(fn ($cache) => $cache->set('k', 'v', 0, 0), [0, 40 * 86400]);
echo '20 days: ', live(fn ($cache) => $cache->set('k', 'v', 20 * 86400), [20 * 86400 - 0.001, 20 * 86400, 40 * 86400 - 0.001, 40 * 86400]);
echo 'a year: ', live(fn ($cache) => $cache->set('k', 'v', 365 * 86400, 1), [365 * 86400 - 0.001, 365 * 86400, 365 * 86400 + 1]);
echo '300 years: ', live(fn ($cache) => $cache->set('k', 'v', 1e10), [365 * 86400]);
echo 'remember: ', live(fn ($cache) => $cache->remember('k', 10, fn () => 'v', grace: 5), [9.999, 10, 14.999, 15]);
?>
--EXPECT--
default grace: 9.999 Fresh, 10 Stale, 19.999 Stale, 20 Miss
the object's TTL: 59.999 Fresh, 60 Stale, 119.999 Stale, 120 Miss
grace 5: 9.999 Fresh, 10 Stale, 14.999 Stale, 15 Miss
grace 0: 9.999 Fresh, 10 Miss
sub-second: 0.249 Fresh, 0.25 Stale, 0.749 Stale, 0.75 Miss
a millisecond: 0 Fresh, 0.001 Miss
grace INF: 9.999 Fresh, 10 Stale, 3456000 Stale, 345600000 Stale
TTL 0: 3456000 Fresh, 345600000 Fresh
TTL 0, grace 0: 0 Fresh, 3456000 Fresh
20 days: 1727999.999 Fresh, 1728000 Stale, 3455999.999 Stale, 3456000 Miss
a year: 31535999.999 Fresh, 31536000 Stale, 31536001 Miss
300 years: 31536000 Fresh
remember: 9.999 Fresh, 10 Stale, 14.999 Stale, 15 Miss
