--TEST--
A tag's item name is its SHA-256, or HMAC with signingKey
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
foreach ([null, ['first'], ['first', 'second'], ['first', 'first', "first\0", 'second']] as $keys) {
    $server->raw('flush_all');
    $shop = new Cache(new Pool($server->address, 'app:', timeout: 10, signingKey: $keys), 'shop.', ttl: 100, clearable: true);
    $number = fn (string $key): string => explode("\r\n", $server->raw("get $key"))[1];
    $shop->tagged('news')->set('k', 1);
    foreach (['tag' => 'news', 'namespace' => 'shop.'] as $kind => $name) {
        $first = tag_key($name, 'app:', $keys[0] ?? null, $kind);
        $second = tag_key($name, 'app:', 'second', $kind);
        $before = $number($first);
        $kind === 'tag' ? $shop->invalidateTags($name) : $shop->clear(strict: false);
        echo $kind, ' ', (int) $number($first) - (int) $before, ' ', json_encode($number($second)), "\n";
    }
    $shop->deleteTags('news');
    $shop->clear();
    echo count(array_filter(['news', 'shop.'], fn (string $name) => is_numeric($number(tag_key($name, 'app:', 'second', $name === 'news' ? 'tag' : 'namespace'))))), "\n";
}
?>
--EXPECT--
tag 1 ""
namespace 1 ""
0
tag 1 ""
namespace 1 ""
0
tag 1 ""
namespace 1 ""
2
tag 1 ""
namespace 1 ""
2
