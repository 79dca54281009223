--TEST--
Workers with different root directories do not share near values of sockets (P5)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (!function_exists('chroot') || fileowner('/proc/self') !== 0) {
    die('skip needs chroot() and root');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = ['one' => start_memcached(), 'two' => start_memcached()];
foreach ($servers as $name => $server) {
    (new Cache(new Pool($server->address)))->set('k', $name, 100);
}
foreach (['one', 'one', 'two', 'two'] as $name) {
    if (($child = pcntl_fork()) === 0) {
        $socket = $servers[$name]->host;
        chroot(dirname($socket));
        $cache = new Cache(new Pool('unix:///' . basename($socket)), ttl: 100, near: 60);
        echo "$name: ", $cache->get('k'), ', shared ', $cache->stats()['near_shared'], "\n";
        exit;
    }
    pcntl_waitpid($child, $status);
}
?>
--EXPECT--
one: one, shared 0
one: one, shared 1
two: two, shared 0
two: two, shared 1
