--TEST--
Objects equal only themselves, except Entry objects with equal properties
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Counter, EventLog, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Semaphore, SessionHandler, Table, UniqueVisitors};

$pool = new Pool('memory://equal');
$cache = new Cache($pool);
foreach ([
    fn () => new Pool('memory://equal'),
    fn () => new Cache($pool),
    fn () => $cache->tagged('a'),
    fn () => new Audit($cache),
    fn () => new Lock($pool, 'a'),
    fn () => new Semaphore($pool, 'a', 1),
    fn () => new Counter($pool, 'a'),
    fn () => new OnlineCounter($pool, 'a'),
    fn () => new UniqueVisitors($pool, 'a'),
    fn () => new RateLimiter($pool, 'a', 1, 60),
    fn () => new EventLog($pool, 'a'),
    fn () => new MemberSet($pool, 'a'),
    fn () => new Table($pool, 'a'),
    fn () => new SessionHandler($pool),
] as $make) {
    $one = $make();
    $other = $make();
    printf("%s: %d%d%d%d, %d%d%d\n", $one::class,
        $one == $other, in_array($one, [$other]), $one < $other, count(array_unique([$one, $other], SORT_REGULAR)),
        $one == $one, $one == true, $one == null);
}
$cache->set('key', 1, ttl: 0);
[$one, $same] = [$cache->entry('other'), $cache->entry('another')];
var_dump($one == $same, $one == $cache->entry('key'));
?>
--EXPECT--
McPatterns\Pool: 0002, 110
McPatterns\Cache: 0002, 110
McPatterns\Cache: 0002, 110
McPatterns\Audit: 0002, 110
McPatterns\Lock: 0002, 110
McPatterns\Semaphore: 0002, 110
McPatterns\Counter: 0002, 110
McPatterns\OnlineCounter: 0002, 110
McPatterns\UniqueVisitors: 0002, 110
McPatterns\RateLimiter: 0002, 110
McPatterns\EventLog: 0002, 110
McPatterns\MemberSet: 0002, 110
McPatterns\Table: 0002, 110
McPatterns\SessionHandler: 0002, 110
bool(true)
bool(false)
