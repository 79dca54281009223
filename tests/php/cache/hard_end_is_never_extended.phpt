--TEST--
Failed or abandoned rebuilds never extend a value's grace period (C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$hosts = [];
for ($i = 0; $i < 3; $i++) {
    $hosts[] = new Cache(new Pool('memory://hard'), ttl: 10, grace: 30, lease: 2);
}
$acts = [
    'claimed' => fn ($cache, $key) => $cache->get($key),
    'given back' => fn ($cache, $key) => $cache->lookup($key) && $cache->abandon($key),
    'failed' => function ($cache, $key) {
        try {
            $cache->remember($key, 10, fn () => throw new Exception('cannot'), wait: 0);
        } catch (Exception) {
        }
    },
    'asked for by many' => fn ($cache, $key) => $cache->getMultiple([$key]),
];
foreach ($acts as $name => $act) {
    Clock::freeze(1_700_000_000);
    $hosts[0]->set($name, 'old');
    $acted = 0;
    $elected = array_sum(array_map(fn ($cache) => $cache->stats()['elected'], $hosts));
    for ($at = 0; $at < 40; $at += 0.25) {
        $act($hosts[array_rand($hosts)], $name);
        Clock::advance(0.25);
        if ($hosts[0]->peek($name) !== ($at + 0.25 < 40 ? 'old' : null)) {
            echo "$name: wrong after ", $at + 0.25, " s\n";
            break;
        }
    }
    $elected = array_sum(array_map(fn ($cache) => $cache->stats()['elected'], $hosts)) - $elected;
    echo $name, ': ', $elected >= 5 ? 'elected often' : "elected $elected times", "\n";
}
?>
--EXPECT--
claimed: elected often
given back: elected often
failed: elected often
asked for by many: elected often
