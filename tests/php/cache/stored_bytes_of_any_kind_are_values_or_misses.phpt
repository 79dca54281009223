--TEST--
Whatever bytes and flags are stored, every method that reads agrees whether it is a value or a miss, nothing is thrown and nothing is reported (C9)
--EXTENSIONS--
mcpatterns
--INI--
memory_limit=64M
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../_support/envelope.inc';

class Node
{
    public mixed $next = null;
    public int $number = 0;
}

set_error_handler(function (int $level, string $message) {
    (error_reporting() & $level) === 0 || print("reported: $message\n");
    return true;
});
$server = start_memcached();
$pool = new Pool($server->address);
$soft = (int) (microtime(true) * 1000);

/** What each method makes of it: a value's type, or null for a miss. */
$methods = [
    'get' => fn ($cache, $miss) => $cache->get('k', $miss),
    'peek' => fn ($cache, $miss) => $cache->peek('k', $miss),
    'entry' => fn ($cache, $miss) => ($entry = $cache->entry('k'))->status->name === 'Miss' ? $miss : $entry->value,
    'lookup' => fn ($cache, $miss) => ($entry = $cache->lookup('k'))->status->name === 'Miss' ? $miss : $entry->value,
    'getMultiple' => fn ($cache, $miss) => $cache->getMultiple(['k', 'absent'], $miss)['k'],
    'remember' => fn ($cache, $miss) => $cache->remember('k', null, fn () => $miss, wait: 0),
    'rememberMany' => fn ($cache, $miss) => $cache->rememberMany(['k'], null, fn () => ['k' => $miss])['k'],
    'update' => function ($cache, $miss) {
        $cache->update('k', function ($old) use (&$seen) { $seen = $old; return 1; });
        return $seen ?? $miss;
    },
    'pull' => fn ($cache, $miss) => $cache->pull('k', $miss),
];
$describe = fn (mixed $value) => $value === 'a miss' ? 'a miss' : get_debug_type($value);
$wrong = 0;
function look(string $name, string $payload, int $flags): string
{
    global $server, $pool, $methods, $describe, $wrong;
    $item = make_envelope('k', $payload);
    $answers = [];
    put_raw($server, 'k', $item, envelope_flags($flags));
    foreach ($methods as $method => $read) {
        $cache = new Cache($pool);
        if (in_array($method, ['rememberMany', 'update', 'pull'])) {
            put_raw($server, 'k', $item, envelope_flags($flags));
        }
        try {
            $answers[$method] = $describe($read($cache, 'a miss'));
        } catch (Throwable $thrown) {
            $answers[$method] = get_class($thrown) . ': ' . $thrown->getMessage();
        }
        if ($answers[$method] === 'a miss' && $cache->stats()['unreadable'] === 0) {
            $answers[$method] = 'a miss that is not counted';
        }
        unset($cache);
    }
    $answers['update'] = $answers['update'] === 'null' ? $answers['get'] : $answers['update'];
    $kinds = array_unique($answers);
    if (count($kinds) > 1) {
        $wrong++;
        echo "$name: ", json_encode($answers), "\n";
    }
    return reset($kinds);
}

$nest = fn (string $open, string $close, int $depth) => str_repeat($open, $depth) . 'i:1;' . str_repeat($close, $depth);
$property = 'O:4:"Node":1:{s:4:"next";';
$texts = [
    'counts' => ['a:2000000000:{', 'a:2000000000:{}', 'a:-1:{}', 'a:99999999999999999999:{}', 'a:1:{}', 'a:0:{i:0;i:1;}', 'a:2:{i:0;i:1;}',
        'O:8:"stdClass":2000000000:{}', 'O:8:"stdClass":-1:{}', 's:2000000000:"x";', 's:-1:"x";', 's:2:"x";', 's:0:"x";', 'O:2000000000:"x":0:{}', 'E:2000000000:"x";',
        'C:11:"ArrayObject":2000000000:{x}', 'C:11:"ArrayObject":-1:{}', 'a:1000000:{' . str_repeat('i:1;', 100_000)],
    'marks' => ['R:1;', 'r:1;', 'R:0;', 'R:-1;', 'R:99999999999;', 'a:1:{i:0;R:2;}', 'a:1:{i:0;R:3;}', 'a:1:{i:0;r:9;}', 'a:1:{R:1;i:0;}', 'O:4:"Node":1:{s:6:"number";R:5;}'],
    'scalars' => ['b:2;', 'b:;', 'i:;', 'i:1', 'd:;', 'd:abc;', 'd:1e;', 'N', 'n;', 'x:1;', ';', '{', '}', 'i:1;}', "\0", 'S:1:"\\4";', 's:1:"x"', "s:1:'x';", 'a:1:{i:0;N;', 'a:1:{i:0;N;i', 'i:1;i:2;', ' i:1;'],
    'classes' => ['O:0:"":0:{}', 'O:1:" ":0:{}', "O:3:\"a\0b\":0:{}", 'O:4:"Node":1:{i:0;i:1;', 'O:4:"Node":1:{s:6:"number";s:1:"x";}', 'O:4:"Node":1:{s:6:"number";a:0:{}}', 'O:4:"Node":1:{N;i:1;}',
        'O:4:"Node":1:{b:1;i:1;}', 'O:7:"Closure":0:{}', 'O:9:"Generator":0:{}', 'O:5:"Fiber":0:{}', 'O:7:"WeakMap":0:{}', 'O:16:"McPatterns\Cache":0:{}', 'O:15:"McPatterns\Pool":0:{}', 'O:16:"McPatterns\Entry":0:{}',
        'O:15:"McPatterns\Lock":0:{}', 'O:17:"McPatterns\Status":0:{}', 'O:8:"Iterator":0:{}', 'O:8:"DateTime":0:{}', 'O:12:"DateInterval":1:{s:1:"y";s:1:"x";i', 'O:10:"DatePeriod":0:{}', 'O:12:"DateTimeZone":0:{}',
        'O:16:"SplObjectStorage":2:{i:0;a:1:{i:0;i:1;}i:1;a:0:{}}', 'O:11:"ArrayObject":4:{i:0;i:9;i:1;i:1;i:2;i:1;i:3;N;}', 'O:19:"SplDoublyLinkedList":3:{i:0;i:0;i:1;i:1;i:2;i:1;}', 'O:15:"SplFixedArray":1:{s:1:"x";i:1;',
        'E:17:"McPatterns\Status";', 'E:22:"McPatterns\Status:Gone";', 'E:8:"Node:One";', 'E:9:"Nothing:x";', 'C:11:"ArrayObject":3:{x:i}', 'C:16:"SplObjectStorage":6:{x:i:9;}'],
    'depth' => [$nest('a:1:{i:0;', '}', 4097), $nest('a:1:{i:0;', '}', 90_000), str_repeat('a:1:{i:0;', 100_000), $nest($property, '}', 4097), $nest($property, '}', 30_000), str_repeat($property, 30_000),
        $nest('a:1:{i:0;' . $property, '}}', 2049), $nest('a:1:{i:0;O:8:"stdClass":1:{s:1:"a";', '}}', 20_000)],
];
foreach ($texts as $kind => $list) {
    $values = 0;
    foreach ($list as $text) {
        $answer = look(substr($text, 0, 60), $text, 4);
        if ($answer !== 'a miss') {
            $values++;
            echo "$kind: ", substr($text, 0, 60), " is $answer\n";
        }
    }
}

