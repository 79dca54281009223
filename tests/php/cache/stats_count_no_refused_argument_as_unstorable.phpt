--TEST--
Cache::stats() counts as unstorable only computed results, not rejected arguments
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, NotSerializableException, Pool, TooLargeException};

$cache = new Cache(new Pool('memory://m'));
$closure = fn () => 1;
$large = random_bytes(2 << 20);
$cache->lookup('elected');
$attempts = [
    'set' => fn () => $cache->set('k', $closure),
    'set, too large' => fn () => $cache->set('k', $large),
    'publish' => fn () => $cache->publish('elected', $closure),
    'setMultiple' => fn () => $cache->setMultiple(['a' => $closure, 'b' => 2, 'c' => $closure]),
    'setMultiple, too large' => fn () => $cache->setMultiple(['a' => $large, 'b' => 2]),
    'remember' => fn () => $cache->remember('k', 60, fn () => $closure),
    'rememberMany' => fn () => $cache->rememberMany(['l', 'm'], 60, fn (array $keys) => array_fill_keys($keys, $closure)),
];
foreach ($attempts as $method => $attempt) {
    $before = $cache->stats()['unstorable'];
    try {
        $attempt();
        $thrown = 'nothing thrown';
    } catch (NotSerializableException | TooLargeException $exception) {
        $thrown = 'thrown';
    }
    echo "$method: $thrown, ", $cache->stats()['unstorable'] - $before, " counted\n";
}
?>
--EXPECT--
set: thrown, 0 counted
set, too large: thrown, 0 counted
publish: thrown, 0 counted
setMultiple: thrown, 0 counted
setMultiple, too large: thrown, 0 counted
remember: nothing thrown, 1 counted
rememberMany: nothing thrown, 2 counted
