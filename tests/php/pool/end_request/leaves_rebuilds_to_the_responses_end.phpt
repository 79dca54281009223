--TEST--
Pool::endRequest() leaves postponed rebuilds and their claims until the response ends
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/fpm.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

$cache = new Cache(new Pool($_GET['server'], timeout: 10), ttl: 100);
echo $cache->remember('k', 100, fn () => 'rebuilt', refresh: Refresh::AfterResponse), ' ';
Pool::endRequest();
echo $cache->entry('k')->status->name;
register_shutdown_function(Pool::endRequest(...));
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
$cache->set('k', 'old');
$cache->expire('k');
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
var_dump($fpm->await(fn () => $cache->peek('k') === 'rebuilt'));
echo $cache->entry('k')->status->name, "\n", $fpm->log();
?>
--EXPECT--
old Busy
bool(true)
Fresh
