--TEST--
MC::get() unserializes only flagged values with mc_legacy, without objects
--EXTENSIONS--
mcpatterns
igbinary
--INI--
mcpatterns.mc_legacy=1
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
skip_without_extensions('igbinary');
?>
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../_support/script.inc';
require __DIR__ . '/../../_support/envelope.inc';

class Trap
{
    public function __wakeup(): void
    {
        echo "an object was made\n";
    }
}

spl_autoload_register(function ($class) {
    echo "$class was looked for\n";
});
$server = start_memcached();
$cache = new Cache(new Pool($server->address));
MC::use($cache);
$end = time() + 100;
$wrap = fn (mixed $value) => ['_dc_cache' => $value, '_dc_life_end' => $end, '_dc_cache_time' => 100];
$php = serialize($wrap('value'));
$igbinary = igbinary_serialize($wrap('value'));
$holding = fn (string $item) => str_replace('s:5:"value";', $item, $php);
$items = [
    'a text' => [$php, 0],
    'igbinary as a text' => [$igbinary, 0],
    'igbinary called serialized' => [$igbinary, 4],
    'igbinary called serialized by pecl' => [$igbinary, 1],
    'serialized called igbinary' => [$php, 5],
    'serialized with a flag of the user' => [$php, 1 << 16 | 4],
    'compressed by nothing' => [$php, 0x14],
    'json' => [$php, 6],
    'object' => [serialize($wrap(new Trap)), 4],
    'object by pecl' => [serialize($wrap([1, [new Trap]])), 1],
    'object in igbinary' => [igbinary_serialize($wrap([new Trap])), 5],
    'object of an unknown class' => [$holding('O:7:"Unknown":0:{}'), 4],
    'object beside the value' => [substr($php, 0, -1) . 'i:0;O:4:"Trap":0:{}}', 4],
    'object beside the value, counted' => ['a:4' . substr($php, 3, -1) . 'i:0;O:4:"Trap":0:{}}', 4],
    'enum' => [$holding('E:22:"McPatterns\Status:Miss";'), 4],
    'custom format' => [$holding('C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}'), 4],
];
foreach ($items as $name => [$bytes, $flags]) {
    put_raw($server, 'k', $bytes, $flags);
    $answer = MC::get('k');
    $answer === false || print("$name: " . json_encode($answer) . "\n");
}
echo "what was tried is counted: ", $cache->stats()['unreadable'] >= count($items) ? 'yes' : 'no', "\n";
echo "and read is\n";
foreach (['php-memcached' => [$php, 4], 'pecl-memcache' => [$php, 1], 'igbinary' => [$igbinary, 5]] as $name => [$bytes, $flags]) {
    put_raw($server, 'k', $bytes, $flags);
    echo "$name: ", json_encode(MC::get('k')), "\n";
}
put_raw($server, 'k', $php, 4);
echo 'for no other method: ', json_encode([$cache->get('k'), $cache->peek('k'), $cache->has('k')]), "\n";

echo "off by default, and only php.ini turns it on\n";
put_raw($server, 'k', $php, 4);
echo run_script('
    McPatterns\MC::use(new McPatterns\Cache(new McPatterns\Pool($argv[1])));
    var_dump(ini_get("mcpatterns.mc_legacy"), McPatterns\MC::get("k"), ini_set("mcpatterns.mc_legacy", "1"), McPatterns\MC::get("k"));', [$server->address]);
?>
--EXPECT--
what was tried is counted: yes
and read is
php-memcached: "value"
pecl-memcache: "value"
igbinary: "value"
for no other method: [null,null,false]
off by default, and only php.ini turns it on
string(1) "0"
bool(false)
bool(false)
bool(false)
