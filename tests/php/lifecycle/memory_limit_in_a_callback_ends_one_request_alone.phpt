--TEST--
A worker computes normally after memory_limit ended a request's callback
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/fpm.inc';
require __DIR__ . '/../../_support/memcached.inc';

putenv('USE_ZEND_ALLOC=1'); // valgrind's runs are without it, and then there is no memory limit
$server = start_memcached();
$fpm = start_fpm(workers: 1);
$fpm->script('page', <<<'PHP'
use McPatterns\{Cache, Pool};

ini_set('fatal_error_backtraces', '0');
$cache = new Cache(new Pool($_GET['server'], timeout: 10), lease: 1000);
$junk = [];
for ($i = 0; $i < 2000; $i++) {
    $junk[] = str_repeat(chr(65 + $i % 26), 40 + $i % 200); // in the place of what the request before has left
}
$fill = function () {
    ini_set('memory_limit', '8M');
    return str_repeat('x', 100_000_000);
};
foreach ($_GET['keys'] as $key) {
    echo $cache->remember($key, 100, fn () => isset($_GET['fill']) ? $fill() : "computed $key", wait: 0), ' ';
}
PHP);
$ask = fn (string ...$keys) => $fpm->ask('page', http_build_query(['server' => $server->address, 'keys' => $keys]));
$fill = fn (string ...$keys) => $fpm->ask('page', http_build_query(['server' => $server->address, 'keys' => $keys, 'fill' => 1]));
$workers = $fpm->workers();
foreach (['a', 'b'] as $key) {
    echo 'filled: "', $fill($key), "\"\n", $ask("other $key", $key), "\n", $ask($key), "\n";
}
echo preg_replace('/ in \S+ on line \d+| \(tried.*?\)/', '', $fpm->log());
echo $fpm->workers() === $workers ? 'the same worker' : $fpm->master_log(), "\n";
?>
--EXPECT--
filled: ""
computed other a computed a 
computed a 
filled: ""
computed other b computed b 
computed b 
PHP Fatal error:  Allowed memory size of 8388608 bytes exhausted
PHP Fatal error:  Allowed memory size of 8388608 bytes exhausted
the same worker
