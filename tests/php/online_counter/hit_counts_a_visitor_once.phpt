--TEST--
Concurrent hits of a visitor count once, for any names and bytes (O2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$counted = run_workers(8, function () use ($server) {
    $online = new OnlineCounter(new Pool($server->address, timeout: 10), 'page', 86400, 2);
    $counted = 0;
    for ($i = 0; $i < 200; $i++) {
        $counted += $online->hit("visitor $i");
    }
    return $counted;
});
echo array_sum($counted), ' of 200, in the slot: ', current((new OnlineCounter(new Pool($server->address, timeout: 10), 'page', 86400, 2))->perSlot()), "\n";

$online = new OnlineCounter(new Pool($server->address, timeout: 10), "a b\n", 86400, 2);
$visitors = ['', ' ', '0', "a\0b", "a\0", "\r\nflush_all\r\n", str_repeat('x', 100000), str_repeat('x', 99999), "\xff\xfe", 'ü'];
foreach ([true, false] as $expected) {
    echo count(array_filter($visitors, fn ($visitor) => $online->hit($visitor) === $expected)), ' of ', count($visitors), "\n";
}
echo current($online->perSlot()), "\n";
$pool = new Pool($server->address, prefix: 'a:');
var_dump((new OnlineCounter($pool, 'p'))->hit('qr'), (new OnlineCounter($pool, 'pq'))->hit('r'), (new OnlineCounter(new Pool($server->address, timeout: 10), 'p'))->hit('qr'));
?>
--EXPECT--
200 of 200, in the slot: 200
10 of 10
10 of 10
10
bool(true)
bool(true)
bool(true)
