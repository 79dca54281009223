--TEST--
A changed discovered list is used after the running method ends
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Clock, Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$nodes = [start_memcached(['tcp' => true])->address, start_memcached(['tcp' => true])->address];
$endpoint = start_discovery_endpoint();
$endpoint->tell(1, [$nodes[0]]);
$pool = new Pool("discover://$endpoint->address");
$told = [];
$pool->onError(function (string $message) use (&$told): void {
    $told[] = $message;
});
$cache = new Cache($pool);
$number = fn (): int => array_search(array_keys($pool->ping())[0], $nodes);
$during = function () use ($cache, $endpoint, $nodes, $number): string {
    static $version = 1;
    $endpoint->tell(++$version, [$nodes[($version + 1) % 2]]);
    Clock::advance(60);
    for ($i = 0; $i < 3; $i++) {
        $cache->get('another'); // finds that it is time
    }
    return 'at ' . $number();
};
$after = function () use ($cache, $number): void {
    $cache->get('another');
    echo 'now at ', $number(), "\n";
};
var_dump($cache->remember('key', 600, $during));
$after();
var_dump($cache->get('key'), (new Cache(new Pool($nodes[0])))->get('key'));

$lock = new Lock($pool, 'lock', 600);
var_dump($lock->run($during), $lock->isHeld());
$after();

echo "in a Fiber that stands still\n";
$fiber = new Fiber(fn () => $cache->remember('in a fiber', 600, fn () => $during() . Fiber::suspend()));
$fiber->start();
$after();
$fiber->resume('!');
echo $fiber->getReturn(), "\n";
$after();
var_dump($told);
?>
--EXPECT--
string(4) "at 0"
now at 1
NULL
string(4) "at 0"
string(4) "at 1"
bool(false)
now at 0
in a Fiber that stands still
now at 0
at 0!
now at 1
array(0) {
}
