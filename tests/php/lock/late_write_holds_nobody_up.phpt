--TEST--
A lock written after its sender gave up is available immediately (L11)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/actor.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $server->raw('flush_all');
    $lock = new Lock(new Pool($server->address, timeout: 10, transport: $transport), 'job', ttl: 3600);
    $sender = new Actor(function (string $what) use ($server, $transport) {
        static $lock = null;
        $pool = new Pool($server->address, timeout: 0.2, retryAfter: 0, transport: $transport);
        $lock ??= new Lock($pool, 'job', ttl: 3600);
        try {
            return $what === 'connect' ? (new Lock($pool, 'other'))->acquire() : $lock->$what();
        } catch (ServerException $error) {
            return get_class($error);
        }
    });
    while ($sender->ask('connect') !== true) {
    }
    $server->freeze();
    echo 'frozen: ', $sender->ask('acquire'), "\n";
    $server->thaw();
    while (!str_contains($server->raw('get lock:job'), 'VALUE')) {
        usleep(1000);
    }
    echo 'written: ', json_encode([$lock->isLocked(), $lock->acquire(), $lock->isHeld(verify: true)]), "\n";
    echo 'the sender, meanwhile: ', json_encode([$sender->ask('isHeld'), $sender->ask('acquire'), $sender->ask('release')]), "\n";
    echo 'held: ', json_encode([$lock->isHeld(verify: true), $lock->release()]), "\n";
});
?>
--EXPECT--
frozen: McPatterns\ServerException
written: [false,true,true]
the sender, meanwhile: [false,false,false]
held: [true,true]
