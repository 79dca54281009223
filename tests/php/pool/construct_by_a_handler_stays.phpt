--TEST--
A Pool that an error handler constructed during construction stays unchanged
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
