--TEST--
A guarded set() fails after another's delete, despite pull(), expire() or touch()
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
$server = start_memcached();
$cache = new Cache(new Pool($server->address), 'g.', ttl: 100, guarded: true, holdoff: 5);
foreach ([
    'expire' => fn (): bool => $cache->expire('k'),
    'expireMultiple' => fn (): bool => $cache->expireMultiple(['k']),
    'pull' => fn (): mixed => $cache->pull('k'),
    'touch' => fn (): bool => $cache->touch('k', 10),
] as $name => $act) {
    Pool::endRequest();
    $looked = $cache->get('k');
    $server->exchange("delete g.k\r\n");
    $answer = $act();
    echo $name, ': ', json_encode([$looked, $answer, $cache->set('k', 'of before')]), "\n";
    $cache->delete('k');
}
?>
--EXPECT--
expire: [null,false,false]
expireMultiple: [null,false,false]
pull: [null,null,false]
touch: [null,false,false]
