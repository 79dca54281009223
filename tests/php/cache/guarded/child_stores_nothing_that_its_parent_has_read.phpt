--TEST--
A guarded Cache's forked child cannot store from its parent's read (V5.6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $cache = new Cache(new Pool($server->address, transport: $transport, timeout: 10), "$transport->name.", ttl: 100, guarded: true);
    $cache->get('k');
    run_workers(1, fn () => $cache->delete('k'));
    $by_child = fn (callable $work): string => json_encode(run_workers(1, $work)[0]);
    echo 'set: ', $by_child(fn () => [$cache->set('k', 'of before'), $cache->peek('k')]), "\n";
    echo 'add: ', $by_child(fn () => [$cache->add('k', 'of before'), $cache->peek('k')]), "\n";
    echo 'setMultiple: ', $by_child(fn () => [$cache->setMultiple(['k' => 'of before', 'l' => 1]), $cache->peek('k')]), "\n";
    echo 'get, set: ', $by_child(fn () => [$cache->get('k'), $cache->set('k', 'read anew'), $cache->peek('k')]), "\n";
    echo 'after the end of a request: ', $by_child(fn () => [Pool::endRequest(), $cache->set('k', 'blindly'), $cache->peek('k')]), "\n";
    echo 'the parent: ', json_encode([$cache->set('k', 'of before'), $cache->peek('k')]), "\n";
});
?>
--EXPECT--
set: [false,null]
add: [false,null]
setMultiple: [false,null]
get, set: [null,true,"read anew"]
after the end of a request: [null,true,"blindly"]
the parent: [false,null]
