--TEST--
Values from pecl-memcache are stale: 1 caller is elected, others read them (C19)
--EXTENSIONS--
mcpatterns
memcache
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
error_reporting(E_ALL & ~E_DEPRECATED); // pecl-memcache makes a dynamic property
$memcache = new Memcache;
$memcache->addServer("unix://$server->host", 0);
$memcache->setCompressThreshold(0);
$pool = new Pool($server->address);
[$cache, $other, $blind] = [new Cache($pool, foreign: true), new Cache($pool, foreign: true), new Cache($pool)];
$values = ['string' => 'text', 'empty' => '', 'large' => str_repeat('text ', 5000), 'noise' => random_bytes(30_000), 'zero' => 0, 'int' => -5, 'greatest' => PHP_INT_MAX, 'float' => 0.1, 'whole' => 2.0,
    'tiny' => -1.5e-300, 'inf' => INF, 'minus' => -INF, 'true' => true, 'false' => false, 'null' => null, 'array' => ['a' => [1, 'b' => null], 7 => 'x'], 'like a number' => '42', 'long' => range(1, 5000), 'object' => new ArrayObject([1])];
$wrong = 0;
$counts = [];
$check = function (string $what, mixed $expected, mixed $found) use (&$wrong) {
    if (serialize($expected) !== serialize($found)) {
        $wrong++;
        echo $what, ': ', substr(var_export($found, true), 0, 200), "\n";
    }
};
foreach ([0, MEMCACHE_COMPRESSED] as $flag) {
    foreach ($values as $name => $value) {
        $what = "$name, flag $flag";
        $check("$what, stored", true, $memcache->set('k', $value, $flag));
        [, $flags] = get_raw($server, 'k');
        $counts[sprintf('%03x', $flags)] = true;
        $check("$what, without foreign", 'none', $blind->peek('k', 'none'));
        $check($what, [$value, Status::Stale], [$cache->peek('k', 'none'), $cache->entry('k')->status]);
        $check("$what, elected", Status::Elected, $cache->lookup('k')->status);
        $check("$what, the others", [serialize($value), serialize($value), serialize(['k' => $value])], [serialize($other->get('k', 'none')), serialize($blind->get('k', 'none')), serialize($other->getMultiple(['k']))]);
        $check("$what, published", [true, 'new'], [$cache->publish('k', 'new'), $other->get('k')]);
    }
}
echo "wrong: $wrong\n";
ksort($counts, SORT_STRING);
echo implode(' ', array_keys($counts)), "\n";
$memcache->set('k', NAN);
var_dump(is_nan($cache->peek('k')));
?>
--EXPECT--
wrong: 0
000 001 002 003 100 300 700
bool(true)
