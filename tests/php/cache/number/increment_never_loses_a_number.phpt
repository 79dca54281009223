--TEST--
Cache::increment() counts immediately for each TTL, despite elections and touch() (I1, I2, I4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://increment'), ttl: 100, lease: 5);
$other = new Cache(new Pool('memory://increment'), ttl: 100, lease: 5);
foreach ([3600, 0, 20 * 86400, 0.5] as $ttl) {
    $cache->set('n', 5, $ttl);
    $wrong = 0;
    for ($i = 1; $i <= 50; $i++) {
        $wrong += ($i % 2 ? $cache : $other)->increment('n') !== 5 + $i;
        $wrong += $cache->get('n') !== 5 + $i || $other->peek('n') !== 5 + $i || $cache->getMultiple(['x', 'n'])['n'] !== 5 + $i;
        $wrong += $cache->entry('n')->value !== 5 + $i || $cache->remember('n', 1, fn () => 0) !== 5 + $i;
    }
    echo "TTL $ttl: $wrong wrong\n";
}
echo 'by: ', json_encode([$cache->set('n', 5), $cache->increment('n', 10), $cache->decrement('n', 3), $cache->decrement('n'), $cache->increment('n', -1), $cache->increment('n', 0), $cache->get('n')]), "\n";
echo 'stops at 0: ', json_encode([$cache->decrement('n', 100), $cache->get('n'), $cache->increment('n', 9), $cache->decrement('n', 1), $cache->get('n')]), "\n";
echo 'a shorter number: ', json_encode([$cache->set('n', 1000), $cache->increment('n'), $cache->decrement('n', 999), $cache->get('n'), $cache->getMultiple(['n']), $cache->increment('n')]), "\n";
echo 'negative: ', json_encode([$cache->set('n', -5), $cache->increment('n'), $cache->decrement('n', 10), $cache->increment('n', 20), $cache->increment('n'), $cache->get('n')]), "\n";

echo "past its TTL, while it is there, increments go on\n";
$cache->set('n', 1);
$cache->increment('n');
Clock::advance(100);
echo json_encode([$cache->increment('n'), $other->lookup('n')->value, $cache->get('n'), $cache->increment('n'), $cache->get('n')]), "\n";
echo 'the elected one gives back: ', json_encode([$other->abandon('n'), $cache->increment('n'), $cache->touch('n'), $cache->increment('n'), $cache->get('n')]), "\n";
Clock::advance(100);
echo 'remember fails: ';
try {
    $cache->remember('n', null, fn () => throw new Exception((string) $cache->increment('n')));
} catch (Exception $exception) {
    echo $exception->getMessage(), ' ', $cache->peek('n'), "\n";
}
Clock::advance(100);
var_dump($cache->increment('n'));
?>
--EXPECT--
TTL 3600: 0 wrong
TTL 0: 0 wrong
TTL 1728000: 0 wrong
TTL 0.5: 0 wrong
by: [true,15,12,11,10,10,10]
stops at 0: [0,0,9,8,8]
a shorter number: [true,1001,2,2,{"n":2},3]
negative: [true,-4,-14,6,7,7]
past its TTL, while it is there, increments go on
[3,3,3,4,4]
the elected one gives back: [true,5,true,6,6]
remember fails: 7 7
bool(false)
