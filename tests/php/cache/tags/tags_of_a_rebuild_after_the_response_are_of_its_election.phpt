--TEST--
A tag invalidated during a postponed rebuild makes its result stale (T7, C11)
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
echo $cache->tagged('t')->remember('k', 100, function () use ($folder) {
    for ($i = 0; $i < 5000 && !file_exists("$folder/answered"); $i++, clearstatcache()) {
        usleep(2000);
    }
    return 'new';
}, refresh: Refresh::AfterResponse);
PHP);

$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
foreach ([false, true] as $invalidates) {
    $cache->tagged('t')->set('k', 'old');
    $cache->expire('k');
    @unlink("$fpm->folder/answered");
    echo $fpm->ask('page', 'server=' . urlencode($server->address)), ', ';
    $invalidates && $cache->invalidateTags('t');
    touch("$fpm->folder/answered");
    var_dump($fpm->await(fn () => $cache->peek('k') !== 'old'));
    echo $cache->peek('k'), ', ', $cache->entry('k')->status->name, "\n";
}
echo $fpm->log();
?>
--EXPECT--
old, bool(true)
new, Fresh
old, bool(true)
new, Stale
