--TEST--
A fatal error in the middle of a request that uses pools ends it as any other: no crash, no second error
--EXTENSIONS--
mcpatterns
--INI--
memory_limit=8M
--FILE--
<?php
use McPatterns\{Clock, Key, Pool};

ini_set('mcpatterns.servers', 'memory://m');
$pools = [Pool::default(), new Pool(['memory://a', 'memory://b'], persistent: false)];
Clock::freeze();
register_shutdown_function(function () use ($pools) {
    echo 'shutdown function: ', $pools[0]->serverFor('k'), "\n";
});

class Hungry implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        return str_repeat('x', 1 << 30);
    }
}
Key::of('k', [1, ['a' => new Hungry()]]);
?>
--EXPECTF--
Fatal error: Allowed memory size of 8388608 bytes exhausted%s in %s on line %d
shutdown function: memory://m
