--TEST--
An Audit's check under php-fpm begins after response and postponed rebuilds
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool};

require __DIR__ . '/../../_support/fpm.inc';
require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Audit, Cache, Metrics, Pool, Refresh};

$note = fn (string $what) => file_put_contents("$folder/order", "$what\n", FILE_APPEND);
$cache = new Cache(new Pool($_GET['server'], timeout: 10), 'page:', ttl: 100);
$audit = new Audit($cache, rate: 1);
echo $cache->remember('k', 100, function () use ($note, $folder) {
    // Computed only when the visitor has said that he has it all.
    for ($i = 0; $i < 10_000 && !is_file("$folder/has-it"); $i++) {
        usleep(1000);
        clearstatcache();
    }
    $note(is_file("$folder/has-it") ? 'checked after the response' : 'checked before the visitor had it');
    echo 'NOT SEEN';
    return 'computed';
}), ' ', $cache->remember('old', 100, function () use ($note) { $note('rebuilt'); return 'new'; }, refresh: Refresh::AfterResponse), ' ';
Pool::endRequest();
register_shutdown_function(function () { Pool::endRequest(); echo 'the end'; });
PHP);
$fpm->script('counts', <<<'PHP'
foreach (McPatterns\Metrics::read()['groups'] as $group) {
    echo $group['group'] === 'page:' ? "$group[audit_checked] checked, $group[audit_different] different" : '';
}
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10), 'page:', ttl: 100);
$cache->set('k', 'served');
$cache->set('old', 'old');
$cache->expire('old');
echo $fpm->ask('page', 'server=' . urlencode($server->address)), "\n";
touch("$fpm->folder/has-it");
$fpm->await(fn () => str_contains($fpm->ask('counts'), '1 checked'));
echo file_get_contents("$fpm->folder/order"), $fpm->ask('counts'), "\n", $fpm->log();
?>
--EXPECT--
served old the end
rebuilt
checked after the response
1 checked, 1 different
