--TEST--
Each Cache method works with a signingKey as without
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

foreach (['memory://signed', start_memcached()->address] as $address) {
    $pool = new Pool($address, signingKey: 'secret');
    $cache = new Cache($pool, ttl: 10);
    $story = [];
    $cache->set('n', 5);
    $story[] = [$cache->increment('n'), $cache->increment('n', 3), $cache->get('n'), $cache->decrement('n', 2), $cache->get('n')];
    $cache->set('negative', -5);
    $story[] = [$cache->increment('negative'), $cache->get('negative'), $cache->increment('negative', 10), $cache->increment('negative'), $cache->get('negative')];
    $cache->set('huge', PHP_INT_MAX - 2);
    $story[] = [$cache->increment('huge') === PHP_INT_MAX - 1, $cache->get('huge') === PHP_INT_MAX - 1];
    $story[] = [$cache->update('n', fn ($old) => $old * 2), $cache->get('n'), $cache->increment('n'), $cache->update('n', fn ($old) => $old + 1), $cache->pull('n')];
    $story[] = [$cache->remember('r', 10, fn () => ['computed']), $cache->remember('r', 10, fn () => 'again')];
    $cache->expire('r');
    $story[] = [$cache->lookup('r')->status->name, $cache->peek('r'), $cache->publish('r', 'published'), $cache->get('r')];
    $cache->set('t', 'text');
    $story[] = [$cache->touch('t', 100), $cache->get('t'), $cache->replace('t', 'other'), $cache->add('t', 'x'), $cache->get('t')];
    $cache->setMultiple(['a' => [1], 'b' => 2, 'c' => str_repeat('c', 5000)]);
    $story[] = array_map(fn ($value) => is_string($value) ? strlen($value) : $value, $cache->getMultiple(['a', 'b', 'c', 'none']));
    $long = str_repeat('long key ', 40);
    $story[] = [$cache->set($long, 'mapped'), $cache->get($long)];
    $story[] = $cache->rememberMany(['a', 'd'], 10, fn (array $missing) => array_fill_keys($missing, 'many'));
    $story[] = [$cache->delete('t'), $cache->get('t'), $cache->stats()['forged'], $cache->stats()['unreadable']];
    echo json_encode($story), "\n";
}
?>
--EXPECT--
[[6,9,9,7,7],[-4,-4,6,7,7],[true,true],[14,14,15,16,16],[["computed"],["computed"]],["Elected",["computed"],true,"published"],[true,"text",true,false,"other"],{"a":[1],"b":2,"c":5000,"none":null},[true,"mapped"],{"a":[1],"d":"many"},[true,null,0,0]]
[[6,9,9,7,7],[-4,-4,6,7,7],[true,true],[14,14,15,16,16],[["computed"],["computed"]],["Elected",["computed"],true,"published"],[true,"text",true,false,"other"],{"a":[1],"b":2,"c":5000,"none":null},[true,"mapped"],{"a":[1],"d":"many"},[true,null,0,0]]
