--TEST--
A value with an object of a missing class is a miss (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

class Holder { public $held; private $hidden; }
/** Its own business: what its own code unserializes. */
class Reader
{
    public $read;
    public function __unserialize(array $data): void { $this->read = unserialize('O:4:"Gone":0:{}'); }
}
/** Reads a broken value while it is itself being decoded. */
class Asker
{
    public $answer;
    public function __unserialize(array $data): void { $this->answer = $GLOBALS['cache']->get('broken', 'miss'); }
}

$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, ttl: 100);
$gone = 'O:4:"Gone":1:{s:1:"x";i:1;}';
$values = [
    'itself' => $gone,
    'in an array' => "a:2:{i:0;i:1;i:1;a:1:{s:1:\"a\";$gone}}",
    'in a property' => "O:6:\"Holder\":1:{s:4:\"held\";$gone}",
    'in a private property' => "O:6:\"Holder\":1:{s:14:\"\0Holder\0hidden\";$gone}",
    'in an ArrayObject' => "O:11:\"ArrayObject\":4:{i:0;i:0;i:1;a:1:{i:0;$gone}i:2;a:0:{}i:3;N;}",
    'in an SplObjectStorage' => "O:16:\"SplObjectStorage\":2:{i:0;a:2:{i:0;$gone;i:1;N;}i:1;a:0:{}}",
    'behind a reference' => "a:2:{i:0;$gone;i:1;R:2;}",
    'the old interface' => 'C:4:"Gone":0:{}',
];
$values['in an SplObjectStorage'] = str_replace('};i:1;N', '}i:1;N', $values['in an SplObjectStorage']);
$values['behind a reference'] = str_replace('};i:1;R', '}i:1;R', $values['behind a reference']);
$reads = [
    'get' => fn () => $cache->get('k', 'miss'),
    'peek' => fn () => $cache->peek('k', 'miss'),
    'has' => fn () => $cache->has('k') ? 'has' : 'miss',
    'entry' => fn () => $cache->entry('k')->status->name === 'Miss' ? 'miss' : 'there',
    'lookup' => fn () => $cache->lookup('k')->status->name === 'Miss' ? 'miss' : 'there',
    'getMultiple' => fn () => $cache->getMultiple(['k'], 'miss')['k'],
    'MC::get' => fn () => MC::use($cache) ?? (MC::get('k') === false ? 'miss' : 'there'),
    'update' => fn () => $cache->update('k', fn ($old) => $old === null ? 'miss' : 'there'),
    'remember' => fn () => $cache->remember('k', null, fn () => 'miss'),
    'rememberMany' => fn () => $cache->rememberMany(['k'], null, fn () => ['k' => 'miss'])['k'],
    'pull' => fn () => $cache->pull('k', 'miss'),
];
$wrong = 0;
foreach ($values as $name => $payload) {
    assert(str_contains(print_r(@unserialize($payload), true), 'Incomplete'), $name);
    foreach ($reads as $method => $read) {
        put_raw($server, 'k', make_envelope('k', $payload), envelope_flags(4));
        $before = $cache->stats()['unreadable'];
        $answer = $read();
        if ($answer !== 'miss' || $cache->stats()['unreadable'] !== $before + 1) {
            $wrong++;
            echo "$name, $method: ", json_encode($answer), ', unreadable ', $cache->stats()['unreadable'] - $before, "\n";
        }
    }
}
echo "wrong: $wrong\n";

$cache->set('reader', new Reader);
put_raw($server, 'broken', make_envelope('broken', $gone), envelope_flags(4));
$cache->set('asker', new Asker);
echo get_class($cache->get('reader')->read), ', ', $cache->get('asker')->answer, ', ', json_encode($cache->getMultiple(['asker', 'broken', 'reader'], 'miss')['broken']), "\n";

// A class that is loaded when it is asked for is there.
spl_autoload_register(fn (string $name) => eval("class $name { public \$x; }"));
put_raw($server, 'k', make_envelope('k', str_replace('Gone', 'Load', $gone)), envelope_flags(4));
echo get_class($cache->get('k')), "\n";
?>
--EXPECT--
wrong: 0
__PHP_Incomplete_Class, miss, "miss"
Load
