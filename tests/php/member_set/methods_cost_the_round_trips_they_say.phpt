--TEST--
Each method of MemberSet costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{MemberSet, Pool};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips([start_memcached(), start_memcached()], function (array $addresses, callable $mark) {
    $pool = new Pool($addresses);
    $pool->ping();
    $set = new MemberSet($pool, 'ids');
    $mark('-');
    $set->add('anna'); $mark('add, first of a set');
    $set->add('bert', 'carl'); $mark('add');
    $set->remove('bert'); $mark('remove');
    $set->has('anna'); $mark('has');
    $set->members(); $mark('members');
    $set->count(); $mark('count');
    for ($i = 0; $i < 300; $i++) {
        $set->add("member $i");
        $set->remove("member $i");
    }
    $mark('-');
    $set->count(); $mark('count that compacts');
    $set->count(); $mark('count after that');
    $set->clear(); $mark('clear');
    $set->remove('anna'); $mark('remove from nothing');
    $wide = new MemberSet($pool, 'wide', shards: 8);
    $wide->add(...array_map('strval', range(1, 100)));
    $mark('-');
    $wide->add(...array_map('strval', range(1, 100))); $mark('add to 8 shards');
    $wide->clear(); $mark('clear of 8 shards');
    // So many that no choice of ports leaves a server without one.
    (new MemberSet($pool, 'wider', shards: 64))->members(); $mark('members of 64 shards on 2 servers');
});
unset($counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
add, first of a set: 2
add: 1
remove: 1
has: 1
members: 1
count: 1
count that compacts: 2
count after that: 1
clear: 1
remove from nothing: 2
add to 8 shards: 8
clear of 8 shards: 8
members of 64 shards on 2 servers: 2
