--TEST--
A fatal error while using pools causes no crash or second error
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Key, Pool};

ini_set('mcpatterns.servers', 'memory://m');
$pools = [Pool::default(), new Pool(['memory://a', 'memory://b'], persistent: false)];
Clock::freeze();
register_shutdown_function(function () use ($pools) {
    echo 'shutdown function: ', $pools[0]->serverFor('k'), "\n";
});

class Failing implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        eval('class Fatal implements Countable {}');
    }
}
Key::of('k', [1, ['a' => new Failing()]]);
?>
--EXPECTF--
Fatal error: Class Fatal contains 1 abstract method %s in %s on line %d
shutdown function: memory://m
