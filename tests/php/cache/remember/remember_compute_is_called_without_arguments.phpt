--TEST--
remember() passes arguments to $compute only if it has an Entry parameter
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$cache = new Cache(new Pool('memory://arguments'));
foreach (['pi', 'time', 'getmypid', 'php_sapi_name', 'gc_status'] as $function) {
    $value = $cache->remember($function, 100, $function);
    var_dump(gettype($value) === gettype($function()), $cache->peek($function) === $value);
}
var_dump($cache->remember('count', 100, fn (...$arguments) => count($arguments)));
var_dump($cache->remember('default', 100, fn ($given = 'its own default') => $given));
function &by_reference() { static $value = 'by reference'; return $value; }
var_dump($cache->remember('reference', 100, 'by_reference'), $cache->peek('reference'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
string(15) "its own default"
string(12) "by reference"
string(12) "by reference"
