--TEST--
Damaged igbinary objects are misses and never crash
--EXTENSIONS--
igbinary
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary');
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';

final class Money
{
    public int $amount = 1;
    public function __serialize(): array
    {
        return ['amount' => $this->amount];
    }
    public function __unserialize(array $data): void
    {
        $this->amount = $data['amount'];
    }
}

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
$kept = [];
/** Reads it often, and uses the memory of what was freed. */
function read(string $block): mixed
{
    global $server, $cache, $kept;
    put_raw($server, 'k', make_envelope('k', $block), envelope_flags(5));
    for ($i = 0; $i < 5; $i++) {
        $found = $cache->get('k', 'miss');
        array_push($kept, new Money, [$i => $i], new Money, [$i => $i]);
    }
    return $found;
}

$begin = "\0\0\0\2\x14\2\6\0\x17\5Money\x14\1\x11\6amount\6\1"; // [0 => Money(1), and one more
$damaged = [
    'a count that is not there' => "\6\1\x1A\0\x14\xC8",
    'cut before a count' => "\6\1\x1A\0\x14",
    'a float as a key' => "\x0C",
    'an array as a key' => "\x14\0\6\1",
    'an object as a key' => "\x1A\0\x14\0\6\1",
    'a key that stood nowhere' => "\x0E\x09\6\1",
    'a reference as a key' => "\x25\6\1\6\1",
];
foreach ($damaged as $how => $rest) {
    echo "$how: ", json_encode(read($begin . $rest)), "\n";
}
echo 'whole: ', json_encode(read("$begin\6\1\6\5")), ' ', json_encode(read("$begin\x0E\1\6\5")), ' ', json_encode(read("$begin\0")), "\n";

$block = igbinary_serialize([new Money, 'x' => [new Money, new ArrayObject([new Money])], 'tail' => str_repeat('x', 20)]);
for ($length = 0, $misses = 0; $length < strlen($block); $length++) {
    $misses += read(substr($block, 0, $length)) === 'miss';
}
var_dump($misses === strlen($block), read($block)['x'][1][0]->amount);
?>
--EXPECT--
a count that is not there: "miss"
cut before a count: "miss"
a float as a key: "miss"
an array as a key: "miss"
an object as a key: "miss"
a key that stood nowhere: "miss"
a reference as a key: "miss"
whole: [{"amount":1},5] {"0":{"amount":1},"amount":5} [{"amount":1}]
bool(true)
int(1)
