--TEST--
A fatal error in a Pool::onError() listener leaves no connection
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/fpm.inc';

$memcached = start_memcached();
$pool = new Pool($memcached->address);
$count = fn () => $pool->stats()[$memcached->name]['curr_connections'];
$fpm = start_fpm(workers: 1);
$fpm->script('request', '
    [$how, $address] = explode(",", $_SERVER["QUERY_STRING"], 2);
    $servers = [$address, "unix:///nowhere/memcached.sock"];
    $pool = new McPatterns\Pool($servers, distribution: McPatterns\Distribution::Modulo, persistent: false);
    $pool->onError(function () use ($how) {
        $how === "fatal" && eval("class Fatal implements Countable {}");
        $how === "fiber" && Fiber::suspend();
        echo "told";
    });
    $use = function () use ($pool) {
        $cache = new McPatterns\Cache($pool);
        foreach (range(1, 20) as $i) {
            $cache->get("k$i");
        }
    };
    $fiber = $how === "fiber" ? new Fiber($use) : null;
    $fiber !== null ? $fiber->start() : $use();
    $how === "fiber" && eval("class Fatal implements Countable {}");
');
// One Fiber, the last: AddressSanitizer takes what one that never ended has left for the next one's.
$ways = ['ends well' => ['well', 10], 'ends fatally' => ['fatal', 10], 'is suspended when the script ends fatally' => ['fiber', 1]];
foreach ($ways as $what => [$how, $times]) {
    $before = $count();
    for ($i = 0; $i < $times; $i++) {
        $answer = $fpm->ask('request', "$how,$memcached->address");
    }
    echo "$what: \"$answer\", ", $fpm->await(fn () => $count() === $before, 5) ? 'none' : $count() - $before, " left\n";
}
?>
--EXPECT--
ends well: "told", none left
ends fatally: "", none left
is suspended when the script ends fatally: "", none left
