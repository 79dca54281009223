--TEST--
Cache rejects Unix timestamps as TTL or grace, and accepts INF
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_800_000_000);
$pool = new Pool('memory://dates');
$cache = new Cache($pool);
$ways = [
    'new, ttl' => fn ($x) => new Cache($pool, ttl: $x), 'new, grace' => fn ($x) => new Cache($pool, grace: $x),
    'set' => fn ($x) => $cache->set('k', 1, $x), 'set, grace' => fn ($x) => $cache->set('k', 1, 60, $x),
    'add' => fn ($x) => $cache->add('k', 1, $x), 'add, grace' => fn ($x) => $cache->add('k', 1, 60, $x),
    'replace' => fn ($x) => $cache->replace('k', 1, $x), 'replace, grace' => fn ($x) => $cache->replace('k', 1, 60, $x),
    'setMultiple' => fn ($x) => $cache->setMultiple(['k' => 1], $x), 'setMultiple, grace' => fn ($x) => $cache->setMultiple(['k' => 1], 60, $x),
    'publish' => fn ($x) => $cache->publish('k', 1, $x), 'update' => fn ($x) => $cache->update('k', fn () => 1, $x),
    'touch' => fn ($x) => $cache->touch('k', $x), 'increment' => fn ($x) => $cache->increment('n', 1, 0, $x),
    'remember' => fn ($x) => $cache->remember('k', $x, fn () => 1), 'remember, grace' => fn ($x) => $cache->remember('k', 60, fn () => 1, $x),
    'remember, callable' => fn ($x) => $cache->remember('k', fn () => $x, fn () => 1),
    'rememberMany' => fn ($x) => $cache->rememberMany(['k'], $x, fn () => ['k' => 1]),
    'tagged' => fn ($x) => $cache->tagged('t')->set('k', 1, $x),
];
foreach ($ways as $way => $store) {
    $taken = [];
    foreach ([978307199, 978307200, time() + 60, 4102444800.0, '1800000000', 4102444801, INF, new DateInterval('PT1800000000S')] as $number => $x) {
        $cache->delete('k');
        $cache->delete('n');
        try {
            $store($x);
            $taken[] = $number;
        } catch (ValueError | TypeError $error) { // a callable returns no numeric string
            $error instanceof TypeError && is_string($x) || preg_match('/must (be|return) seconds from now, not a date, \d+ (given|returned)$/', $error->getMessage()) || print($error->getMessage() . "\n");
        }
    }
    echo $way, ': ', implode(' ', $taken), "\n";
}
$cache->set('k', 1, INF, 0);
Clock::advance(1e9);
echo json_encode([$cache->get('k'), $cache->entry('k')->expiresIn]), "\n";
$cache->set('k', 1, new DateInterval('PT1800000000S'));
echo json_encode([$cache->remember('r', fn () => INF, fn () => 2), $cache->entry('r')->expiresIn, $cache->entry('k')->expiresIn]), "\n";
try {
    $cache->remember('date', fn () => 1_800_000_060, fn () => 1);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
try {
    $cache->set('date', 1, 1_800_000_060);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
new, ttl: 0 5 6 7
new, grace: 0 5 6 7
set: 0 5 6 7
set, grace: 0 5 6 7
add: 0 5 6 7
add, grace: 0 5 6 7
replace: 0 5 6 7
replace, grace: 0 5 6 7
setMultiple: 0 5 6 7
setMultiple, grace: 0 5 6 7
publish: 0 5 6 7
update: 0 5 6 7
touch: 0 5 6 7
increment: 0 5 6 7
remember: 0 5 6 7
remember, grace: 0 5 6 7
remember, callable: 0 5 6 7
rememberMany: 0 5 6 7
tagged: 0 5 6 7
[1,null]
[2,null,1800000000]
McPatterns\Cache::remember(): Argument #2 ($ttl) must return seconds from now, not a date, 1800000060 returned
McPatterns\Cache::set(): Argument #3 ($ttl) must be seconds from now, not a date, 1800000060 given
