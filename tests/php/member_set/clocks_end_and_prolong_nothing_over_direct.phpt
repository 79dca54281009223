--TEST--
Over Direct, no host's clock changes a set's expiry
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, MemberSet, Pool, Transport};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$set = new MemberSet(new Pool($server->address, transport: Transport::Direct), 'ids', ttl: 300);

/** memcached's clock goes on as it did. */
function be_ahead(float $seconds): void
{
    Clock::freeze(microtime(true) + $seconds);
}

$ask = function (string $flag) use ($server): int {
    return preg_match("/^HD $flag(-?\d+)/", $server->raw("mg set:ids:0 $flag"), $found) ? (int) $found[1] : 0;
};

/** What is left is less than when it was made so, and that by seconds of a busy machine alone. */
$show = function (string $what, int $made) use ($ask, $set) {
    $left = $ask('t');
    printf("%s: %s, %s, %s\n", $what, implode(' ', $set->members()), $ask('s') < 1000 ? 'compacted' : 'long',
        $left <= $made && $left > $made - 60 ? 'as long as it was to' : "$left s instead of $made");
};

foreach ([0, 250, 1000] as $makers) {
    foreach ([0, 250, 1000] as $readers) {
        $set->clear();
        be_ahead($makers);
        $set->add('anna');
        for ($i = 0; $i < 300; $i++) {
            $set->add("member $i");
            $set->remove("member $i");
        }
        $server->raw('touch set:ids:0 100');
        be_ahead($readers);
        $set->count();
        $show("made $makers s ahead, read $readers s ahead", 100);
    }
}
foreach ([250, 1000] as $writers) {
    Clock::unfreeze();
    $set->clear();
    $set->add('anna');
    be_ahead($writers);
    // Nothing reads, so that nothing but being full makes room.
    for ($i = 0; $i < 10; $i++) {
        $set->add($large = str_pad((string) $i, 60000, 'x'));
        $set->remove($large);
    }
    $show("full, written $writers s ahead", 301);
}
?>
--EXPECT--
made 0 s ahead, read 0 s ahead: anna, compacted, as long as it was to
made 0 s ahead, read 250 s ahead: anna, compacted, as long as it was to
made 0 s ahead, read 1000 s ahead: anna, compacted, as long as it was to
made 250 s ahead, read 0 s ahead: anna, compacted, as long as it was to
made 250 s ahead, read 250 s ahead: anna, compacted, as long as it was to
made 250 s ahead, read 1000 s ahead: anna, compacted, as long as it was to
made 1000 s ahead, read 0 s ahead: anna, compacted, as long as it was to
made 1000 s ahead, read 250 s ahead: anna, compacted, as long as it was to
made 1000 s ahead, read 1000 s ahead: anna, compacted, as long as it was to
full, written 250 s ahead: anna, compacted, as long as it was to
full, written 1000 s ahead: anna, compacted, as long as it was to
