--TEST--
A guarded set() gives a value the object's grace, and replace() keeps the stored one (C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$writes = [
    'set' => fn(Cache $cache) => $cache->set('key', 'new'),
    'setMultiple' => fn(Cache $cache) => $cache->setMultiple(['key' => 'new', 'other' => 'new']),
    'add' => fn(Cache $cache) => $cache->add('key', 'new'),
    'replace' => fn(Cache $cache) => $cache->replace('key', 'new'),
];
foreach ([[3600, 0], [5, 3600], [0, 60]] as [$old, $new]) {
    foreach ($writes as $name => $write) {
        foreach ([false, true] as $guarded) {
            $pool = new Pool('memory://a');
            (new Cache($pool, ttl: 20, grace: $old))->setMultiple(['key' => 'old', 'other' => 'old']);
            Pool::endRequest();
            $cache = new Cache($pool, ttl: 20, grace: $new, guarded: $guarded);
            Clock::advance($name === 'add' ? 21 : 0);
            $cache->peek('key');
            $cache->peek('other');
            $write($cache) || print 'not stored ';
            Clock::advance(30);
            Pool::endRequest();
            $statuses[(int) $guarded] = $cache->entry('key')->status->name;
        }
        echo "$old to $new, $name: $statuses[0], guarded $statuses[1]\n";
    }
}
?>
--EXPECT--
3600 to 0, set: Miss, guarded Miss
3600 to 0, setMultiple: Miss, guarded Miss
3600 to 0, add: Miss, guarded Miss
3600 to 0, replace: Stale, guarded Stale
5 to 3600, set: Stale, guarded Stale
5 to 3600, setMultiple: Stale, guarded Stale
5 to 3600, add: Stale, guarded Stale
5 to 3600, replace: Miss, guarded Miss
0 to 60, set: Stale, guarded Stale
0 to 60, setMultiple: Stale, guarded Stale
0 to 60, add: Stale, guarded Stale
0 to 60, replace: Miss, guarded Miss