echo "what is unusual and whole\n";
$whole = ['a:1:{i:0;R:1;}', 'a:2:{i:0;a:0:{}i:1;R:2;}', 'a:2:{i:0;O:4:"Node":0:{}i:1;r:2;}', 'a:2:{i:0;i:1;i:0;i:2;}', 'O:4:"Node":1:{s:4:"next";r:1;}', 'O:4:"Node":2:{s:4:"next";i:1;s:4:"next";i:2;}',
    'O:4:"Node":1:{i:0;i:1;}', 'C:4:"Node":0:{}', 'i:+5;', 'i:-0;', 'd:NAN;', 'd:-INF;', 'd:1;', $nest('a:1:{i:0;', '}', 4096), $nest($property, '}', 4096)];
foreach ($whole as $text) {
    echo substr($text, 0, 60), ': ', look(substr($text, 0, 60), $text, 4), "\n";
}

echo "cut off anywhere\n";
$node = new Node;
$node->next = [$node, 'text', 1.5, [true, null, new ArrayObject([1, new DateTimeImmutable('@0')])], McPatterns\Status::Busy];
$text = serialize(['first' => $node, 'again' => [&$node]]);
for ($length = 0, $misses = 0; $length < strlen($text); $length += 3) {
    $misses += look("cut at $length", substr($text, 0, $length), 4) === 'a miss';
}
var_dump($misses === intdiv(strlen($text) + 2, 3), look('whole', $text, 4));

echo "under every flag\n";
$seen = [];
foreach ([$text, '', '1', '-7', '1.5', "\0\0\0\2\x14\0", '{"a":1}', "\x81\xa1a\1", gzcompress($text)] as $i => $bytes) {
    for ($flags = 0; $flags < 256; $flags += $flags < 16 ? 1 : 15) {
        $answer = look("bytes $i under $flags", $bytes, $flags);
        $answer === 'a miss' || $seen[$answer][] = "$i/$flags";
    }
}
ksort($seen);
echo json_encode($seen, JSON_UNESCAPED_SLASHES), "\n";

echo "changed at random\n";
mt_srand(11);
for ($i = 0; $i < 300; $i++) {
    $damaged = $text;
    for ($n = mt_rand(1, 3); $n > 0; $n--) {
        $at = mt_rand(0, strlen($damaged) - 1);
        $damaged = match (mt_rand(0, 2)) {
            0 => substr_replace($damaged, chr(mt_rand(0, 255)), $at, 1),
            1 => substr_replace($damaged, '', $at, mt_rand(1, 4)),
            2 => substr_replace($damaged, ['9', ':', '{', '}', ';', 'R:1;', 'O:', '-'][mt_rand(0, 7)], $at, 0),
        };
    }
    look("damaged $i", $damaged, 4);
}
var_dump($wrong);
?>
--EXPECT--
what is unusual and whole
a:1:{i:0;R:1;}: array
a:2:{i:0;a:0:{}i:1;R:2;}: array
a:2:{i:0;O:4:"Node":0:{}i:1;r:2;}: array
a:2:{i:0;i:1;i:0;i:2;}: array
O:4:"Node":1:{s:4:"next";r:1;}: Node
O:4:"Node":2:{s:4:"next";i:1;s:4:"next";i:2;}: Node
O:4:"Node":1:{i:0;i:1;}: Node
C:4:"Node":0:{}: Node
i:+5;: int
i:-0;: int
d:NAN;: float
d:-INF;: float
d:1;: float
a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i:0;a:1:{i: array
O:4:"Node":1:{s:4:"next";O:4:"Node":1:{s:4:"next";O:4:"Node": Node
cut off anywhere
bool(true)
string(5) "array"
under every flag
{"array":["0/4","6/6"],"bool":["1/3","2/3"],"float":["2/2","3/2","4/2","4/6"],"int":["2/1","2/6","3/1","3/6"],"string":["0/0","1/0","2/0","3/0","4/0","5/0","6/0","7/0","8/0"]}
changed at random
int(0)
