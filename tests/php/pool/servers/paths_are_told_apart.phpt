--TEST--
Socket paths that differ by case or vertical bar are different servers
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

$upper = new Pool(['unix:///tmp/A', 'unix:///tmp/a', 'memory://A', 'memory://a']);
var_dump(count($upper->servers()));
foreach (['a.example,A.EXAMPLE', 'unix:///a,unix:///a'] as $same) {
    try {
        new Pool($same);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach ([['/a', '/b'], ['/a|1|unix:///b'], ['/a|1', '/b'], ['/a', '/b|1']] as $paths) {
    $pool = new Pool(array_map(fn ($path) => "unix://$path", $paths));
    echo implode(' ', array_column($pool->servers(), 'host')), "\n";
}
?>
--EXPECT--
int(4)
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "A.EXAMPLE" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "unix:///a" given
unix:///a unix:///b
unix:///a|1|unix:///b
unix:///a|1 unix:///b
unix:///a unix:///b|1
