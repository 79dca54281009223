--TEST--
Prefetched values survive forks and changed server lists while they are decoded, and keep to their limits (P11, P18, P19)
--EXTENSIONS--
mcpatterns
pcntl
--INI--
memory_limit=256M
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

final class Value
{
    public static ?Closure $code = null;

    public function __serialize(): array { return [1]; }
    public function __unserialize(array $data): void
    {
        $code = self::$code;
        self::$code = null;
        $code === null || $code();
    }
}

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10, transport: Transport::Direct);
$make = fn (): Cache => new Cache($pool, 'p.', ttl: 1000);
$strings = [];
for ($i = 0; $i < 200; $i++) {
    $strings["x$i"] = str_repeat("v$i,", 1000);
}
$make()->setMultiple($strings + ['o' => new Value(), '7' => new Value()]);

/* A child is made while a value is decoded. Both must read everything. */
$reads = [
    'getMultiple' => fn (Cache $cache, array $keys) => $cache->getMultiple($keys),
    'rememberMany' => fn (Cache $cache, array $keys) => $cache->rememberMany($keys, 100, fn () => print 'computed'),
];
foreach ($reads as $name => $read) {
    $right = 0;
    for ($round = 0; $round < 5; $round++) {
        $cache = $make();
        $cache->prefetch(['o', '7']);
        $pid = null;
        Value::$code = function () use (&$pid) { $pid = pcntl_fork(); };
        $is_right = array_slice($read($cache, ['7', ...array_keys($strings)]), 1) === $strings;
        if ($pid === 0) {
            pcntl_exec($is_right ? '/bin/true' : '/bin/false');
        }
        pcntl_waitpid($pid, $status);
        $right += (int) ($is_right && $status === 0);
    }
    echo "$name around a fork: $right of 5\n";
}

/* The list of servers changes while a Fiber is suspended in a value. */
$nodes = [start_memcached(['tcp' => true])->address, start_memcached(['tcp' => true])->address];
$endpoint = start_discovery_endpoint();
$endpoint->tell(1, [$nodes[0]]);
foreach ($reads as $name => $read) {
    $found = new Pool("discover://$endpoint->address", transport: Transport::Direct);
    $found->onError(fn () => null);
    $cache = new Cache($found, "$name.", ttl: 1000000);
    $cache->setMultiple(['7' => new Value(), 'x' => 'value']);
    $cache->prefetch(['7']);
    Value::$code = fn () => Fiber::suspend();
    $fiber = new Fiber(fn () => $read($cache, ['7', 'x']));
    $fiber->start();
    for ($version = 2; $version < 6; $version++) {
        $endpoint->tell($version + 10 * ($name === 'getMultiple' ? 0 : 1), [$nodes[$version % 2]]);
        Clock::advance(60);
        for ($i = 0; $i < 4; $i++) {
            $cache->get('another');
            usleep(20000);
        }
    }
    $fiber->resume();
    echo "$name around a change: ", json_encode(array_keys($fiber->getReturn())), "\n";
}
Clock::unfreeze();

/* Compressible values are larger when they are decoded. */
for ($i = 0; $i < 120; $i++) {
    $large["z$i"] = array_fill(0, 7000, $i);
}
$make()->setMultiple($large);
$cache = $make();
$cache->prefetch(array_keys($large));
$before = memory_get_usage();
foreach ($large as $key => $value) {
    $cache->get($key) === $value || print "$key is wrong\n";
}
echo 'decoded values are bounded, too: ', json_encode(memory_get_usage() - $before < 16 << 20), "\n";

/* Values that are too old leave their places. */
Clock::freeze();
for ($i = 0; $i < 1000; $i++) {
    $small["m$i"] = "value $i";
}
$make()->setMultiple($small + ['n' => 'new']);
$cache = $make();
$cache->prefetch(array_keys($small));
Clock::advance(4);
$cache->prefetch(['n', 'm1']);
$cache->get('n');
$cache->get('m1');
echo $cache->stats()['near'], " near hits\n";
?>
--EXPECT--
getMultiple around a fork: 5 of 5
rememberMany around a fork: 5 of 5
getMultiple around a change: [7,"x"]
rememberMany around a change: [7,"x"]
decoded values are bounded, too: true
2 near hits
