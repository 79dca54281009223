--TEST--
Each method counts a value with an invalid signature as forged once
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, signingKey: 'secret'), ttl: 60, wait: 0);
$ways = [
    'get' => fn () => $cache->get('k', 'none'), 'peek' => fn () => $cache->peek('k', 'none'), 'has' => fn () => $cache->has('k'),
    'entry' => fn () => $cache->entry('k')->status->name, 'lookup' => fn () => $cache->lookup('k')->status->name,
    'getMultiple' => fn () => $cache->getMultiple(['k'], 'none'), 'remember' => fn () => $cache->remember('k', null, fn () => 'computed'),
    'rememberMany' => fn () => $cache->rememberMany(['k'], null, fn () => ['k' => 'computed']),
    'add' => fn () => $cache->add('k', 'added'), 'replace' => fn () => $cache->replace('k', 'replaced'), 'update' => fn () => $cache->update('k', fn ($old) => [$old, 'changed']),
    'pull' => fn () => $cache->pull('k', 'none'), 'touch' => fn () => $cache->touch('k'), 'expire' => fn () => $cache->expire('k'),
    'increment' => fn () => $cache->increment('k'), 'increment from' => fn () => $cache->increment('k', 1, 10),
];
$count = fn (): array => array_intersect_key($cache->stats(), ['forged' => 0, 'unreadable' => 0]);
foreach ($ways as $name => $way) {
    put_raw($server, 'k', make_envelope('k', 'planted'), envelope_flags(0));
    $before = $count();
    $answer = $way();
    $after = $count();
    echo "$name: ", json_encode($answer), ', forged ', $after['forged'] - $before['forged'], ', unreadable ', $after['unreadable'] - $before['unreadable'], "\n";
}
$cache->set('p', 'old', 0.001, 60);
usleep(5000);
$cache->get('p');
put_raw($server, 'p', make_envelope('p', 'planted'), envelope_flags(0));
$before = $count();
echo 'publish: ', json_encode($cache->publish('p', 'new')), ', forged ', $count()['forged'] - $before['forged'], "\n";
?>
--EXPECT--
get: "none", forged 1, unreadable 0
peek: "none", forged 1, unreadable 0
has: false, forged 1, unreadable 0
entry: "Miss", forged 1, unreadable 0
lookup: "Miss", forged 1, unreadable 0
getMultiple: {"k":"none"}, forged 1, unreadable 0
remember: "computed", forged 1, unreadable 0
rememberMany: {"k":"computed"}, forged 1, unreadable 0
add: true, forged 1, unreadable 0
replace: false, forged 1, unreadable 0
update: [null,"changed"], forged 1, unreadable 0
pull: "none", forged 1, unreadable 0
touch: false, forged 1, unreadable 0
expire: false, forged 1, unreadable 0
increment: false, forged 1, unreadable 0
increment from: 11, forged 1, unreadable 0
publish: false, forged 1
