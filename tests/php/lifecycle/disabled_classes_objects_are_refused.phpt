--TEST--
Methods reject an object of a disabled class as unconstructed
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (PHP_VERSION_ID >= 80500) {
    die('skip has no disable_classes');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

$script = <<<'SCRIPT'
    use McPatterns\{Audit, Cache, Counter, EventLog, Lock, MC, MemberSet, OnlineCounter, Pool, RateLimiter, Semaphore, Table, UniqueVisitors};
    $taken = match ($argv[1]) {
        'Pool' => [
            fn ($pool) => new Cache($pool), fn ($pool) => new Lock($pool, 'x'), fn ($pool) => Lock::restore($pool, 'x', 'y'),
            fn ($pool) => new Semaphore($pool, 'x', 1), fn ($pool) => new Counter($pool, 'x'),
            fn ($pool) => Counter::drainMany($pool, ['x'], print_r(...)), fn ($pool) => new EventLog($pool, 'x'),
            fn ($pool) => new MemberSet($pool, 'x'), fn ($pool) => new OnlineCounter($pool, 'x'),
            fn ($pool) => new RateLimiter($pool, 'x', 1, 1), fn ($pool) => new Table($pool, 'x'),
            fn ($pool) => new UniqueVisitors($pool, 'x'), fn ($pool) => new McPatterns\SessionHandler($pool),
        ],
        'Cache' => [fn ($cache) => new Audit($cache), fn ($cache) => MC::use($cache)],
    };
    // Memory that is not zero before the object.
    $around = array_fill(0, 100, str_repeat("\xff", 24));
    $class = "McPatterns\\$argv[1]";
    $object = @new $class();
    foreach ($taken as $take) {
        try {
            $take($object);
            echo "taken\n";
        } catch (Error $error) {
            $messages[$error->getMessage()] = ($messages[$error->getMessage()] ?? 0) + 1;
        }
    }
    echo json_encode($messages), "\n";
    SCRIPT;
foreach (['Pool', 'Cache'] as $class) {
    echo run_script($script, [$class], ['disable_classes' => "McPatterns\\$class"]);
}
?>
--EXPECT--
{"McPatterns\\Pool object was never constructed":13}
{"McPatterns\\Cache object was never constructed":2}
