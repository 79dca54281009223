--TEST--
MemberSet rejects each invalid argument by its parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{MemberSet, Pool};

$pool = new Pool('memory://m');
$set = new MemberSet($pool, 'ids');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new MemberSet($pool, null);
} catch (ValueError) {
}
restore_error_handler();
$long = str_repeat('x', 65537);
$attempts = [
    fn () => new MemberSet($pool, ''),
    fn () => new MemberSet($pool, 'a', -1),
    fn () => new MemberSet($pool, 'a', NAN),
    fn () => new MemberSet($pool, 'a', new DateInterval('PT0S')),
    fn () => new MemberSet($pool, 'a', 0, 0),
    fn () => new MemberSet($pool, 'a', 0, 257),
    fn () => $set->add('a', ''),
    fn () => $set->add('a', 'b', $long),
    fn () => $set->remove($long),
    fn () => $set->add('a', []),
    fn () => $set->has(''),
    fn () => $none->add('a'),
    fn () => $none->members(),
    fn () => $none->clear(),
    fn () => $set->__construct($pool, 'b'),
    fn () => clone $set,
    fn () => serialize($set),
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
$set->add();
$set->remove();
var_dump($set->members());
new MemberSet($pool, "any \n bytes", new DateInterval('PT1H'), 256);
?>
--EXPECT--
ValueError: MemberSet::__construct(): Argument #2 ($name) must not be empty
ValueError: MemberSet::__construct(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: MemberSet::__construct(): Argument #3 ($ttl) must be a finite number of seconds
ValueError: MemberSet::__construct(): Argument #3 ($ttl) must not be a DateInterval or Time\Duration of 0 seconds: a TTL of 0 never expires
ValueError: MemberSet::__construct(): Argument #4 ($shards) must be between 1 and 256
ValueError: MemberSet::__construct(): Argument #4 ($shards) must be between 1 and 256
ValueError: MemberSet::add(): Argument #2 must not be empty
ValueError: MemberSet::add(): Argument #3 must be at most 65536 bytes long, 65537 given
ValueError: MemberSet::remove(): Argument #1 must be at most 65536 bytes long, 65537 given
TypeError: MemberSet::add(): Argument #2 must be of type string, array given; spread the array with ...
ValueError: MemberSet::has(): Argument #1 ($member) must not be empty
Error: MemberSet object was never constructed
Error: MemberSet object was never constructed
Error: MemberSet object was never constructed
Error: Cannot call the constructor of a MemberSet twice
Error: Trying to clone an uncloneable object of class MemberSet
Exception: Serialization of 'MemberSet' is not allowed
array(0) {
}
