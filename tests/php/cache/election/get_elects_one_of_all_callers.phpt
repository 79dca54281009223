--TEST--
Cache::get() elects 1 caller after expiry and serves others stale values (C1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$hosts = [];
for ($i = 0; $i < 5; $i++) {
    $hosts[] = new Cache(new Pool('memory://one'), ttl: 10, lease: 5);
}
$ask = fn () => implode(' ', array_map(fn ($cache) => $cache->get('k', 'default'), $hosts)) . "\n";

$hosts[0]->set('k', 'old');
echo 'fresh:    ', $ask();
Clock::advance(9.999);
echo 'nearly:   ', $ask();
Clock::advance(0.001);
echo 'expired:  ', $ask();
echo 'again:    ', $ask();
$hosts[0]->set('k', 'new');
echo 'set anew: ', $ask();
Clock::advance(10);
shuffle($hosts);
echo 'later:    ', $ask();

$stats = array_map(fn ($cache) => $cache->stats(), $hosts);
foreach (['hits', 'elected', 'busy', 'stale', 'misses', 'stored'] as $name) {
    echo $name, ' ', array_sum(array_column($stats, $name)), "\n";
}
?>
--EXPECT--
fresh:    old old old old old
nearly:   old old old old old
expired:  default old old old old
again:    old old old old old
set anew: new new new new new
later:    default new new new new
hits 15
elected 2
busy 13
stale 13
misses 0
stored 2
