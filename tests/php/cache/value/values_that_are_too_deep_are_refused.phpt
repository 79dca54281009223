--TEST--
Values nested more than 4,096 levels are rejected when stored
--EXTENSIONS--
mcpatterns
--INI--
unserialize_max_depth=100
--FILE--
<?php
use McPatterns\{Cache, Pool};

class Node
{
    public mixed $next = null;
}

$cache = new Cache(new Pool('memory://deep'));
/** So many levels, each made of the one inside it. */
function nest(int $depth, Closure $wrap): mixed
{
    for ($value = 'leaf'; $depth > 0; $depth--) {
        $value = $wrap($value);
    }
    return $value;
}
function measure(mixed $value): int
{
    for ($depth = 0; ! is_string($value); $depth++) {
        $value = is_array($value) ? current($value) : $value->next;
    }
    return $depth;
}
$wraps = [
    'arrays' => fn ($inner) => [$inner],
    'maps' => fn ($inner) => ['a key that is "quoted" {' => $inner, 'b' => 1],
    'references' => function ($inner) { return [&$inner]; },
    'objects' => function ($inner) { $node = new Node; $node->next = $inner; return $node; },
    'both in turn' => function ($inner) { $node = new Node; $node->next = $inner; return is_array($inner) ? $node : [$inner]; },
];
foreach ($wraps as $name => $wrap) {
    $answers = [];
    foreach ([101, 4096, 4097, 4200] as $depth) {
        $cache->set('k', 'old');
        try {
            $cache->set('k', nest($depth, $wrap));
            $answers[] = measure($cache->get('k')) === $depth ? 'read' : 'something else';
        } catch (TypeError $error) {
            $answers[$error->getMessage()] = $cache->get('k');
        }
    }
    echo $name, ': ', json_encode($answers), "\n";
}

echo "shared arrays\n";
$shared = ['end'];
for ($i = 0; $i < 60; $i++) {
    $inner = $shared;
    unset($shared);
    $shared = [&$inner, &$inner];
    unset($inner);
}
var_dump($cache->set('k', $shared), strlen(serialize($cache->get('k'))) === strlen(serialize($shared)));
$low = [[1]];
$high = nest(4095, fn ($inner) => [$inner]);
$wide = nest(2000, fn ($inner) => [$inner]);
foreach (['shallow first' => [$wide, nest(2100, fn ($inner) => [$inner]), [$wide]], 'deep through a known one' => [$wide, array_reduce(range(1, 2200), fn ($inner) => [$inner], $wide)],
    'fits exactly' => [$high, $high, $low], 'a level too much' => [[$high]]] as $name => $value) {
    try {
        $is_kept = $cache->set('k', $value) && $cache->get('k') === $value;
        echo $name, ': ', json_encode($is_kept), "\n";
    } catch (TypeError) {
        echo $name, ": refused\n";
    }
}
$itself = [1];
$itself[] = &$itself;
var_dump($cache->set('k', $itself), $cache->get('k')[1][1][0]);
?>
--EXPECT--
arrays: {"0":"read","1":"read","Cannot store the value of \"k\": not serializable: the value is nested more than 4096 levels deep":"old"}
maps: {"0":"read","1":"read","Cannot store the value of \"k\": not serializable: the value is nested more than 4096 levels deep":"old"}
references: {"0":"read","1":"read","Cannot store the value of \"k\": not serializable: the value is nested more than 4096 levels deep":"old"}
objects: {"0":"read","1":"read","Cannot store the value of \"k\": not serializable: the value is nested more than 4096 levels deep":"old"}
both in turn: {"0":"read","1":"read","Cannot store the value of \"k\": not serializable: the value is nested more than 4096 levels deep":"old"}
shared arrays
bool(true)
bool(true)
shallow first: true
deep through a known one: refused
fits exactly: true
a level too much: refused
bool(true)
int(1)
