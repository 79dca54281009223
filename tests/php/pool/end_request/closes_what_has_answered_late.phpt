--TEST--
Pool::endRequest() closes a set-aside connection after its late reply
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
is_readable('/proc/self/fd') || die('skip needs /proc');
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/fpm.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$fpm = start_fpm(workers: 1);
$fpm->script('set', <<<'PHP'
use McPatterns\{Cache, Pool, Transport};
$cache = new Cache(new Pool($_GET['server'], timeout: 0.2, retryAfter: 0, transport: Transport::Direct));
echo $cache->set('k', 1) ? 'stored' : 'late';
PHP);
$count = 'count(preg_grep("/^socket:/", array_map(fn (string $link) => (string) @readlink($link), glob("/proc/self/fd/*"))))';
$fpm->script('sockets', "echo $count;");
$sockets = fn (): int => eval("return $count;");
$query = http_build_query(['server' => $server->address]);

$fpm->await(fn () => $fpm->ask('set', $query) === 'stored');
$before = $fpm->ask('sockets');
$server->freeze();
echo 'a request: ', $fpm->ask('set', $query), ', ', $fpm->ask('sockets') === $before ? 'kept' : 'not kept';
$server->thaw();
echo ', ', $fpm->await(fn () => $fpm->ask('sockets') < $before, 10) ? 'closed' : 'open', "\n";

$cache = new Cache(new Pool($server->address, timeout: 0.2, retryAfter: 0, transport: Transport::Direct));
$fpm->await(fn () => $cache->set('k', 1));
$before = $sockets();
$server->freeze();
echo 'one of a process: ', $cache->set('k', 1) ? 'stored' : 'late', ', ', $sockets() === $before ? 'kept' : 'not kept';
$server->thaw();
echo ', ', $fpm->await(fn () => Pool::endRequest() ?? $sockets() < $before, 10) ? 'closed' : 'open', "\n";
?>
--EXPECT--
a request: late, kept, closed
one of a process: late, kept, closed
