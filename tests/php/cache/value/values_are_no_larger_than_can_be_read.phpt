--TEST--
Each method rejects values above mcpatterns.item_size_limit and keeps the stored value
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.item_size_limit=2M
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, TooLargeException, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached(['arguments' => ['-I', '8m']]);
$beyond = str_repeat('v', 3 << 20);
$within = substr($beyond, 1 + (1 << 20) + 1000);
by_each_transport(function (Transport $transport) use ($server, $beyond, $within) {
    $pool = new Pool($server->address, compression: Compression::None, transport: $transport, timeout: 20);
    $cache = new Cache($pool, ttl: 100);
    $writers = [
        'set' => fn (string $value) => $cache->set('key', $value),
        'add' => fn (string $value) => $cache->add('new', $value) && $cache->delete('new'),
        'replace' => fn (string $value) => $cache->replace('key', $value),
        'update' => fn (string $value) => $cache->update('key', fn () => $value) === $value,
        'setMultiple' => fn (string $value) => $cache->setMultiple(['key' => $value, 'other' => 'x']),
    ];
    foreach ($writers as $name => $write) {
        $cache->set('key', 'old');
        try {
            $write($beyond);
            echo "$name: nothing thrown\n";
        } catch (TooLargeException $exception) {
            echo "$name: ", $exception->getMessage(), "\n";
        }
        echo "    old ", $cache->get('key') === 'old' ? 'stays' : 'went', ', one within is ', var_export($write($within), true), "\n";
    }
    $cache->set('key', 'old');
    $cache->expire('key');
    $computed = $cache->remember('key', 100, fn () => $beyond);
    echo 'remember: ', strlen($computed), ', unstorable ', $cache->stats()['unstorable'], ', there is ', strlen($cache->entry('key')->value ?? ''), "\n";
    $cache->delete('key');
    $cache->remember('key', 100, fn () => $within);
    echo 'remember: there is ', $cache->get('key') === $within ? 'the value' : 'another', "\n";
});
?>
--EXPECT--
set: Cannot store the value of "key": it is larger than mcpatterns.item_size_limit of 2 MiB
    old stays, one within is true
add: Cannot store the value of "new": it is larger than mcpatterns.item_size_limit of 2 MiB
    old stays, one within is true
replace: Cannot store the value of "key": it is larger than mcpatterns.item_size_limit of 2 MiB
    old stays, one within is true
update: Cannot store the value of "key": it is larger than mcpatterns.item_size_limit of 2 MiB
    old stays, one within is true
setMultiple: Cannot store the value of "key": it is larger than mcpatterns.item_size_limit of 2 MiB
    old stays, one within is true
remember: 3145728, unstorable 1, there is 3
remember: there is the value
