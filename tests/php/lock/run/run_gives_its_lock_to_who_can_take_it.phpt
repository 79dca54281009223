--TEST--
run() passes its lock to parameters that require or accept a Lock (L10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool};

class Logger {}
interface Marker {}
class Work
{
    public function __invoke(Lock $lock) { return get_debug_type($lock); }
    public static function stat(?Lock $lock = null) { return get_debug_type($lock); }
}
$lock = new Lock(new Pool('memory://m'), 'job');
$type = fn (string $declared, string $default = 'null') => eval("return function ($declared \$x = $default) { return get_debug_type(\$x); };");
$works = [
    'required' => function (Lock $x) { return get_debug_type($x); },
    'required of two' => function (Lock $x, $y = 2) { return get_debug_type($x); },
    'variadic' => function (...$x) { return count($x); },
    'variadic Lock' => function (Lock ...$x) { return count($x); },
    'variadic Logger' => function (Logger ...$x) { return count($x); },
    'variadic int' => function (int ...$x) { return count($x); },
    'required reference' => function (Lock &$x) { return get_debug_type($x); },
    'reference that is written' => function (&$x) { $x = new Logger; return get_debug_type($x); },
    'optional reference' => function (?Lock &$x = null) { return get_debug_type($x); },
    'optional reference to another' => function (?Logger &$x = null) { return get_debug_type($x); },
    'variadic reference' => function (&...$x) { return count($x); },
    'invokable' => new Work,
    '[invokable, __invoke]' => [new Work, '__invoke'],
    '[closure, __invoke]' => [function (Lock $x) { return get_debug_type($x); }, '__invoke'],
    '[closure of a reference, __invoke]' => [function (Lock &$x) { return get_debug_type($x); }, '__invoke'],
    '[closure of an optional int, __invoke]' => [function (int $x = 3) { return $x; }, '__invoke'],
    '[closure of nothing, __invoke]' => [fn () => func_num_args(), '__invoke'],
    'first class static' => Work::stat(...),
    'internal, a mixed' => 'get_debug_type',
    'internal, an optional int' => [new SplObjectStorage, 'count'],
    'internal, an optional object' => [new ReflectionMethod('Work', 'stat'), 'invoke'],
];
foreach (['?Lock', '?\mcpatterns\LOCK', 'null|int|\McPatterns\Lock', 'object|null', 'mixed', '', '?Logger', 'Logger|int|null', '?iterable', '?callable',
    '?Marker', '?array', '?string'] as $declared) {
    $works["optional $declared"] = $type(str_replace('?Lock', '?\McPatterns\Lock', $declared));
}
$works['optional Logger|Lock'] = $type('Logger|\McPatterns\Lock', 'new Logger');
$works['optional Marker&Lock, or null'] = $type('(Marker&\McPatterns\Lock)|null');
set_error_handler(function (int $level, string $message) { str_contains($message, "for static method") || print("($message) "); }); // PHP 8.6 says so of a static method
foreach ($works as $name => $work) {
    try {
        echo "$name: ", $lock->run($work), "\n";
    } catch (Throwable $error) {
        echo "$name: ", get_class($error), ': ', $error->getMessage(), "\n";
    }
    if ($lock->isLocked()) {
        echo "still locked\n";
    }
}
?>
--EXPECT--
required: McPatterns\Lock
required of two: McPatterns\Lock
variadic: 1
variadic Lock: 1
variadic Logger: 0
variadic int: 0
required reference: McPatterns\Lock
reference that is written: Logger
optional reference: McPatterns\Lock
optional reference to another: null
variadic reference: 1
invokable: McPatterns\Lock
[invokable, __invoke]: McPatterns\Lock
[closure, __invoke]: McPatterns\Lock
[closure of a reference, __invoke]: McPatterns\Lock
[closure of an optional int, __invoke]: 3
[closure of nothing, __invoke]: 0
first class static: McPatterns\Lock
internal, a mixed: McPatterns\Lock
internal, an optional int: 0
internal, an optional object: null
optional ?Lock: McPatterns\Lock
optional ?\mcpatterns\LOCK: McPatterns\Lock
optional null|int|\McPatterns\Lock: McPatterns\Lock
optional object|null: McPatterns\Lock
optional mixed: McPatterns\Lock
optional : McPatterns\Lock
optional ?Logger: null
optional Logger|int|null: null
optional ?iterable: null
optional ?callable: null
optional ?Marker: null
optional ?array: null
optional ?string: null
optional Logger|Lock: McPatterns\Lock
optional Marker&Lock, or null: null
