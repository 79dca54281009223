--TEST--
mcpatterns.report_key_drift reports only parameters that differ by type or order
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.report_key_drift=1
--FILE--
<?php
use McPatterns\Key;

enum Size: string { case Small = '1'; case Large = 'x'; }
final class Name { public function __construct(private string $name) {} public function __toString(): string { return $this->name; } }
final class Filter implements JsonSerializable { public function __construct(private mixed $max) {} public function jsonSerialize(): mixed { return ['max' => $this->max]; } }

$notices = 0;
set_error_handler(function () use (&$notices): bool { $notices++; return true; });
$number = 0;
// A head of its own for each pair, and a place of its own for each comparison.
function is_reported(mixed $one, mixed $other): bool
{
    global $notices, $number;
    $number++;
    $before = $notices;
    $call = "return fn (string \$head, mixed \$value) => McPatterns\Key::of(\$head, \$value);";
    foreach ([$one, $other] as $value) {
        (eval(str_repeat("\n", $number) . $call))("pair $number", $value);
    }
    return $notices > $before;
}

$scalars = [null, false, true, 0, 1, 7, 0.0, 1.0, PHP_INT_MAX, (float) PHP_INT_MIN, NAN, '', '0', '0.0', ' 0', '1', '01', '1e0', ' 7', '7x', 'x',
    '9223372036854775807', '-9223372036854775808', [], [0], [null], ['']];
$wrong = 0;
foreach ($scalars as $i => $one) {
    foreach (array_slice($scalars, $i + 1) as $other) {
        // true equals nearly everything; here it counts as 1.
        $expected = ($one === true ? 1 : $one) == ($other === true ? 1 : $other) && Key::of('same', $one) !== Key::of('same', $other);
        foreach ([[$one, $other], [$other, $one], [[$one], [$other]], [['a' => [5, $one]], ['a' => [5, $other]]]] as $pair) {
            if (is_reported(...$pair) !== $expected) {
                $wrong++;
                echo json_encode($pair, JSON_PARTIAL_OUTPUT_ON_ERROR), $expected ? ' not' : '', " reported\n";
            }
        }
    }
}
echo "$wrong of ", $number, " pairs judged otherwise than by ==\n";

$tokyo = new DateTimeZone('Asia/Tokyo');
$pairs = [
    'order' => [[1, 2, 3], [3, 1, 2]],
    'order and types' => [['a', 1, null], ['', 'a', '1']],
    'order within' => [['x' => [[1, 2], [3]]], ['x' => [[3], [2, 1]]]],
    'list and map' => [['a', 'b'], [1 => 'b', 0 => 'a']],
    'instants' => [new DateTimeImmutable('@1'), (new DateTimeImmutable('@1'))->setTimezone($tokyo)],
    'stringable' => [new Name('x'), 'x'],
    'numeric stringable' => [new Name('7'), 7],
    'json' => [new Filter(5), new Filter('5')],
    'references' => [[&$tokyo_id], [0]],
    'more in a list' => [[1, 2], [1, 2, 2]],
    'how often' => [[1, 1, 2], [1, 2, 2]],
    'keys' => [['a' => 1], ['b' => 1]],
    'keys of numbers' => [['7' => 1], ['07' => 1]],
    'values swapped' => [['a' => 1, 'b' => 2], ['a' => 2, 'b' => 1]],
    'empty ones that differ' => [[0, 1], ['', 1]],
    'cases' => [Size::Small, Size::Large],
    'case and its value' => [Size::Small, '1'],
    'classes' => [new Filter(5), ['max' => 5]],
    'later' => [new DateTimeImmutable('@1'), new DateTimeImmutable('@2')],
    'thirty-two empty' => [array_fill(0, 32, null), array_fill(0, 32, '')],
    'too many digits' => ['9223372036854775808', '9223372036854775809'],
    'bytes' => ["a\0b", "a\0c"],
];
foreach ($pairs as $what => $pair) {
    echo $what, ': ', is_reported(...$pair) ? 'reported' : '-', "\n";
}
$notices = 0;
Key::of('three', '');
Key::of('three', '0');
echo "two that are not alike: $notices\n";
Key::of('three', 0);
echo "the third is like one of them: $notices\n";
?>
--EXPECT--
0 of 1404 pairs judged otherwise than by ==
order: reported
order and types: reported
order within: reported
list and map: reported
instants: reported
stringable: reported
numeric stringable: reported
json: reported
references: reported
more in a list: -
how often: -
keys: -
keys of numbers: -
values swapped: -
empty ones that differ: -
cases: -
case and its value: -
classes: -
later: -
thirty-two empty: reported
too many digits: -
bytes: -
two that are not alike: 0
the third is like one of them: 1
