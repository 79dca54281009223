--TEST--
An evicted running number falls back to the number in the value (I9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
$cache->set('n', 100);
$cache->increment('n', 11);
$server->raw('delete n_increment');
echo 'the side key evicted: ', json_encode([$cache->get('n'), $cache->increment('n'), $cache->increment('n'), $cache->get('n')]), "\n";
$server->raw('delete n');
echo 'the value evicted: ', json_encode([$cache->get('n'), $cache->increment('n'), $cache->get('n')]), "\n";
echo 'set again: ', json_encode([$cache->set('n', 5), $cache->get('n'), $cache->increment('n')]), "\n";
$server->raw('delete n_increment');
$server->raw('delete n');
echo 'both: ', json_encode([$cache->increment('n'), $cache->add('n', 1), $cache->increment('n')]), "\n";

// Evict one of them at random, thousands of times: a number may fall back to what its value says, no
// lower, and between two evictions it only grows by one.
mt_srand(12345);
$cache->set('n', 1000);
$last = 1000;
$wrong = 0;
for ($i = 0; $i < 3000; $i++) {
    $evicted = mt_rand(0, 9) === 0 ? ['n', 'n_increment'][mt_rand(0, 1)] : null;
    if ($evicted !== null) {
        $server->raw("delete $evicted");
    }
    $number = $cache->increment('n');
    if ($evicted === 'n') {
        $wrong += $number !== false || $cache->increment('n') !== false;
        $cache->set('n', $last = mt_rand(0, 5000));
        $base = $last;
        continue;
    }
    $wrong += $number !== ($evicted === null ? $last + 1 : ($base ?? 1000) + 1);
    $wrong += $cache->get('n') !== $number;
    $last = $number;
}
echo "wrong: $wrong\n";
?>
--EXPECT--
the side key evicted: [100,101,102,102]
the value evicted: [null,false,null]
set again: [true,5,6]
both: [false,true,2]
wrong: 0
