--TEST--
Key::of() rejects closures, resources, other objects and recursion with TypeErrors
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

class Loop implements JsonSerializable { public function jsonSerialize(): mixed { return [$this]; } }
class Thrower implements JsonSerializable { public function jsonSerialize(): mixed { throw new DomainException('mine'); } }
class BadText { public function __toString(): string { throw new DomainException('also mine'); } }

$self = [1];
$self['self'] = &$self;
$deep = [];
for ($depth = 0; $depth < 1000; $depth++) {
    $deep = [$deep];
}
$cases = [
    fn () => Key::of('k', fn () => 1),
    fn () => Key::of('k', 1, ['a' => [STDIN]]),
    fn () => Key::of('k', new stdClass()),
    fn () => Key::of('k', [new ArrayObject()]),
    fn () => Key::of('k', $self),
    fn () => Key::of('k', new Loop()),
    fn () => Key::of('k', $deep),
    fn () => Key::of('k', new Thrower()),
    fn () => Key::of('k', new BadText()),
    fn () => Key::of(''),
    fn () => Key::of('k', name: 1),
    fn () => new Key(),
];
foreach ($cases as $case) {
    try {
        echo $case(), "\n";
    } catch (Throwable $error) {
        $message = preg_replace('/^Internal function (.*) named variadic arguments$/', '$1 unknown named parameters', $error->getMessage()); // PHP 8.6
        echo get_class($error), ': ', $message, "\n";
    }
}
$shared = ['x'];
echo strlen(Key::of('k', [$shared, $shared, [$shared]])), "\n";
?>
--EXPECT--
TypeError: McPatterns\Key::of(): Argument #2 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, Closure given
TypeError: McPatterns\Key::of(): Argument #3 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, resource given
TypeError: McPatterns\Key::of(): Argument #2 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, stdClass given
TypeError: McPatterns\Key::of(): Argument #2 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, ArrayObject given
TypeError: McPatterns\Key::of(): Argument #2 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, and not contain itself
TypeError: McPatterns\Key::of(): Argument #2 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, and not contain itself
TypeError: McPatterns\Key::of(): Argument #2 must consist of null, scalars, arrays, enums, and DateTimeInterface, JsonSerializable or Stringable objects, nested at most 128 levels deep
DomainException: mine
DomainException: also mine
ValueError: McPatterns\Key::of(): Argument #1 ($head) must not be empty
ArgumentCountError: McPatterns\Key::of() does not accept unknown named parameters
Error: Call to private McPatterns\Key::__construct() from global scope
34
