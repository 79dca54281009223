--TEST--
An item above mcpatterns.item_size_limit on a copy is no server outage
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.item_size_limit=2M
--FILE--
<?php
use McPatterns\{Cache, Pool, Status, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

const LARGE = 3000000;

$servers = [start_memcached(['arguments' => ['-I', '8m']]), start_memcached(['arguments' => ['-I', '8m']])];
$list = array_column($servers, 'address');
by_each_transport(function (Transport $transport) use ($servers, $list) {
    foreach ($servers as $at => $server) {
        $prefix = "$transport->name$at:";
        $pool = new Pool($list, $prefix, timeout: 20, retryAfter: 100, transport: $transport);
        $cache = new Cache($pool, ttl: 3600, grace: 3600, copies: 2);
        $keys = array_values(array_filter(array_map(fn ($i) => "key$i", range(1, 60)), fn ($key) => $pool->serverFor($key) === $servers[0]->name));
        $large = array_pop($keys);
        $cache->setMultiple(array_fill_keys([...$keys, $large], 'ours'));
        $server->raw("set $prefix$large 0 0 " . LARGE . " noreply\r\n" . str_repeat('v', LARGE) . "\r\nversion\r\n", 20);
        $changed = function () use ($server, $prefix, $large): string {
            $answer = $server->raw("get $prefix$large\r\n", 20);
            return strlen($answer) > LARGE ? '' : ', changed: ' . json_encode(strtok($answer, "\r\n"));
        };

        echo "copy $at: ", json_encode([$cache->get($large), $cache->getMultiple([$large])[$large], $cache->has($large)]), $changed(), "\n";
        // Not on all copies, and the next read has it from the other one.
        echo '  set: ', json_encode([$cache->set($large, 'new'), $cache->get($large)]), ', deleted: ', json_encode([$cache->delete($large), $cache->get($large)]), $changed(), "\n";
        echo '  ', str_contains($pool->lastErrors()[$server->name]['message'], 'reply that is too large') ? 'too large' : 'otherwise', "\n";
        // The server is asked for the others, for none of which an outage is suspected: a breaker would leave it alone.
        $before = $server->stats()['cmd_get'];
        $fresh = array_filter($keys, fn ($key) => $cache->entry($key)->status === Status::Fresh);
        $stored = array_filter($keys, fn ($key) => $cache->set($key, 'again'));
        echo '  ', count($keys) - count($fresh), ' old or gone, ', count($keys) - count($stored), ' not stored', $server->stats()['cmd_get'] > $before ? '' : ', left alone', "\n";
    }
});
?>
--EXPECT--
copy 0: ["ours","ours",true]
  set: [false,"new"], deleted: [false,null]
  too large
  0 old or gone, 0 not stored
copy 1: ["ours","ours",true]
  set: [false,"new"], deleted: [false,null]
  too large
  0 old or gone, 0 not stored
