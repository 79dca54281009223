--TEST--
remember() reports an unstorable result to the listener and returns it (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

class Refuser
{
    public function __serialize(): array { throw new DomainException('not me'); }
}
foreach (['closure' => fn () => 1, 'refuser' => new Refuser, 'large' => random_bytes(2_000_000)] as $name => $value) {
    $pool = new Pool("memory://$name");
    $pool->onError(function (string $message, array $context) {
        echo get_class($context['exception']), ", $context[kind], $context[key]\n";
    });
    var_dump((new Cache($pool))->remember($name, 10, fn () => $value) === $value);
}
?>
--EXPECT--
McPatterns\NotSerializableException, unstorable, closure
bool(true)
DomainException, unstorable, refuser
bool(true)
McPatterns\TooLargeException, unstorable, large
bool(true)
