--TEST--
Destroying a session succeeds on a memcached without memory (-M)
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
?>
--FILE--
<?php
use McPatterns\{Locking, Pool, SessionHandler, Transport};

require __DIR__ . '/../../_support/session.inc';

by_each_transport(function (Transport $transport): void {
    $server = start_memcached(['memory' => 8, 'arguments' => ['-M']]);
    $pool = new Pool($server->address, transport: $transport, timeout: 10);
    $make = fn (Locking $locking): SessionHandler => new SessionHandler($pool, $locking, format: 'php');
    $ends = [];
    foreach (Locking::cases() as $locking) {
        $make(Locking::None)->write("id-$locking->name", 'user|s:5:"alice";');
        $ends[$locking->name] = $make($locking);
        $ends[$locking->name]->read("id-$locking->name");
    }
    $server->fill();
    try {
        $make(Locking::None)->write('id-new', 'user|s:3:"bob";');
    } catch (McPatterns\ServerException $failure) {
        echo preg_match('/out of memory/', $failure->getMessage(), $said) ? "a new one: $said[0]\n" : $failure->getMessage();
    }
    foreach ($ends as $name => $handler) {
        $is_destroyed = $handler->destroy("id-$name");
        $is_there = $make(Locking::None)->validateId("id-$name");
        $found = $make(Locking::None)->read("id-$name");
        echo "$name: ", json_encode([$is_destroyed, $is_there, $found]), "\n";
    }
    // One that was never read, and one that is not there.
    echo json_encode([$make(Locking::Lock)->destroy('id-None'), $make(Locking::Lock)->destroy('id-unknown')]), "\n";
});
?>
--EXPECT--
a new one: out of memory
Lock: [true,false,""]
Merge: [true,false,""]
None: [true,false,""]
[true,true]
