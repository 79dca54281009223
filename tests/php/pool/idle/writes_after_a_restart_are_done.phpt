--TEST--
Each write method after a restart works as on an empty memcached
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../../_support/idle_scenes.inc';

$server = start_memcached(['tcp' => true]);
by_each_transport(function (Transport $transport) use ($server) {
    $number = 0;
    $make = function (string $name) use ($server, $transport, &$number) {
        return new Pool($server->address, 'p' . ($number++) . ":$transport->name:", timeout: 20, connectTimeout: 20, transport: $transport);
    };
    play_idle_scenes($make, $server->restart(...), function () use ($server): void { $server->raw('flush_all'); });
    echo "played\n";
});
?>
--EXPECT--
played
