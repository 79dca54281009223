--TEST--
A failover between response and rebuild stores nothing from that rebuild
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

require __DIR__ . '/../../../_support/fpm.inc';
require_once __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$list = array_column($servers, 'address');
$fpm = start_fpm([], 1);
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

$pool = new Pool($_GET['servers'], timeout: 0.2, retryAfter: 0.1, failover: true);
$cache = new Cache($pool, ttl: 3600, grace: 3600);
if ($_GET['signal'] === 'CONT') {
    $cache->get($_GET['key']);                          // notices that it is away
}
echo $cache->remember($_GET['key'], null, function () use ($folder) {
    file_put_contents("$folder/computed", "x", FILE_APPEND);
    return 'new';
}, refresh: Refresh::AfterResponse), "\n";
exec("kill -$_GET[signal] $_GET[pid]");
usleep(200_000);
PHP);
$fpm->script('next', 'echo 1;');
$pool = new Pool($list, failover: true);
$cache = new Cache($pool, ttl: 3600, grace: 3600);
$keys = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 60)), fn ($key) => $pool->serverFor($key) === name_of($list[0])));
$ask = function (string $key, string $signal) use ($fpm, $list, $servers) {
    @unlink("$fpm->folder/computed");
    $body = $fpm->ask('page', http_build_query(['servers' => $list, 'key' => $key, 'signal' => $signal, 'pid' => $servers[0]->pid]));
    $fpm->ask('next');      // there is one worker: it has finished
    return trim($body) . (is_file("$fpm->folder/computed") ? ', computed' : ', not computed');
};

foreach ([$keys[0], $keys[1]] as $key) {
    $cache->set($key, 'old');
    $cache->expire($key);
}
echo 'goes: answered ', $ask($keys[0], 'STOP'), "\n";
// There it is computed at once, since no other server has anything to answer with.
echo 'comes: answered ', $ask($keys[1], 'CONT'), "\n";
$fresh = new Cache(new Pool($list), ttl: 3600, grace: 3600);
foreach ([$keys[0], $keys[1]] as $key) {
    $entry = $fresh->entry($key);
    echo $entry->status === Status::Fresh ? 'fresh' : 'old', " $entry->value\n";
    var_dump($fresh->set($key, 'newest'));              // no claim holds the key
}
echo $fpm->log();
?>
--EXPECT--
goes: answered old, not computed
comes: answered new, computed
old old
bool(true)
old old
bool(true)
