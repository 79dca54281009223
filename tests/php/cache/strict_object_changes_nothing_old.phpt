--TEST--
Methods that change values treat stale values as missing with stale: false (C5, C16)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

Clock::freeze(time());
$server = start_memcached();
$pool = new Pool($server->address);
$strict = new Cache($pool, ttl: 100, lease: 5, wait: 0.2, stale: false);
$other = new Cache($pool, ttl: 100, lease: 5);

$other->setMultiple(['cart' => ['old'], 'n' => 5, 'm' => 5]);
$other->increment('n');
$other->increment('m');
Clock::advance(100);
echo 'update: ', json_encode($strict->update('cart', fn ($old) => [$old, 'new'])), ' of a number: ', json_encode($strict->update('n', fn ($old) => [$old])), "\n";
echo 'stored: ', json_encode([$strict->get('cart'), $other->get('n'), $other->entry('cart')->status->name]), "\n";
echo 'left alone: ', json_encode([$strict->increment('m'), $strict->decrement('m'), $strict->touch('m'), $strict->replace('m', 1), $other->peek('m')]), "\n";
echo 'increment from: ', json_encode([$strict->increment('m', 3, initial: 100), $other->increment('m'), $strict->peek('m')]), "\n";
$strict->expire('m');
echo 'add: ', json_encode([$strict->add('m', 1), $strict->get('m'), $strict->add('m', 2)]), "\n";

echo "a change by another, in between, is not lost\n";
Clock::advance(100);
$rounds = 0;
echo json_encode($strict->update('m', function ($old) use ($other, &$rounds) {
    if ($rounds++ === 0) {
        $other->set('m', 70);
    }
    return [$old, $rounds];
})), "\n";

Clock::advance(100);
assert($other->lookup('m')->status->name === 'Elected');
echo 'rememberMany waits, then takes the old one: ', json_encode($strict->rememberMany(['m'], 100, fn () => ['m' => 'computed'])), ' waited ', $strict->stats()['waited'] > 0 ? 'yes' : 'no', "\n";
?>
--EXPECT--
update: [null,"new"] of a number: [null]
stored: [[null,"new"],[null],"Fresh"]
left alone: [false,false,false,false,6]
increment from: [103,104,104]
add: [true,1,false]
a change by another, in between, is not lost
[70,2]
rememberMany waits, then takes the old one: {"m":[70,2]} waited yes
