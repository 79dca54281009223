--TEST--
Output of a postponed rebuild is discarded, and never affects later requests (C11)
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

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$server = start_memcached();
$fpm = start_fpm([], 1); // one process: the second request shows what the first has left behind
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool, Refresh};

$cache = new Cache(new Pool($_GET['server']), lease: 100);
$later = fn (string $key, callable $compute) => $cache->remember($key, 100, $compute, refresh: Refresh::AfterResponse);
echo ignore_user_abort() ? 'ignores' : 'minds', ' the visitor: ';
echo $later('flush', function () { echo 'x'; flush(); return 'new'; }), ' ';
echo $later('much', function () { echo str_repeat('y', 100_000); return 'new'; }), ' ';
echo $later('buffer', function () { ob_start(); echo 'new'; return ob_get_clean(); }), ' ';
echo $later('last', fn () => 'new'), "\n";
PHP);
$cache = new Cache(new Pool($server->address));
$keys = ['flush', 'much', 'buffer', 'last'];
for ($request = 0; $request < 2; $request++) {
    foreach ($keys as $key) {
        $cache->set($key, 'old');
        $cache->expire($key);
    }
    echo $fpm->ask('page', 'server=' . urlencode($server->address));
    $fpm->await(fn () => $cache->peek('last') === 'new', 10.0);
    echo implode(' ', $cache->getMultiple($keys)), "\n";
}
?>
--EXPECT--
minds the visitor: old old old old
new new new new
minds the visitor: old old old old
new new new new
