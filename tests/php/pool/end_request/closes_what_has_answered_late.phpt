--TEST--
Transport::Direct: a connection that was set aside for its late answer is closed by Pool::endRequest(), and at a request's end, once it has answered: though nothing asks its server any more
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
$fpm->script('idle', 'echo "idle";');
$cache = new Cache(new Pool($server->address, timeout: 0.2, retryAfter: 0, transport: Transport::Direct));
$sockets = fn (int $pid): int => count(preg_grep('/^socket:/', array_map(fn (string $link) => (string) @readlink($link), glob("/proc/$pid/fd/*"))));

$pid = $fpm->workers()[0];
$ask = fn (): string => $fpm->ask('set', http_build_query(['server' => $server->address]));
$fpm->await(fn () => $ask() === 'stored');
$before = $sockets($pid);
$server->freeze();
echo 'a request: ', $ask(), ', ', $sockets($pid) === $before ? 'kept' : 'not kept';
$server->thaw();
echo ', ', $fpm->await(fn () => $fpm->ask('idle') === 'idle' && $sockets($pid) < $before, 10) ? 'closed' : 'open', "\n";

$fpm->await(fn () => $cache->set('k', 1));
$before = $sockets(getmypid());
$server->freeze();
echo 'one of a process: ', $cache->set('k', 1) ? 'stored' : 'late', ', ', $sockets(getmypid()) === $before ? 'kept' : 'not kept';
$server->thaw();
echo ', ', $fpm->await(fn () => Pool::endRequest() ?? $sockets(getmypid()) < $before, 10) ? 'closed' : 'open', "\n";
?>
--EXPECT--
a request: late, kept, closed
one of a process: late, kept, closed
