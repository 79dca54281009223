--TEST--
A full set is compacted, and throws StoredValueException if nothing is removable
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{MemberSet, Pool, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $what, callable $call): void
{
    try {
        $answer = json_encode($call());
        echo "$what: $answer\n";
    } catch (StoredValueException $exception) {
        echo "$what: ", preg_replace('/unix:\S+sock|127\.\d+\.\d+\.\d+:\d+/', 'server', $exception->getMessage()), "\n";
    }
}

$server = start_memcached();
foreach (['memory://m', $server->address] as $address) {
    $set = new MemberSet(new Pool($address, prefix: 'p'), 'ids');
    $member = fn (int $i) => str_pad((string) $i, 60000, 'x');
    // Nothing reads, so that nothing but being full makes room.
    for ($i = 0; $i < 40; $i++) {
        $set->add($member($i));
        $set->remove($member($i - 3));
    }
    echo $set->count(), json_encode([$set->has($member(36)), $set->has($member(37))]), "\n";
    for ($i = 100; $set->count() < 17; $i++) {
        $set->add($member($i));
    }
    attempt('one more', fn () => $set->add($member(200)));
    attempt('remove', fn () => [$set->remove($member(38)), $set->has($member(38)), $set->count()]);
    attempt('in its place', fn () => [$set->add($member(200)), $set->has($member(200)), $set->count()]);
    $set->clear();
}
$set = new MemberSet(new Pool($server->address), 'foreign');
$server->raw("set set:foreign:0 0 0 5\r\nhello");
foreach (['members', 'count'] as $method) {
    attempt($method, fn () => $set->$method());
}
attempt('has', fn () => $set->has('anna'));
$server->raw("set set:foreign:0 0 0 22\r\n\xE3\x01\xFF\xFF\xFF\xFF\xFF\xFF12345678+\x7Fabcd");
attempt('cut off', fn () => $set->members());
?>
--EXPECT--
3[false,true]
one more: The member set "ids" has no space for the change: a shard is full (use more shards), or the server is out of memory
remove: [null,false,16]
in its place: [null,true,17]
3[false,true]
one more: The member set "ids" has no space for the change: a shard is full (use more shards), or the server is out of memory
remove: [null,false,16]
in its place: [null,true,17]
members: Cannot read the member set "foreign" on server: the stored item has a different type
count: Cannot read the member set "foreign" on server: the stored item has a different type
has: Cannot read the member set "foreign" on server: the stored item has a different type
cut off: Cannot read the member set "foreign" on server: the stored item has a different type
