--TEST--
Each stored value is returned exactly, with its type
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

final class Point
{
    public function __construct(public int $x = 0, protected ?Point $next = null, private array $tags = []) {}
}

$cache = new Cache(new Pool('memory://m'));
$twice = new Point(7);
$values = [
    '', 'text', "binary\0\r\nEND\r\n", '0', '1', '1.0', 'b:0;', 'N;', 'INF', str_repeat('x', 500000),
    0, 1, -1, PHP_INT_MAX, PHP_INT_MIN,
    0.0, -0.0, 1.0, 0.1, 1 / 3, 1e100, -1.5e-300, PHP_FLOAT_MAX, PHP_FLOAT_MIN, PHP_FLOAT_EPSILON, 4.9e-324, 123456789012345678.0,
    INF, -INF, true, false, null,
    [], [1, [2, ['a' => null]]], ['b' => 1, 'a' => 2, 7 => 3], new Point(1, new Point(2), ['t']), [$twice, $twice], Status::Stale,
    new ArrayObject([1, 2]), new DateTimeImmutable('2024-02-29 12:00:00.5 Europe/Paris'),
];
foreach ($values as $index => $value) {
    $cache->set("k$index", $value);
    $found = $cache->get("k$index", 'missing');
    if (serialize($found) !== serialize($value)) {
        echo "$index: ";
        var_dump($value, $found);
    }
}
$cache->set('nan', NAN);
var_dump(is_nan($cache->get('nan')));
[$one, $other] = $cache->get('k' . array_search([$twice, $twice], $values, true));
var_dump($one === $other);

$reference = [1, 2];
$reference[1] = &$reference[0];
$cache->set('reference', $reference);
$found = $cache->get('reference');
$found[0] = 5;
var_dump($found[1]);
?>
--EXPECT--
bool(true)
bool(true)
int(5)
