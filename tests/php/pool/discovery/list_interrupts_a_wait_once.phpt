--TEST--
discover://: a list that comes while a method waits makes it look no more often, and is taken when it has ended
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';
require __DIR__ . '/../../../_support/workers.inc';

const WAIT = 2;
const HELD = 600;
// In 2 s of pauses of 10 ms and more. Without a pause there would be no end to them.
const LOOKS_MAX = 250;
$server = start_memcached(['tcp' => true]);
$nodes = [$server->address, start_memcached(['tcp' => true])->address];
// Holds everything until it is killed.
$workers = new Workers(1, function () use ($nodes) {
    $pool = new Pool($nodes[0]);
    $cache = new Cache($pool, lease: HELD);
    $job = new Lock($pool, 'job', ttl: HELD);
    $job->acquire();
    $stay = function () use ($pool) {
        (new Counter($pool, 'ready'))->increment();
        sleep(HELD);
    };
    $start = fn () => (new Counter($pool, 'first', initial: $stay, wait: HELD))->increment();
    $cache->remember('one', HELD, fn () => $cache->rememberMany(['many'], HELD, $start));
}, HELD);
$workers->release();
$known = new Counter(new Pool($nodes[0]), 'ready');
while ($known->value() !== 1) {
    usleep(1000);
}

Clock::freeze();
pcntl_alarm(60);
$endpoint = start_discovery_endpoint();
$version = 0;
$tell = function (array $nodes) use ($endpoint, &$version): void {
    $endpoint->tell(++$version, $nodes);
    Clock::advance(60);
};
$tell([$nodes[0]]);
$pool = new Pool("discover://$endpoint->address", retryAfter: 0);
$cache = new Cache($pool, wait: WAIT, lease: HELD);
$waits = [
    'acquire' => fn () => (new Lock($pool, 'job'))->acquire(WAIT),
    'remember' => fn () => $cache->remember('one', HELD, fn () => 1),
    'rememberMany' => fn () => $cache->rememberMany(['many'], HELD, fn () => []),
    'counter' => fn () => (new Counter($pool, 'first', initial: fn () => 1, wait: WAIT))->value(),
];
$count = fn (): int => (int) $server->stats()['cmd_get'];
foreach ($waits as $name => $wait) {
    $tell([$nodes[0]]);
    $cache->get('another'); // finds that it is time
    $servers = count($pool->servers());
    $tell($nodes);
    $before = $count();
    $wait();
    $looks = $count() - $before;
    echo "$name: ", $looks <= LOOKS_MAX ? 'as ever' : "$looks looks", ", $servers server, then ", count($pool->servers()), "\n";
}
$workers->kill_all();
?>
--EXPECT--
acquire: as ever, 1 server, then 2
remember: as ever, 1 server, then 2
rememberMany: as ever, 1 server, then 2
counter: as ever, 1 server, then 2
