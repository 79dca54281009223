--TEST--
Audit requires a rate of 0 to 1 and a constructed Cache
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

$cache = new Cache(new Pool('memory://audit'));
$audit = new Audit($cache);
foreach ([
    fn () => new Audit($cache, 1.0001),
    fn () => new Audit($cache, -0.1),
    fn () => new Audit($cache, NAN),
    fn () => new Audit($cache, 0, 'no function'),
    fn () => $audit->__construct($cache),
    fn () => clone $audit,
    fn () => serialize($audit),
    fn () => $audit->property = 1,
] as $do) {
    try {
        $do();
        echo "done\n";
    } catch (Throwable $thrown) {
        echo get_class($thrown), ': ', $thrown->getMessage(), "\n";
    }
}
?>
--EXPECT--
ValueError: McPatterns\Audit::__construct(): Argument #2 ($rate) must be between 0 and 1
ValueError: McPatterns\Audit::__construct(): Argument #2 ($rate) must be between 0 and 1
ValueError: McPatterns\Audit::__construct(): Argument #2 ($rate) must be between 0 and 1
TypeError: McPatterns\Audit::__construct(): Argument #3 ($compare) must be a valid callback or null, function "no function" not found or invalid function name
Error: Cannot call the constructor of a McPatterns\Audit twice
Error: Trying to clone an uncloneable object of class McPatterns\Audit
Exception: Serialization of 'McPatterns\Audit' is not allowed
Error: Cannot create dynamic property McPatterns\Audit::$property
