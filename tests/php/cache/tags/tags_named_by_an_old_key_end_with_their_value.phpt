--TEST--
touch() and update() keep tag names of an older signing key
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$host = fn (string ...$keys): Cache => new Cache(new Pool($server->address, timeout: 10, signingKey: $keys), ttl: 100, grace: 100);
$ends_in = fn (): int => (int) round(read_envelope(get_raw($server, 'k')[0])['hard'] / 1000 - microtime(true));
$changes = [
    'touch' => fn (Cache $cache) => $cache->touch('k', 150),
    'touch without an end' => fn (Cache $cache) => $cache->touch('k', 0),
    'update' => fn (Cache $cache) => $cache->update('k', fn () => 2, 150),
    'update through a view' => fn (Cache $cache) => $cache->tagged('more')->update('k', fn () => 2, 150),
];
foreach ($changes as $name => $change) {
    $host('old', 'new')->tagged('news')->set('k', 1);
    $change($host('new', 'old'));
    echo "$name: ", $host('new', 'old')->entry('k')->status->name, ', ends in ', $ends_in(), ' s, ';
    echo 'for the new key alone ', $host('new')->entry('k')->status->name, ', ';
    $host('old', 'new')->invalidateTags($name === 'update through a view' ? 'more' : 'news');
    echo 'invalidated ', $host('new', 'old')->entry('k')->status->name, "\n";
}

echo "by the first key, or without tags, it lives as long as it is told to\n";
$host('new', 'old')->tagged('news')->set('k', 1);
$host('new', 'old')->touch('k', 5000);
echo $ends_in(), "\n";
$host('old', 'new')->set('k', 1);
$host('new', 'old')->touch('k', 5000);
echo $ends_in(), ' ', $host('new')->entry('k')->status->name, "\n";
?>
--EXPECT--
touch: Fresh, ends in 200 s, for the new key alone Miss, invalidated Stale
touch without an end: Fresh, ends in 200 s, for the new key alone Miss, invalidated Miss
update: Fresh, ends in 200 s, for the new key alone Miss, invalidated Stale
update through a view: Fresh, ends in 200 s, for the new key alone Miss, invalidated Stale
by the first key, or without tags, it lives as long as it is told to
5100
5100 Fresh
