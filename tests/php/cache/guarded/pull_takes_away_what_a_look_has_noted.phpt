--TEST--
pull() without a value invalidates earlier reads of a guarded Cache (V6.7)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

$server = start_memcached();
$make = fn (Transport $transport, bool $guarded): Cache =>
    new Cache(new Pool($server->address, transport: $transport, timeout: 10), 'g.', ttl: 100, guarded: $guarded);
$other = new Actor(fn (string $method, Transport $transport, bool $guarded) => $make($transport, $guarded)->$method('k'));
by_each_transport(function (Transport $transport) use ($server, $make, $other) {
    $cache = $make($transport, true);
    $steps = function (bool $guarded) use ($cache, $other, $transport): string {
        $cache->get('k');
        $pulled = $other->ask('pull', $transport, $guarded);
        return json_encode([$pulled, $cache->set('k', 'of before'), $cache->peek('k')]) . "\n";
    };
    foreach ([
        'a mark' => fn () => $steps(true),
        'a mark, pulled through a view that is not guarded' => fn () => $steps(false),
        'a claim' => fn () => $make($transport, false)->remember('k', 9, fn () => $steps(true)),
        'an unreadable item' => fn () => $server->exchange("set g.k 4 0 3\r\nabc\r\n") . $steps(true),
    ] as $what => $run) {
        Pool::endRequest();
        echo "$what: ", $run();
        $server->exchange("delete g.k\r\n");
    }
    Pool::endRequest();
    $cache->get('k');
    echo 'its own pull: ', json_encode([$cache->pull('k'), $cache->get('k'), $cache->set('k', 'read anew'), $cache->pull('k')]), "\n";
});
?>
--EXPECT--
a mark: [null,false,null]
a mark, pulled through a view that is not guarded: [null,false,null]
a claim: [null,false,null]
an unreadable item: STORED
[null,false,null]
its own pull: [null,null,true,"read anew"]
