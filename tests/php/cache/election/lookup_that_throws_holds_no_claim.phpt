--TEST--
lookup and getMultiple that end in an exception of a value's own code keep no claim: their caller never hears that it was elected (C6, C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Changed
{
    public static ?Closure $first = null;
    public function __unserialize(array $data): void
    {
        (self::$first ?? fn () => null)();
        throw new DomainException('cannot be read any more');
    }
}
$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$cache = new Cache($pool, ttl: 100, lease: 60);
$other = new Cache($pool);
$ways = [
    'lookup' => fn () => $cache->lookup('changed'),
    'getMultiple' => fn () => $cache->getMultiple(['elected', 'fresh and changed', 'never looked at']),
];
$write = function () use ($cache) {
    foreach (['changed' => new Changed(), 'elected' => 1, 'fresh and changed' => new Changed(), 'never looked at' => 2] as $key => $value) {
        $cache->set($key, $value);
    }
    array_map($cache->expire(...), ['changed', 'elected', 'never looked at']);
};
foreach ($ways as $name => $way) {
    $write();
    try {
        $way();
    } catch (DomainException $exception) {
        echo "$name: ", $exception->getMessage(), "\n";
    }
    // The next one is elected, by whichever method: nobody waits for a lease.
    foreach (['changed', 'elected', 'never looked at'] as $key) {
        echo "  $key: ", var_export($cache->publish($key, 'mine'), true), ', ', $other->get($key, 'elected'), "\n";
        $other->set($key, 'theirs');
    }
}

// What the value's own code has done with the key is not undone.
$write();
Changed::$first = fn () => $cache->set('changed', 'by its own code');
try {
    $cache->lookup('changed');
} catch (DomainException $exception) {
    echo $cache->get('changed'), "\n";
}
?>
--EXPECT--
lookup: cannot be read any more
  changed: false, elected
  elected: false, elected
  never looked at: false, elected
getMultiple: cannot be read any more
  changed: false, elected
  elected: false, elected
  never looked at: false, elected
by its own code
