--TEST--
A tag whose XXH64 equals a namespace's does not clear that cache
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$shop = new Cache($pool, 'shop:', ttl: 100, clearable: true);
$authors = new Cache($pool, ttl: 100);
$made = 'author:xdy9tjwphv4x0j44x';
var_dump(hash('xxh64', $made) === hash('xxh64', "\0shop:"));

$changes = [
    'invalidateTags' => fn (string $tag) => $authors->invalidateTags($tag),
    'deleteTags' => fn (string $tag) => $authors->deleteTags($tag),
];
foreach ($changes as $name => $change) {
    $shop->setMultiple(['a' => 1, 'b' => 2]);
    $authors->tagged($made)->set('c', 3);
    var_dump($change($made), $change('shop:'));
    echo "$name: ", $shop->entry('a')->status->name, ' ', $shop->entry('b')->status->name, ', ', $authors->entry('c')->status->name, "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
invalidateTags: Fresh Fresh, Stale
bool(true)
bool(true)
deleteTags: Fresh Fresh, Miss
