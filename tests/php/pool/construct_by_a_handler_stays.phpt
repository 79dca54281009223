--TEST--
A Pool that a handler of a deprecation constructs in the middle of its construction stays what that made it
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

$pool = null;
set_error_handler(function () use (&$pool) {
    $pool = debug_backtrace()[1]['object'];
    $pool->__construct('memory://inner');
    return true;
});
try {
    new Pool('memory://outer', failover: null);
    echo "no deprecation\n";
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
echo $pool->servers()[0]['host'], "\n";
?>
--EXPECT--
Cannot call the constructor of a McPatterns\Pool twice
memory://inner
