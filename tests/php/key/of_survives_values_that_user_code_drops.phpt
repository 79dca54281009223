--TEST--
Key::of() uses original values if user code replaces references
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

/** Drops what the test says, and fills the freed memory. */
abstract class Dropper
{
    public static ?Closure $drop = null;
    public static array $filled = [];
    public function __construct(public string $answer = 'answer') {}
    protected function dropAndAnswer(): string
    {
        self::$drop && (self::$drop)();
        for ($i = 0; $i < 50; $i++) {
            self::$filled[] = [str_repeat('x', $i), $i, [$i => $i]];
        }
        return $this->answer;
    }
}

class Text extends Dropper
{
    public function __toString(): string
    {
        return $this->dropAndAnswer();
    }
}

class Json extends Dropper implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        return [$this->dropAndAnswer()];
    }
}

function key_of(array $parts): string
{
    Dropper::$filled = [];
    return Key::of('k', $parts);
}

foreach ([Text::class, Json::class] as $class) {
    $tail = fn () => [str_repeat('a', 3), ['deep' => [1, 2, str_repeat('b', 3)]], 4.5, 6];
    $shapes = [
        'list' => fn () => [new $class, ...$tail()],
        'map' => fn () => ['first' => new $class, 'tail' => $tail()],
        'within' => fn () => [[[new $class, $tail()], $tail()], $tail()],
        'object' => fn () => new $class,
        'two objects' => fn () => [new $class, new $class('other'), ...$tail()],
    ];
    foreach ($shapes as $name => $shape) {
        Dropper::$drop = null;
        $expected = key_of([$shape(), 'after']);
        $value = $shape();
        Dropper::$drop = function () use (&$value) { $value = null; };
        $dropped = key_of([&$value, 'after']);
        $value = $shape();
        Dropper::$drop = function () use (&$value) { is_array($value) ? array_splice($value, 0) : $value = 5; };
        $emptied = key_of([&$value, 'after']);
        Dropper::$drop = function () use (&$value) { $value = [$value, $value]; };
        $value = $shape();
        $wrapped = key_of([&$value, 'after']);
        echo "$class, $name: ", json_encode([$dropped === $expected, $emptied === $expected, $wrapped === $expected]), "\n";
    }
}
?>
--EXPECT--
Text, list: [true,true,true]
Text, map: [true,true,true]
Text, within: [true,true,true]
Text, object: [true,true,true]
Text, two objects: [true,true,true]
Json, list: [true,true,true]
Json, map: [true,true,true]
Json, within: [true,true,true]
Json, object: [true,true,true]
Json, two objects: [true,true,true]
