--TEST--
A Pool uses a changed list after 1 minute, never invalid ones
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
use McPatterns\{Cache, Clock, Counter, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$nodes = array_map(fn (): string => start_memcached(['tcp' => true])->address, [1, 2, 3]);
$endpoint = start_discovery_endpoint();
$endpoint->tell(12, [$nodes[0]]);
$pool = new Pool("discover://$endpoint->address");
$names = fn (): array => array_map(fn (array $server): int => array_search("$server[host]:$server[port]", $nodes), $pool->servers());
$cache = new Cache($pool, near: 60);
$counter = new Counter($pool, 'counter');
$a_minute_later = function () use ($cache, $counter, $names): void {
    Clock::advance(60);
    $counter->increment(); // finds that it is time
    echo implode(',', $names()), "\n";
};
$counter->increment();
$cache->set('key', 'value of the first');
var_dump($cache->get('key'));

echo "within the minute nobody asks\n";
$endpoint->tell(13, [$nodes[1], $nodes[2]]);
Clock::advance(59);
$counter->increment();
echo implode(',', $names()), ' ', $endpoint->asked(), "\n";
Clock::advance(1);
$counter->increment();
echo implode(',', $names()), ' ', $endpoint->asked(), "\n";
var_dump($cache->get('key'), $counter->increment(0));
$cache->set('key', 'value of another');
var_dump((new Cache(new Pool([$nodes[1], $nodes[2]])))->get('key'));

echo "nothing changes by\n";
$list = fn (string $list): string => 'CONFIG cluster 0 ' . strlen($list) . "\r\n$list\r\nEND\r\n";
$answers = [
    'an older version' => $list("12\n" . str_replace(':', '||', $nodes[0]) . "\n"), 'the same version' => $list('13' . "\na||1\n"), 'an empty list' => $list("14\n\n"), 'an error' => "ERROR\r\n", 'no list' => $list("14\nlist"),
    'a name that is none' => $list("14\n256.0.0.1||11211\n"), 'a server twice' => $list("14\na||1 A||1\n"), 'something else' => "HTTP/1.1 200 OK\r\n", 'too much' => "CONFIG cluster 0 99999999\r\n14\n",
];
foreach ($answers as $name => $answer) {
    $endpoint->answer($answer);
    echo "$name: ";
    $a_minute_later();
}
$endpoint->stop();
echo 'nobody there: ';
$a_minute_later();
echo 'asked ', $endpoint->asked(), "\n";

echo "and the next list is taken\n";
$endpoint->tell(14, [$nodes[2], $nodes[0]]);
$endpoint->start();
$a_minute_later();
var_dump($cache->get('key') === null || is_string($cache->get('key')), is_int($counter->increment()));
?>
--EXPECT--
string(18) "value of the first"
within the minute nobody asks
0 1
1,2 2
NULL
int(0)
string(16) "value of another"
nothing changes by
an older version: 1,2
the same version: 1,2
an empty list: 1,2
an error: 1,2
no list: 1,2
a name that is none: 1,2
a server twice: 1,2
something else: 1,2
too much: 1,2
nobody there: 1,2
asked 11
and the next list is taken
2,0
bool(true)
bool(true)
