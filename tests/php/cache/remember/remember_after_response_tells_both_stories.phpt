--TEST--
Refresh::AfterResponse gives $entry to caller and computation, and logs failures (C11, C17)
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
$fpm = start_fpm();
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Entry, Pool, Refresh};

$cache = new Cache(new Pool($_GET['server'], timeout: 10), ttl: 100, staleOnError: true);
$story = fn (Entry $was) => "{$was->status->name} $was->value, " . ($was->age > 0 ? 'aged' : 'of no age');
foreach (['old', 'fresh', 'tagged'] as $key) {
    $cache->remember($key, null, fn (Entry $was) => "was {$story($was)}", refresh: Refresh::AfterResponse, force: $key !== 'tagged', entry: $entry);
    echo $story($entry), "\n";
}
$cache->remember('fails', null, fn (Entry $was) => throw new DomainException("not $was->value"), refresh: Refresh::AfterResponse, entry: $entry);
echo $story($entry), "\n";
$entry = 'anything else';
PHP);
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
foreach (['old', 'fresh', 'fails'] as $key) {
    $cache->set($key, $key);
}
$cache->tagged('t')->set('tagged', 'tagged');
usleep(2000);
$cache->invalidateTags('t');
$cache->expire('old');
$cache->expire('fails');
echo $fpm->ask('page', 'server=' . urlencode($server->address));
$fpm->await(fn () => str_contains($fpm->log(), 'DomainException'));
foreach (['old', 'fresh', 'tagged', 'fails'] as $key) {
    echo $cache->peek($key), "\n";
}
echo preg_replace('/^.*mcpatterns/m', 'mcpatterns', trim($fpm->log())), "\n";
?>
--EXPECT--
Stale old, aged
Fresh fresh, aged
Stale tagged, aged
Stale fails, aged
was Stale old, aged
was Fresh fresh, aged
was Stale tagged, aged
fails
mcpatterns: computing "fails" after the response failed: DomainException: not fails
