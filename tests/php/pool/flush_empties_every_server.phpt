--TEST--
Pool::flush() empties each server, and returns false if one is unreachable
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$down = start_memcached();
$down->kill();

foreach ([[], [$down->address]] as $more) {
    foreach ($servers as $server) {
        $server->raw("set foreign 0 0 1\r\nx");
    }
    $pool = new Pool([...$more, $servers[0]->address, $servers[1]->address]);
    var_dump($pool->flush());
    foreach ($servers as $server) {
        echo $server->raw('get foreign');
    }
}
var_dump((new Pool('memory://m'))->flush());
?>
--EXPECT--
bool(true)
END
END
bool(false)
END
END
bool(true)
