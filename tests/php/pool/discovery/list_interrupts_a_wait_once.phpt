--TEST--
A changed discovered list ends no wait and adds no requests
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';
require __DIR__ . '/../../../_support/held.inc';
require __DIR__ . '/../../../_support/workers.inc';

const WAIT = 2;
const HELD = 600;
// In 2 s of pauses of 10 ms and more. Without a pause there would be no end to them.
const LOOKS_MAX = 250;
$server = start_memcached(['tcp' => true]);
$nodes = [$server->address, start_memcached(['tcp' => true])->address];
$workers = new Workers(1, fn () => hold_everything(new Pool($nodes[0]), HELD), HELD);
$workers->release();
await_that_everything_is_held(new Pool($nodes[0]));

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
$cache = new Cache($pool);
$count = fn (): int => (int) $server->stats()['cmd_get'];
foreach (waits_for_what_is_held($pool, WAIT, HELD) as $name => $wait) {
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
