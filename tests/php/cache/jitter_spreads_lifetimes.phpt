--TEST--
jitter: 0.1 spreads each key's TTL evenly by up to 10 % (C10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://jitter');
$spread = function (Cache $cache, callable $store) {
    $store($cache);
    $lives = [];
    for ($i = 0; $i < 1000; $i++) {
        $lives[] = $cache->entry("k$i")->expiresIn;
    }
    sort($lives);
    $low = count(array_filter($lives, fn ($life) => $life < 100));
    return sprintf("%.0f to %.0f, %s different, %s below the middle\n", $lives[0], end($lives),
        count(array_unique($lives)) > 900 ? 'most' : 'few', $low > 420 && $low < 580 ? 'half' : $low);
};
$set = function ($cache) {
    for ($i = 0; $i < 1000; $i++) {
        $cache->set("k$i", $i);
    }
};
$remember = fn (...$options) => function ($cache) use ($options) {
    for ($i = 0; $i < 1000; $i++) {
        $cache->delete("k$i");
        $cache->remember("k$i", 100, fn () => $i, ...$options);
    }
};
$jitter = new Cache($pool, ttl: 100, jitter: 0.1);
echo 'set: ', $spread($jitter, $set);
echo 'setMultiple: ', $spread($jitter, fn ($cache) => $cache->setMultiple(array_combine(array_map(fn ($i) => "k$i", range(0, 999)), range(0, 999))));
echo 'remember: ', $spread($jitter, $remember());
echo 'rememberMany: ', $spread($jitter, function ($cache) {
    $keys = array_map(fn ($i) => "k$i", range(0, 999));
    $cache->deleteMultiple($keys);
    $cache->rememberMany($keys, 100, fn ($missing) => array_fill_keys($missing, 1));
});
echo "remember's own: ", $spread(new Cache($pool, ttl: 100), $remember(jitter: 0.2));
echo 'none: ', $spread(new Cache($pool, ttl: 100), $set);
echo 'off: ', $spread($jitter, $remember(jitter: 0.0));

$jitter->set('forever', 1, 0);
var_dump($jitter->entry('forever')->expiresIn);
$wild = new Cache($pool, ttl: 1, jitter: 1.0);
for ($i = 0, $lost = 0; $i < 200; $i++) {
    $wild->set('k', 1, 0.002);
    $lost += $wild->peek('k') !== 1;
}
echo 'never stored for nothing, nor forever: ', $lost, ' ', var_export($wild->entry('k')->expiresIn <= 0.004, true), "\n";
?>
--EXPECT--
set: 90 to 110, most different, half below the middle
setMultiple: 90 to 110, most different, half below the middle
remember: 90 to 110, most different, half below the middle
rememberMany: 90 to 110, most different, half below the middle
remember's own: 80 to 120, most different, half below the middle
none: 100 to 100, few different, 0 below the middle
off: 100 to 100, few different, 0 below the middle
NULL
never stored for nothing, nor forever: 0 true
