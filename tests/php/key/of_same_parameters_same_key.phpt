--TEST--
Key::of() ignores the order of string keys in equal parameters
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Key;

final class Text
{
    public function __construct(private string $text) {}
    public function __toString(): string { return $this->text; }
}

$b = 'b';
$date = '2024-03-31T01:30:00.123456';
$same = [
    'order of string keys' => [['a' => 1, 'b' => [1, ['x' => 1, 'y' => 2]]], ['b' => [1, ['y' => 2, 'x' => 1]], 'a' => 1]],
    'order of integer keys' => [[5 => 'a', 2 => 'b'], [2 => 'b', 5 => 'a']],
    'order of mixed keys' => [['x' => 1, 3 => 2, -1 => 3], [-1 => 3, 'x' => 1, 3 => 2]],
    'references' => [['a' => &$b], ['a' => 'b']],
    'packed or not' => [array_values(['x' => 1, 'y' => 2]), [1, 2]],
    'zeros' => [0.0, -0.0],
    'not numbers' => [NAN, -NAN],
    'dates' => [new DateTime($date), new DateTimeImmutable($date)],
    'objects' => [new Text('x'), new Text('x')],
];
foreach ($same as $what => [$one, $other]) {
    echo $what, ' ', var_export(Key::of('k', $one) === Key::of('k', $other), true), "\n";
}
?>
--EXPECT--
order of string keys true
order of integer keys true
order of mixed keys true
references true
packed or not true
zeros true
not numbers true
dates true
objects true
