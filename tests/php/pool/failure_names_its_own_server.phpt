--TEST--
An exception names the server that failed, when several servers fail at the same time
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';

by_each_transport(function (Transport $transport): void {
    $pool = new Pool(['127.0.0.1:1', '127.0.0.1:2'], transport: $transport, persistent: false, retryAfter: 60);
    for ($i = 0; $i < 100; $i++) {
        $calls = ["n$i" => fn() => (new Counter($pool, "n$i"))->set(1), "k$i" => fn() => (new Cache($pool))->update("k$i", fn() => 1)];
        foreach ($calls as $key => $call) {
            try {
                $call();
                echo "no failure\n";
            } catch (ServerException $failure) {
                preg_match('/on (127\.0\.0\.1:\d)/', $failure->getMessage(), $found);
                $named[$key[0]][] = $found[1];
                $key[0] === 'k' && $found[1] !== $pool->serverFor($key) && print "$found[1] is not the server of $key\n";
            }
        }
    }
    foreach ($named as $what => $servers) {
        echo $what, ': ', count(array_unique($servers)), " servers\n";
    }
});
?>
--EXPECT--
n: 2 servers
k: 2 servers
