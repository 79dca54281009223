--TEST--
Cache::entry() and lookup() return status, value, age, expiry and compute time
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Entry, Pool, Status};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://entry'), ttl: 10, lease: 5);
$other = new Cache(new Pool('memory://entry'), ttl: 10, lease: 5);
$tell = fn (Entry $entry) => printf("%s %s %s %s %s\n", $entry->status->name, ...array_map(var_export(...), [$entry->value, $entry->age, $entry->expiresIn, $entry->computeTime], [true, true, true, true]));

$tell($cache->entry('absent'));
$cache->set('k', 'old');
$tell($cache->entry('k'));
Clock::advance(4.5);
$tell($cache->entry('k'));
$tell($cache->lookup('k'));
Clock::advance(6);
$tell($cache->entry('k'));
$tell($cache->lookup('k'));
$tell($cache->entry('k'));
$tell($other->lookup('k'));
$cache->publish('k', null);
$entry = $cache->entry('k');
var_dump($entry->status, $entry->value, $entry->computeTime > 0 && $entry->computeTime < 5);
Clock::advance(30);
$tell($cache->entry('k'));
$cache->set('k', [1], 0);
$tell($cache->entry('k'));
$cache->set('k', 5, 1, INF);
$cache->increment('k');
Clock::advance(100);
$tell($cache->entry('k'));

$slow = $cache->remember('slow', null, function () {
    usleep(30_000);
    return 1;
});
$time = $cache->entry('slow')->computeTime;
echo $time >= 0.03 && $time < 2 ? 'measured' : $time, "\n";
?>
--EXPECT--
Miss NULL NULL NULL NULL
Fresh 'old' 0.0 10.0 NULL
Fresh 'old' 4.5 5.5 NULL
Fresh 'old' 4.5 5.5 NULL
Stale 'old' 10.5 -0.5 NULL
Elected 'old' 10.5 -0.5 NULL
Busy 'old' 10.5 -0.5 NULL
Busy 'old' 10.5 -0.5 NULL
enum(McPatterns\Status::Fresh)
NULL
bool(true)
Miss NULL NULL NULL NULL
Fresh array (
  0 => 1,
) 0.0 NULL NULL
Stale 6 100.0 -99.0 NULL
measured
