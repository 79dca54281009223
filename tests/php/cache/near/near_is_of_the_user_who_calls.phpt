--TEST--
Near values belong to the current user and group, deletes to all (P5, P2)
--EXTENSIONS--
mcpatterns
pcntl
posix
--SKIPIF--
<?php
if (posix_geteuid() !== 0) {
    die('skip needs root');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

const NOBODY = 65534;
$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, near: 60);
$read = function (string $key) use ($cache): string {
    $before = $cache->stats();
    $value = $cache->get($key);
    $after = $cache->stats();
    return json_encode($value) . ($after['near_shared'] > $before['near_shared'] ? ' near' : ' asked');
};
for ($i = 0; $i < 7; $i++) {
    $cache->set("k$i", $i);
    // As another object has read it, this one's memo has nothing of it.
    (new Cache($pool, near: 60))->get("k$i");
}
chmod($server->host, 0777);
let_others_pass($server->host);
echo 'root: ', $read('k0'), "\n";
posix_seteuid(NOBODY);
echo 'another user: ', $read('k1'), "\n";
posix_seteuid(0);
echo 'root again: ', $read('k2'), "\n";
posix_setegid(NOBODY);
echo 'another group: ', $read('k3'), "\n";
posix_setegid(0);
echo 'root again: ', $read('k4'), "\n";

if (($child = pcntl_fork()) === 0) {
    posix_setgid(NOBODY);
    posix_setuid(NOBODY);
    echo 'a child that left root for ever: ', $read('k5'), "\n";
    $cache->delete('k6');
    exit;
}
pcntl_waitpid($child, $status);
echo 'root: ', $read('k5'), ', what the child deleted: ', $read('k6'), "\n";
?>
--EXPECT--
root: 0 near
another user: 1 asked
root again: 2 near
another group: 3 asked
root again: 4 near
a child that left root for ever: 5 asked
root: 5 near, what the child deleted: null asked
