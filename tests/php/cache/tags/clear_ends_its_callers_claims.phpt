--TEST--
clear() and flush() end their caller's claims, publish() then returns false (C6, T7, N4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$address = start_memcached()->address;
$open = fn (string $prefix = 'shop.'): Cache => new Cache(new Pool($address, timeout: 10), $prefix, ttl: 1000, lease: 100, clearable: true);
$cache = $open();
$other = $open('other.');
$empties = ['clear' => fn () => $open()->clear(), 'clear softly' => fn () => $open()->clear(false), 'flush' => fn () => (new Pool($address, timeout: 10))->flush()];
$elections = [
    'get' => fn () => $cache->get('k'),
    'lookup' => fn () => $cache->lookup('k'),
    'getMultiple' => fn () => $cache->getMultiple(['k', 'l']),
];
/** In another process: says whether what is left on the server makes it wait. */
$waits = function () use ($address): string {
    if (pcntl_fork() === 0) {
        $own = new Cache(new Pool($address, timeout: 10), 'shop.', ttl: 1000, wait: 0.05, stale: false, clearable: true);
        $own->remember('k', fn () => null, fn () => 'not stored');
        exit($own->stats()['waited']);
    }
    pcntl_wait($status);
    return pcntl_wexitstatus($status) . ' waited';
};
foreach ($empties as $name => $empty) {
    foreach ($elections as $how => $elect) {
        foreach ([$cache, $other] as $each) {
            $each->setMultiple(['k' => 1, 'l' => 1]);
            $each->expire('k');
            $each->expire('l');
        }
        $elect();
        $other->lookup('k');
        $empty();
        $told = [$waits(), $cache->publish('k', 'of before')];
        $told[] = $cache->lookup('k')->status->name;
        $told[] = $cache->publish('k', 'of after');
        $told[] = $cache->entry('k')->status->name;
        $told[] = $other->publish('k', 'of another namespace');
        echo "$name, $how: ", json_encode($told), "\n";
        $cache->set('l', 'ends what was noted');
    }
}

echo "within the computation of a remember: its own claim stays, and its result is of before\n";
foreach ($empties as $name => $empty) {
    $cache->delete('k');
    $other->get('in it');
    echo $name, ': ', $cache->remember('k', null, function () use ($cache, $empty) {
        $cache->get('in it');
        $empty();
        $cache->set('in it', 1);
        return 'computed';
    }), ', then ', $cache->entry('k')->status->name, '; set in it ', $cache->entry('in it')->status->name, "\n";
    echo '... ', $cache->remember('k', null, fn () => 'anew'), ' ', $cache->entry('k')->status->name, "\n";
}
?>
--EXPECT--
clear, get: ["0 waited",false,"Miss",false,"Miss",true]
clear, lookup: ["0 waited",false,"Miss",false,"Miss",true]
clear, getMultiple: ["0 waited",false,"Miss",false,"Miss",true]
clear softly, get: ["0 waited",false,"Elected",true,"Fresh",true]
clear softly, lookup: ["0 waited",false,"Elected",true,"Fresh",true]
clear softly, getMultiple: ["0 waited",false,"Elected",true,"Fresh",true]
flush, get: ["0 waited",false,"Miss",false,"Miss",false]
flush, lookup: ["0 waited",false,"Miss",false,"Miss",false]
flush, getMultiple: ["0 waited",false,"Miss",false,"Miss",false]
within the computation of a remember: its own claim stays, and its result is of before
clear: computed, then Miss; set in it Fresh
... anew Fresh
clear softly: computed, then Stale; set in it Fresh
... anew Fresh
flush: computed, then Miss; set in it Fresh
... anew Fresh
