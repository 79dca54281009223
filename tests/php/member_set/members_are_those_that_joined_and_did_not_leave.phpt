--TEST--
members() returns joined members in order, across shards and compactions
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, MemberSet, Pool};

require __DIR__ . '/../../_support/memcached.inc';

foreach (['memory://m', start_memcached()->address] as $server) {
    $pool = new Pool($server);
    $set = new MemberSet($pool, 'ids');
    $set->add('anna', 'bert');
    $set->add("any \0\r\n bytes", '0', 'anna');
    $set->remove('bert', 'who was never there');
    $set->add('bert');
    echo json_encode($set->members()), ' ', $set->count(), ' ', json_encode([$set->has('bert'), $set->has('carl'), $set->has('0')]), "\n";
    // Far more of no use than of use, again and again.
    mt_srand(17);
    $oracle = array_flip($set->members());
    for ($i = 0; $i < 4000; $i++) {
        $member = 'id' . mt_rand(0, 40);
        if (mt_rand(0, 1)) {
            $set->add($member);
            $oracle += [$member => true];
        } else {
            $set->remove($member);
            unset($oracle[$member]);
        }
        if ($i % 100 === 0 && ($set->count() !== count($oracle) || $set->has($member) !== isset($oracle[$member]))) {
            echo "after $i: ", $set->count(), ' of ', count($oracle), "\n";
        }
    }
    echo $set->members() === array_map('strval', array_keys($oracle)) ? 'the same' : 'others', "\n";
    $set->clear();
    echo json_encode([$set->members(), $set->has('anna')]), "\n";

    $wide = new MemberSet($pool, 'wide', shards: 7);
    $wide->add(...$names = array_map(fn ($i) => "member $i", range(1, 500)));
    $wide->remove(...array_slice($names, 100));
    $members = $wide->members();
    sort($members);
    $rest = array_slice($names, 0, 100);
    sort($rest);
    echo $members === $rest ? 'the same' : 'others', ' ', $wide->count(), ' ', json_encode($wide->has('member 100')), json_encode($wide->has('member 101')), "\n";
    $wide->clear();
    echo $wide->count(), "\n";
}
Clock::freeze(1800000000.0);
$short = new MemberSet(new Pool('memory://m'), 'short', 10);
for ($i = 0; $i < 900; $i++) {
    $short->add("member $i");
    $short->remove('member ' . $i - 1);
    $short->count();
    Clock::advance(0.01);
}
echo $short->count(), ' ';
Clock::advance(3);
echo $short->count(), "\n";
?>
--EXPECT--
["anna","any \u0000\r\n bytes","0","bert"] 4 [true,false,true]
the same
[[],false]
the same 100 truefalse
0
["anna","any \u0000\r\n bytes","0","bert"] 4 [true,false,true]
the same
[[],false]
the same 100 truefalse
0
1 0
