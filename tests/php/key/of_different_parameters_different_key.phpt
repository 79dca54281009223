--TEST--
Key::of() returns different keys for different parameters
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

enum Suit { case Hearts; case Spades; }
enum Other: string { case Hearts = 'Hearts'; }
class Text { public function __construct(public string $text) {} public function __toString(): string { return $this->text; } }
class Word extends Text {}
class Json implements JsonSerializable { public function __construct(public mixed $data) {} public function jsonSerialize(): mixed { return $this->data; } }

$different = [
    [], [null], [null, null], [false], [true], [0], [1], [-1], [1.0], [0.5], [INF], [-INF], [NAN], [''], ['0'], ['1'], ['1.0'], ['N'], ['a'], ['ab'],
    ['a', 'b'], ['b', 'a'], ["a\0"], ["\0a"], ["i1;"], [[]], [[[]]], [['a', 'b']], [['b', 'a']], [['a'], ['b']], [[['a'], 'b']], [['a', ['b']]],
    [[1 => 'a']], [['a', 1 => 'b', 3 => 'c']], [[1 => 'a', 0 => 'b']], [['x' => 'a']], [['a' => 'x']], [['x' => ['a']]], [['1a' => 'a']],
    [[null]], [['' => 'a']], [[PHP_INT_MIN => 1]], [[PHP_INT_MAX => 1]], [PHP_INT_MAX], [(float) PHP_INT_MAX],
    [Suit::Hearts], [Suit::Spades], [Other::Hearts], ['Hearts'],
    [new Text('a')], [new Word('a')], [new Json('a')], [new Json(['a'])], [new Json(new Json('a'))],
    [new DateTime('@0')], [new DateTime('@1')], [new DateTime('@0.000001')], [new DateTime('1970-01-01', new DateTimeZone('UTC'))],
    [new DateTime('1970-01-01 01:00', new DateTimeZone('Europe/Paris'))], ['0.000000 UTC'],
];
$keys = [];
foreach ($different as $index => $parts) {
    $key = Key::of('k', ...$parts);
    if (isset($keys[$key])) {
        echo "$index is the same as $keys[$key]\n";
    }
    $keys[$key] = $index;
}
var_dump(count($keys) === count($different));
var_dump(Key::of('k', 1) === Key::of('l', 1));
?>
--EXPECT--
bool(true)
bool(false)
