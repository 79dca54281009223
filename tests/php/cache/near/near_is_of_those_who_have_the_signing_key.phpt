--TEST--
Signed near values are shared only by Pools with the same keys (P5, P2)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$cache = fn (null|string|array $key): Cache => new Cache(new Pool($server->address, signingKey: $key), near: 60);
$read = function (null|string|array $key) use ($cache): string {
    $reader = $cache($key);
    $value = $reader->get('k');
    return json_encode($value) . ($reader->stats()['near_shared'] > 0 ? ' near' : ' asked');
};
$keys = ['the same' => 'key', 'none' => null, 'another' => 'other', 'another before it' => ['new', 'key'], 'another behind it' => ['key', 'old']];
$cache('key')->set('k', 'signed');
echo 'first: ', $read('key'), "\n";
foreach ($keys as $name => $key) {
    echo "$name: ", $read($key), "\n";
}
echo 'as a list: ', $read(['key']), "\n";
$cache(null)->delete('k');
echo 'deleted without the key: ', $read('key'), "\n";
?>
--EXPECT--
first: "signed" asked
the same: "signed" near
none: "signed" asked
another: null asked
another before it: "signed" asked
another behind it: "signed" asked
as a list: "signed" near
deleted without the key: null asked
