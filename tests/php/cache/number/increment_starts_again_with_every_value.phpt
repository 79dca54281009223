--TEST--
Increments continue from a value that set(), add() or update() stored (I3, I6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://restart'), ttl: 100, lease: 5);
$run = function () use ($cache) {
    $cache->set('n', 5);
    for ($i = 0; $i < 20; $i++) {
        $cache->increment('n');
    }
    assert($cache->get('n') === 25);
};
$see = fn () => json_encode([$cache->peek('n'), $cache->increment('n'), $cache->peek('n'), $cache->increment('n'), $cache->get('n')]) . "\n";
$restarts = [
    'set' => fn () => $cache->set('n', 7),
    'set to the same' => fn () => $cache->set('n', 5),
    'setMultiple' => fn () => $cache->setMultiple(['n' => 7]),
    'replace' => fn () => $cache->replace('n', 7),
    'update' => fn () => $cache->update('n', fn ($old) => $old + 1),
    'delete and set' => fn () => $cache->delete('n') && $cache->set('n', 7),
    'delete and add' => fn () => $cache->delete('n') && $cache->add('n', 7),
    'pull and remember' => fn () => $cache->pull('n') && $cache->remember('n', null, fn () => 7),
    'publish' => function () use ($cache) {
        Clock::advance(100);
        $cache->get('n');
        $cache->publish('n', 7);
    },
    'remember' => function () use ($cache) {
        Clock::advance(100);
        $cache->remember('n', null, fn () => 7);
    },
    'expired and add' => function () use ($cache) {
        Clock::advance(100);
        $cache->add('n', 7);
    },
];
foreach ($restarts as $name => $restart) {
    $run();
    $restart();
    echo $name, ': ', $see();
}
$run();
$cache->delete('n');
echo 'deleted: ', json_encode([$cache->increment('n'), $cache->get('n'), $cache->increment('n')]), "\n";
$run();
$cache->set('n', 'text');
echo 'text: ', json_encode($cache->get('n')), "\n";
$cache->set('n', 1);
echo 'and a number again: ', $see();
?>
--EXPECT--
set: [7,8,8,9,9]
set to the same: [5,6,6,7,7]
setMultiple: [7,8,8,9,9]
replace: [7,8,8,9,9]
update: [26,27,27,28,28]
delete and set: [7,8,8,9,9]
delete and add: [7,8,8,9,9]
pull and remember: [7,8,8,9,9]
publish: [7,8,8,9,9]
remember: [7,8,8,9,9]
expired and add: [7,8,8,9,9]
deleted: [false,null,false]
text: "text"
and a number again: [1,2,2,3,3]
