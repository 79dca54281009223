--TEST--
Deleting a value with copies succeeds on servers without memory (-M) (D3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

by_each_transport(function (Transport $transport): void {
    foreach (['both', 'one'] as $full) {
        $servers = [start_memcached(['memory' => 8, 'arguments' => ['-M']]), start_memcached(['memory' => 8, 'arguments' => ['-M']])];
        $cache = new Cache(new Pool(array_column($servers, 'address'), transport: $transport, timeout: 10), copies: 2);
        foreach (['a', 'b', 'c', 'd'] as $key) {
            $cache->set($key, 'secret');
        }
        $full === 'both' && $servers[0]->fill();
        $servers[1]->fill();
        echo "$full full: ", json_encode([$cache->set('new', 1), $cache->delete('a'), $cache->forget('b'), $cache->deleteMultiple(['c', 'd', 'e']),
            $cache->delete('a'), $cache->forget('b'), $cache->getMultiple(['a', 'b', 'c', 'd'])]), "\n";
        foreach ($servers as $server) {
            $server->kill();
        }
    }
});
?>
--EXPECT--
both full: [false,true,true,true,true,false,{"a":null,"b":null,"c":null,"d":null}]
one full: [false,true,true,true,true,false,{"a":null,"b":null,"c":null,"d":null}]
