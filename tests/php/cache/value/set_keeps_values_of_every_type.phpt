--TEST--
Cache::set() keeps values of each type, and distinguishes them from misses (C8)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Distribution, Pool};

class Point
{
    public function __construct(public int $x, protected ?Point $next = null, private array $more = [1]) {}
}

$cycle = new stdClass;
$cycle->self = $cycle;
$values = [
    'null' => null, 'false' => false, 'true' => true,
    'zero' => 0, 'one' => 1, 'minus one' => -1, 'largest' => PHP_INT_MAX, 'smallest' => PHP_INT_MIN,
    'empty' => '', "'0'" => '0', "'false'" => 'false', 'padded' => '5 ', 'bytes' => "\0\r\nEND\r\n\xff", 'long' => str_repeat("ab\0", 100_000),
    '0.0' => 0.0, '-0.0' => -0.0, '0.1' => 0.1, '1e300' => 1e300, 'third' => 1 / 3, '1.0' => 1.0, 'INF' => INF, '-INF' => -INF, 'tiny' => PHP_FLOAT_MIN,
    '[]' => [], 'list' => [1, '1', 1.0, true, null, [[]]], 'map' => ['0' => 'a', 'b' => ['c' => null]],
    'object' => new Point(1, new Point(2)), 'date' => new DateTimeImmutable('2008-10-01 UTC'), 'enum' => Distribution::Modulo, 'iterator' => new ArrayObject([1, 2]),
    'cycle' => $cycle,
];
$same = fn ($a, $b) => serialize($a) === serialize($b);

$cache = new Cache(new Pool('memory://types'));
$wrong = [];
foreach ($values as $name => $value) {
    if ($cache->set($name, $value) !== true) {
        $wrong[] = "set $name";
    }
}
$many = $cache->getMultiple(array_keys($values), 'MISS');
foreach ($values as $name => $value) {
    $answers = [
        'get' => $cache->get($name, 'MISS'),
        'peek' => $cache->peek($name, 'MISS'),
        'entry' => $cache->entry($name)->value,
        'getMultiple' => $many[$name],
        'remember' => $cache->remember($name, 60, fn () => 'MISS'),
        'remembered' => $cache->remember("computed $name", 60, fn () => $value),
        'again' => $cache->remember("computed $name", 60, fn () => 'MISS'),
        'pull' => $cache->pull($name, 'MISS'),
    ];
    foreach ($answers as $how => $answer) {
        if (!$same($answer, $value)) {
            $wrong[] = "$how $name: " . get_debug_type($answer);
        }
    }
    if ($cache->has($name) || $cache->get($name, 'MISS') !== 'MISS') {
        $wrong[] = "still there: $name";
    }
}
$cache->set('nan', NAN);
var_dump($cache->get('nan'), $wrong, count($values));
?>
--EXPECT--
float(NAN)
array(0) {
}
int(31)
