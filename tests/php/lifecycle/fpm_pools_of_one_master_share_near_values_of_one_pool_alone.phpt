--TEST--
php-fpm pools share near values only with equal servers and prefix (P5, P2)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/fpm.inc';

[$one, $two] = [start_memcached(), start_memcached()];
$fpm = start_fpm(['mcpatterns.servers' => $one->address], 2, [
    'server' => ['mcpatterns.servers' => $two->address],
    'prefix' => ['mcpatterns.servers' => $one->address, 'mcpatterns.prefix' => 'p.'],
    'same' => ['mcpatterns.servers' => $one->address],
]);
(new Cache(new Pool($one->address)))->set('k', 'of one');
(new Cache(new Pool($two->address)))->set('k', 'of two');
(new Cache(new Pool($one->address, prefix: 'p.')))->set('k', 'of p');
$fpm->script('read', <<<'PHP'
$cache = new McPatterns\Cache(McPatterns\Pool::default(), near: 60);
echo $cache->get('k'), $cache->stats()['near_shared'] ? ', near' : ', asked';
PHP);
$fpm->script('write', '(new McPatterns\Cache(McPatterns\Pool::default()))->set("k", $_GET["value"] ?? "changed");');

foreach (['fpm', 'server', 'prefix', 'same'] as $pool) {
    echo "$pool: ", $fpm->ask('read', pool: $pool), '; ', $fpm->ask('read', pool: $pool), "\n";
}
$fpm->ask('write', pool: 'same');
foreach (['fpm', 'same', 'prefix', 'server'] as $pool) {
    echo "$pool: ", explode(',', $fpm->ask('read', pool: $pool))[0], "\n";
}
// A worker that is killed takes nothing with it.
echo 'before: ', $fpm->ask('read'), "\n";
$fpm->script('who', 'echo getmypid();');
send_signal($killed = (int) $fpm->ask('who'), SIGNAL_KILL);
$fpm->await(fn () => !is_running($killed)); // until then it may take the next request with it
echo 'after: ', $fpm->ask('read'), "\n";
?>
--EXPECT--
fpm: of one, asked; of one, near
server: of two, asked; of two, near
prefix: of p, asked; of p, near
same: of one, near; of one, near
fpm: changed
same: changed
prefix: of p
server: of two
before: changed, near
after: changed, near
