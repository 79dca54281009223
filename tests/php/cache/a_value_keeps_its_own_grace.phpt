--TEST--
touch(), update(), replace() and expire() keep the value's own grace (C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://grace'), ttl: 10);
$writes = [
    'touch' => fn () => $cache->touch('k', 20),
    'update' => fn () => $cache->update('k', fn ($old) => $old, 20) === 'value',
    'replace' => fn () => $cache->replace('k', 'value', 20),
    'replace, grace 5' => fn () => $cache->replace('k', 'value', 20, 5),
];
foreach (['strict' => 0, 'for a while' => 3, 'for ever' => INF] as $name => $grace) {
    foreach ($writes as $write => $do) {
        $cache->set('k', 'value', 10, $grace);
        $is_done = $do();
        $served = [];
        foreach ([20, 2.9, 0.1, 1.9, 0.1, 1e6] as $step) {
            Clock::advance($step);
            $served[] = $cache->has('k') ? 'x' : '.';
        }
        printf("%-11s %-16s %s %s\n", $name, $write, $is_done ? 'ok' : 'no', implode($served));
    }
}
echo "expire\n";
foreach (['strict' => 0, 'for a while' => 3, 'as the TTL' => null, 'for ever' => INF] as $name => $grace) {
    foreach ([0, 10] as $ttl) {
        $cache->set('k', 'value', $ttl, $grace);
        var_dump($cache->expire('k'));
        $left = 0;
        for ($served = 0; $served < 100 && $cache->has('k'); $served++) {
            Clock::advance(1);
        }
        echo "$name, TTL $ttl: served for $served s\n";
    }
}
echo "a new value\n";
$cache->delete('k');
$cache->update('k', fn () => 'first', 4);
Clock::advance(7.9);
var_dump($cache->has('k'));
Clock::advance(0.1);
var_dump($cache->has('k'));
?>
--EXPECT--
strict      touch            ok ......
strict      update           ok ......
strict      replace          ok ......
strict      replace, grace 5 ok xxxx..
for a while touch            ok xx....
for a while update           ok xx....
for a while replace          ok xx....
for a while replace, grace 5 ok xxxx..
for ever    touch            ok xxxxxx
for ever    update           ok xxxxxx
for ever    replace          ok xxxxxx
for ever    replace, grace 5 ok xxxx..
expire
bool(true)
strict, TTL 0: served for 0 s
bool(true)
strict, TTL 10: served for 0 s
bool(true)
for a while, TTL 0: served for 3 s
bool(true)
for a while, TTL 10: served for 3 s
bool(true)
as the TTL, TTL 0: served for 100 s
bool(true)
as the TTL, TTL 10: served for 10 s
bool(true)
for ever, TTL 0: served for 100 s
bool(true)
for ever, TTL 10: served for 100 s
a new value
bool(true)
bool(false)
