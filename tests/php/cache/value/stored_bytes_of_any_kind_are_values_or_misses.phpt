--TEST--
Each method agrees whether stored bytes are a value or a miss (C9)
--EXTENSIONS--
mcpatterns
--INI--
memory_limit=64M
--FILE--
<?php
require __DIR__ . '/../../../_support/reading.inc';

$reading = new Reading();
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
        $answer = $reading->look(substr($text, 0, 60), $text, 4);
        if ($answer !== 'a miss') {
            $values++;
            echo "$kind: ", substr($text, 0, 60), " is $answer\n";
        }
    }
}

echo "what is unusual and whole\n";
$whole = ['a:1:{i:0;R:1;}', 'a:2:{i:0;a:0:{}i:1;R:2;}', 'a:2:{i:0;O:4:"Node":0:{}i:1;r:2;}', 'a:2:{i:0;i:1;i:0;i:2;}', 'O:4:"Node":1:{s:4:"next";r:1;}', 'O:4:"Node":2:{s:4:"next";i:1;s:4:"next";i:2;}',
    'O:4:"Node":1:{i:0;i:1;}', 'i:+5;', 'i:-0;', 'd:NAN;', 'd:-INF;', 'd:1;', $nest('a:1:{i:0;', '}', 4096), $nest($property, '}', 4096)];
foreach ($whole as $text) {
    echo substr($text, 0, 60), ': ', $reading->look(substr($text, 0, 60), $text, 4), "\n";
}

echo "cut off anywhere\n";
$text = serialized_nodes();
for ($length = 0, $misses = 0; $length < strlen($text); $length += 3) {
    $misses += $reading->look("cut at $length", substr($text, 0, $length), 4) === 'a miss';
}
var_dump($misses === intdiv(strlen($text) + 2, 3), $reading->look('whole', $text, 4));

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
    $reading->look("damaged $i", $damaged, 4);
}
var_dump($reading->wrong);
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
changed at random
int(0)
