--TEST--
MC::get() reads legacy arrays from pecl-memcache, compressed or not
--EXTENSIONS--
mcpatterns
zlib
memcache
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('zlib', 'memcache');
?>
--INI--
mcpatterns.mc_legacy=1
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
error_reporting(E_ALL & ~E_DEPRECATED); // pecl-memcache makes a dynamic property
$memcache = new Memcache;
$memcache->addServer("unix://$server->host", 0);
$memcache->setCompressThreshold(0);
$cache = new Cache(new Pool($server->address));
MC::use($cache);
$values = ['null' => null, 'false' => false, 'text' => 'value', 'number' => 42, 'list' => range(1, 2000), 'large' => str_repeat('text ', 10_000), 'noise' => random_bytes(5000), 'object' => new ArrayObject([1])];
$now = time();
$wrong = 0;
$check = function (string $how, mixed $answer, mixed $expected) use (&$wrong) {
    if (serialize($answer) !== serialize($expected)) {
        $wrong++;
        echo "$how: ", get_debug_type($answer), "\n";
    }
};
foreach ([0, MEMCACHE_COMPRESSED] as $flag) {
    foreach ($values as $name => $value) {
        $wrap = fn (int $seconds) => ['_dc_cache' => $value, '_dc_life_end' => $now + $seconds, '_dc_cache_time' => 100];
        Clock::freeze($now);
        $memcache->set('k', $wrap(50), $flag, 200);
        $expected = $name === 'object' ? false : $value;
        $check("$name, flag $flag", MC::get('k'), $expected);
        Clock::advance(49);
        $check("$name, flag $flag, nearly over", MC::get('k'), $expected);
        Clock::advance(2);
        $check("$name, flag $flag, over", MC::get('k'), false);
    }
}
echo "wrong: $wrong\n";

Clock::freeze($now);
echo "what is no such array is a miss\n";
foreach (['text', ['_dc_cache' => 1], ['_dc_cache' => 1, '_dc_life_end' => $now + 50], [], 42, new ArrayObject, ['_dc_cache' => 1, '_dc_life_end' => 'soon', '_dc_cache_time' => 1]] as $foreign) {
    $memcache->set('k', $foreign, 0, 200);
    echo json_encode(MC::get('k')), ' ';
}
echo "\nonly MC reads them\n";
$memcache->set('k', ['_dc_cache' => 1, '_dc_life_end' => $now + 50, '_dc_cache_time' => 100], 0, 200);
var_dump($cache->get('k'), $cache->stats()['unreadable'] > 0, MC::get('k'));
echo "and set() replaces them\n";
var_dump(MC::set('k', 'ours'), MC::get('k'));
?>
--EXPECT--
wrong: 0
what is no such array is a miss
false false false false false false false 
only MC reads them
NULL
bool(true)
int(1)
and set() replaces them
bool(true)
string(4) "ours"
