--TEST--
Cache::getMultiple() of 9,000 keys keeps the order, integer keys and values, and a value of the last slice that throws is missing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

class Bomb
{
    public function __unserialize(array $data): void
    {
        throw new LogicException("cannot unserialize {$data[0]}");
    }

    public function __serialize(): array
    {
        return ['a bomb'];
    }
}

function value(int $i): mixed
{
    return match ($i % 4) {
        0 => "string $i",
        1 => $i,
        2 => [$i],
        3 => null,
    };
}

$pool = new Pool('memory://test');
$caches = [
    'plain' => fn (string $prefix): Cache => new Cache($pool, $prefix, ttl: 100),
    'near' => fn (string $prefix): Cache => new Cache($pool, $prefix, ttl: 100, near: 60),
    'clearable' => fn (string $prefix): Cache => new Cache($pool, $prefix, ttl: 100, clearable: true),
];
foreach ($caches as $kind => $create) {
    foreach (['names' => 'key ', 'integers' => ''] as $keys => $prefix) {
        $cache = $create("$kind, $keys:");
        $values = [];
        for ($i = 9000; $i > 0; $i--) {
            $values[$prefix . 3 * $i] = value($i);
        }
        $cache->setMultiple($values);
        foreach (['first', 'second'] as $read) {
            $found = $cache->getMultiple(array_keys($values), 'missing');
            echo "$kind, $keys, $read read: ", $found === $values ? 'all, in order' : 'wrong', "\n";
        }
    }
    $cache->set('3', new Bomb());
    $values[3] = 'missing';
    echo "$kind: ", $cache->getMultiple(array_keys($values), 'missing') === $values ? 'the last is missing' : 'wrong', "\n";
}
?>
--EXPECT--
plain, names, first read: all, in order
plain, names, second read: all, in order
plain, integers, first read: all, in order
plain, integers, second read: all, in order
plain: the last is missing
near, names, first read: all, in order
near, names, second read: all, in order
near, integers, first read: all, in order
near, integers, second read: all, in order
near: the last is missing
clearable, names, first read: all, in order
clearable, names, second read: all, in order
clearable, integers, first read: all, in order
clearable, integers, second read: all, in order
clearable: the last is missing
