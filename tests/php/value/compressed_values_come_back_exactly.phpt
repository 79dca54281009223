--TEST--
Compressed values decompress exactly by each reader's settings
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/compressions.inc';

mt_srand(1);
$noise = fn (int $length): string => implode('', array_map(fn () => chr(mt_rand(0, 255)), range(1, $length)));
$values = [
    str_repeat('a', 2001), str_repeat("line\r\nEND\r\n", 500), str_repeat('x', 3_000_000), str_repeat("\0", 2048),
    $noise(2001), $noise(5000) . str_repeat('b', 5000), range(1, 5000), array_fill(0, 300, ['id' => 7, 'title' => 'A headline']),
    new ArrayObject(range(1, 2000)), '', 'short', 4711, 0.5, true, null, [],
];
$read = 0;
foreach (['memory://m', start_memcached()->address] as $address) {
    foreach (compressions() as $writing) {
        $writer = new Cache(new Pool($address, compression: $writing));
        foreach ($values as $index => $value) {
            if ($writing->name === 'None' && is_string($value) && strlen($value) > 1_000_000) {
                continue;
            }
            $writer->set("k$index", $value);
            foreach (compressions() as $reading) {
                $found = (new Cache(new Pool($address, compression: $reading)))->get("k$index", 'missing');
                $read++;
                if (serialize($found) !== serialize($value)) {
                    echo "$address {$writing->name} {$reading->name} $index differs\n";
                }
            }
        }
    }
}
echo $read >= 2 * 15 ? "all read\n" : "$read\n";
?>
--EXPECT--
all read
