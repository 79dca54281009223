--TEST--
Each write method works over a connection that closed while idle
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
is_readable('/proc/net/tcp') || die('skip needs /proc/net/tcp');
?>
--FILE--
<?php
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../../_support/relay.inc';
require __DIR__ . '/../../../_support/idle_scenes.inc';

tell_what_is_missing();
$server = start_memcached();
foreach ([true, false] as $is_tcp) {
    by_each_transport(function (Transport $transport) use ($server, $is_tcp) {
        $relay = new Relay($server->address, $is_tcp);
        $number = 0;
        $make = function (string $name) use ($relay, $transport, &$number) {
            return new Pool($relay->address, 'p' . ($number++) . ":$transport->name:", timeout: 20, connectTimeout: 20, transport: $transport);
        };
        play_idle_scenes($make, $relay->end(...), fn () => null);
        echo "played\n";
    });
    $server->raw('flush_all');
}
?>
--EXPECT--
missing: [], too much: []
played
played
