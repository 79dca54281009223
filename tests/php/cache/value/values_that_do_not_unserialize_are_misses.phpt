--TEST--
An undecodable value is a miss, and remember() computes it once (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

class Strict
{
    public int $number = 1;
}

$server = start_memcached();
$pool = new Pool($server->address);
$values = [
    'no serialization' => ['hello', 4],
    'cut off' => ['a:2:{i:0;s:5:"hello";', 4],
    'something after it' => ['i:1;i:2;', 4],
    'empty' => ['', 4],
    'wrong property type' => ['O:6:"Strict":1:{s:6:"number";s:3:"abc";}', 4],
    'broken DateTime' => ['O:8:"DateTime":1:{s:4:"date";s:3:"abc";}', 4],
    'an enum case that is gone' => ['E:28:"McPatterns\Distribution:None";', 4],
    'igbinary' => ["\0\0\0\2\xff\x01", 5],
    'unknown type' => ['x', 15],
    'compressed' => ['x', 0x10],
    'no integer' => ['12x', 1],
    'too large an integer' => ['9223372036854775808', 1],
    'no float' => ['1.5.5', 2],
    'no bool' => ['2', 3],
];
$wrong = 0;
$fresh = fn ($key, $payload) => make_envelope($key, $payload);
$old = fn ($key, $payload) => make_envelope($key, $payload, ['soft' => (int) (microtime(true) * 1000) - 1]);
foreach ($values as $name => [$payload, $type]) {
    foreach ([$fresh, $old] as $age => $make) {
        $cache = new Cache($pool);
        put_raw($server, 'k', $make('k', $payload), envelope_flags($type));
        $answers = [$cache->peek('k') ?? 'miss', $cache->has('k'), $cache->entry('k')->status->name, $cache->get('k', 'miss'), $cache->get('k', 'miss'), $cache->getMultiple(['k'], 'miss')];
        if ($answers !== ['miss', false, 'Miss', 'miss', 'miss', ['k' => 'miss']] || $cache->stats()['unreadable'] < 5) {
            $wrong++;
            echo "$name: ", json_encode($answers), ' unreadable ', $cache->stats()['unreadable'], "\n";
        }
        put_raw($server, 'k', $make('k', $payload), envelope_flags($type));
        $calls = 0;
        $cache = new Cache($pool);
        for ($i = 0; $i < 3; $i++) {
            $other = new Cache($pool);
            $value = $other->remember('k', null, function () use (&$calls) { $calls++; return ['whole']; });
            if ($value !== ['whole'] || $calls !== 1) {
                $wrong++;
                echo "$name, age $age: $calls calls\n";
            }
        }
    }
}
var_dump($wrong);
?>
--EXPECT--
int(0)
