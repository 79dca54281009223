--TEST--
Array shapes in the stubs equal what the methods return
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

const STUBS = __DIR__ . '/../../stubs/mcpatterns.php';

/** The first array{...} in the text: what it says of each key, without ranges and what strings are like. */
function shape_in(string $text): array
{
    preg_match('/array\{(.*?)\}/', $text, $found) ?: die("no shape in $text\n");
    preg_match_all('/(\w+\??): ((?:int<.*?>|[^,])+)/', $found[1], $keys);
    return array_combine($keys[1], preg_replace(['/<.*?>/', '/non-empty-|^\\\\/', "/^'.*'$/"], ['', '', 'string'], $keys[2]));
}

/** The shape that stands before a method's name. */
function shape_of(string $class, string $method): array
{
    $stubs = strstr(file_get_contents(STUBS), "class $class\n");
    return shape_in(strrchr(strstr($stubs, "function $method(", true), '@'));
}

function compare(string $what, array $shape, array $found): void
{
    foreach ($shape as $key => $type) {
        $name = rtrim($key, '?');
        $is_right = isset($found[$name]) ? $found[$name] instanceof $type || get_debug_type($found[$name]) === $type : $name !== $key;
        echo $is_right ? '' : "$what: $key is no $type\n";
    }
    echo "$what: ", implode(' ', array_diff(array_keys($found), array_map(fn ($key) => rtrim($key, '?'), array_keys($shape)))) ?: 'as said', "\n";
}

$down = new Pool('unix:///there/is/none');
compare('Cache::stats', shape_of('Cache', 'stats'), (new Cache($down))->stats());
compare('Pool::servers', shape_of('Pool', 'servers'), $down->servers()[0]);

$contexts = [];
$down->onError(function (string $message, array $context) use (&$contexts) { $contexts[] = $context; });
(new Cache($down))->get('key');
compare('Pool::lastErrors', shape_of('Pool', 'lastErrors'), $down->lastErrors()['unix:///there/is/none']);

$memory = new Pool('memory://shapes');
$memory->onError(function (string $message, array $context) use (&$contexts) { $contexts[] = $context; });
try {
    (new Cache($memory))->set('key', fn () => 1);
} catch (McPatterns\UnstorableException) {
}
foreach ($contexts as $context) {
    compare("a listener's $context[kind]", shape_in(strstr(file_get_contents(STUBS), '@phpstan-type ErrorContext')), $context);
}
?>
--EXPECT--
Cache::stats: as said
Pool::servers: as said
Pool::lastErrors: as said
a listener's server: as said
a listener's unstorable: as said
