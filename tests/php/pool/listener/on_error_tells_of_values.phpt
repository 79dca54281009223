--TEST--
Pool::onError() reports unstorable and unreadable values, also on memory://
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Compression, Counter, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Throwing
{
    public function __serialize(): array
    {
        throw new DomainException();
    }
}

$memcached = start_memcached();
foreach (['memory://values', $memcached->address] as $server) {
    Clock::advance(10);
    $pool = new Pool($server, 'p:', compression: Compression::None);
    $pool->onError(function (string $message, array $context) use ($server) {
        ['kind' => $kind, 'key' => $key] = $context;
        $exception = isset($context['exception']) ? get_class($context['exception']) : 'no exception';
        echo "  told: $message ($kind, $key, $exception, ", $context['server'] === name_of($server) ? 'its server' : 'another', ")\n";
    });
    $cache = new Cache($pool);
    foreach (['closure' => fn () => 1, 'large' => str_repeat('x', 1 << 21)] as $key => $value) {
        foreach (['set', 'add'] as $method) {
            try {
                $cache->$method($key, $value);
            } catch (McPatterns\UnstorableException) {
                echo "$method: caught\n";
            }
        }
        Clock::advance(1);
    }
    echo "what a value's own code throws\n";
    try {
        $cache->set('k', new Throwing());
    } catch (DomainException) {
        echo "caught\n";
    }
    echo "foreign\n";
    (new Counter($pool, 'number'))->set(5);
    (new Counter($pool, 'more'))->set(5);
    var_dump($cache->get('number'), $cache->get('more'));
    Clock::advance(1);
    var_dump($cache->getMultiple(['number', 'more'])['more']);
    Clock::advance(1);
    echo $cache->remember('number', 10, fn () => 'computed'), "\n";
    var_dump($cache->stats()['unreadable']);
}
?>
--EXPECT--
told: The value of "closure" cannot be stored: McPatterns\NotSerializableException: Cannot store the value of "closure": not serializable: Serialization of 'Closure' is not allowed (unstorable, closure, McPatterns\NotSerializableException, its server)
set: caught
add: caught
  told: The value of "large" cannot be stored: McPatterns\TooLargeException: Cannot store the value of "large": it is larger than memcached's limit of 1 MiB (unstorable, large, McPatterns\TooLargeException, its server)
set: caught
add: caught
what a value's own code throws
caught
foreign
  told: The value of "p:number" cannot be read (unreadable, p:number, no exception, its server)
NULL
NULL
  told: The value of "p:number" cannot be read (unreadable, p:number, no exception, its server)
NULL
  told: The value of "p:number" cannot be read (unreadable, p:number, no exception, its server)
computed
int(5)
  told: The value of "closure" cannot be stored: McPatterns\NotSerializableException: Cannot store the value of "closure": not serializable: Serialization of 'Closure' is not allowed (unstorable, closure, McPatterns\NotSerializableException, its server)
set: caught
add: caught
  told: The value of "large" cannot be stored: McPatterns\TooLargeException: Cannot store the value of "large": it is larger than memcached's limit of 1 MiB (unstorable, large, McPatterns\TooLargeException, its server)
set: caught
add: caught
what a value's own code throws
caught
foreign
  told: The value of "p:number" cannot be read (unreadable, p:number, no exception, its server)
NULL
NULL
  told: The value of "p:number" cannot be read (unreadable, p:number, no exception, its server)
NULL
  told: The value of "p:number" cannot be read (unreadable, p:number, no exception, its server)
computed
int(5)
