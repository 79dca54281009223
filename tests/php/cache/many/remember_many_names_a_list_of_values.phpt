--TEST--
rememberMany() rejects a list as its callback's result and releases all claims
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
foreach ([$server->address, 'memory://list'] as $address) {
    $pool = new Pool($address);
    $cache = new Cache($pool, wait: 0);
    $answers = [
        'a list' => [['a', 'b'], fn ($missing) => ['value of a', 'value of b']],
        'one value' => [['a'], fn ($missing) => ['value of a']],
        'a longer list' => [[0, 1], fn ($missing) => ['zero', 'one', 'two']],
        'by key' => [['a', 'b'], fn ($missing) => ['b' => 2, 'a' => 1]],
        'other keys' => [['c'], fn ($missing) => ['x' => 1]],
        'nothing' => [['d'], fn ($missing) => []],
        'keys that are a list' => [[0, '1'], fn ($missing) => ['zero', 'one']],
        'the beginning of one' => [[5, 0, 3], fn ($missing) => ['zero']],
    ];
    foreach ($answers as $name => [$keys, $compute]) {
        $cache->deleteMultiple([...$keys, 0]);
        try {
            $values = $cache->rememberMany($keys, 60, $compute);
            echo "$name: ", json_encode($values, JSON_FORCE_OBJECT), "\n";
        } catch (ValueError $error) {
            echo "$name: ", $error->getMessage(), "\n    ",
                json_encode($cache->getMultiple($keys)), ' ', $cache->entry($keys[0])->status->name === 'Miss' ? '"not claimed"' : '"claimed"', "\n";
        }
    }
}
?>
--EXPECT--
a list: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array of values by key, [key => value, ...], a list returned
    {"a":null,"b":null} "not claimed"
one value: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array of values by key, [key => value, ...], a list returned
    {"a":null} "not claimed"
a longer list: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array of values by key, [key => value, ...], a list returned
    [null,null] "not claimed"
by key: {"a":1,"b":2}
other keys: {"c":null}
nothing: {"d":null}
keys that are a list: {"0":"zero","1":"one"}
the beginning of one: {"5":null,"0":"zero","3":null}
a list: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array of values by key, [key => value, ...], a list returned
    {"a":null,"b":null} "not claimed"
one value: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array of values by key, [key => value, ...], a list returned
    {"a":null} "not claimed"
a longer list: McPatterns\Cache::rememberMany(): Argument #3 ($compute) must return an array of values by key, [key => value, ...], a list returned
    [null,null] "not claimed"
by key: {"a":1,"b":2}
other keys: {"c":null}
nothing: {"d":null}
keys that are a list: {"0":"zero","1":"one"}
the beginning of one: {"5":null,"0":"zero","3":null}
