--TEST--
remember() of a cold key elects 1 caller by an invisible placeholder (C4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address), ttl: 100, lease: 10);
$other = new Cache(new Pool($server->address), ttl: 100, lease: 10);

var_dump($cache->get('k', 'default'), $cache->getMultiple(['k']), $cache->lookup('k')->status->name);
echo 'items: ', $server->stats()['curr_items'], "\n";

$answer = $cache->remember('k', 50, function () use ($other, $server) {
    $envelope = get_envelope($server, 'k');
    echo 'value: ', (int) $envelope['has_value'], ', payload: ', strlen($envelope['payload']), ', claim: ', (int) isset($envelope['claim']), "\n";
    $left = get_seconds_left($server, 'k');
    echo 'lives as a value would: ', var_export($left >= 110 && $left < 150, true), "\n";
    var_dump($other->get('k'), $other->peek('k'), $other->has('k'), $other->entry('k')->status->name, $other->lookup('k')->status->name);
    var_dump($other->increment('k'), $other->pull('k'), $other->replace('k', 1), $other->touch('k'));
    echo 'elected: ', $other->stats()['elected'], "\n";
    return 'computed';
});
var_dump($answer, $other->get('k'), $other->remember('k', 50, fn () => 'again'));

echo "expire() finds no value, and yet what is computed then is not stored\n";
var_dump($cache->remember('e', 50, function () use ($other) {
    var_dump($other->expire('e'));
    return 'computed';
}), $other->has('e'));

echo "add() in its place wins\n";
var_dump($cache->remember('a', 50, function () use ($other) {
    var_dump($other->add('a', 'added'), $other->add('a', 'twice'));
    return 'computed';
}), $other->get('a'));
?>
--EXPECT--
string(7) "default"
array(1) {
  ["k"]=>
  NULL
}
string(4) "Miss"
items: 0
value: 0, payload: 0, claim: 1
lives as a value would: true
NULL
NULL
bool(false)
string(4) "Busy"
string(4) "Busy"
bool(false)
NULL
bool(false)
bool(false)
elected: 0
string(8) "computed"
string(8) "computed"
string(8) "computed"
expire() finds no value, and yet what is computed then is not stored
bool(false)
string(8) "computed"
bool(false)
add() in its place wins
bool(true)
bool(false)
string(8) "computed"
string(5) "added"
