--TEST--
A forked child takes back nothing that its parent gave up (E12, E21)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, ServerException, SessionHandler, Transport};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/actor.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $server->raw('flush_all');
    $make = fn () => new SessionHandler(new Pool($server->address, timeout: 0.3, retryAfter: 0, transport: $transport));
    $try = function (SessionHandler $handler, string $id): string {
        try {
            $handler->read($id);
            return 'started';
        } catch (ServerException) {
            return 'not started';
        }
    };
    $handler = $make();
    while ($try($handler, 'frozen') !== 'started') {
    }
    $handler->write('frozen', 'a|i:1;');
    $server->freeze();
    echo $try($handler, 'frozen'), ', ';
    $child = new Actor(fn (string $id) => $try($make(), $id));
    $server->thaw();
    while (!str_contains($server->raw('get sess:frozen:lock'), 'VALUE')) {
        usleep(1000);
    }
    echo $try($handler, 'frozen'), ', the child: ', $child->ask('another'), ', ';
    echo str_contains($server->raw('get sess:frozen:lock'), 'VALUE') ? 'the lock is there' : 'the lock is gone', "\n";
});
?>
--EXPECT--
not started, started, the child: started, the lock is there
