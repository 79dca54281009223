--TEST--
A list of servers is cached by its exact notation
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

function told(array|string $servers): string
{
    try {
        $told = array_map(fn (array $server): string => "$server[host]:$server[port]*$server[weight]", (new Pool($servers))->servers());
        return implode(' ', $told);
    } catch (ValueError $failure) {
        return $failure->getMessage();
    }
}

/** Twice each: when it is new, and when it is known. */
function tell(array|string ...$lists): void
{
    foreach ($lists as $list) {
        $first = told($list);
        echo $first, told($list) === $first ? '' : ' and then ' . told($list), "\n";
    }
}

// A text is trimmed and split; the texts of a list are not.
tell('h1:1,h2:2', ['h1:1', 'h2:2'], ' h1:1 , h2:2 ', [' h1:1', 'h2:2'], ['h1:1,h2:2'], ['h1:1', 'h2:2', 3], ['h1:1h2:2']);
echo "\n";

// Whatever stands between two texts, it is not taken for an end.
$length = pack('P', 4);
$none = pack('P', 0);
tell("h1:1\0h2:2", ["h1:1\0h2:2"], ["h1:1{$length}h2:2"], ["h1:1{$none}h2:2"], "l{$length}h1:1{$length}h2:2", [''], '', []);
echo "\n";

// What was changed through a reference is another list.
$server = 'h3:3';
$list = ['h1:1', &$server];
tell($list);
$server = 'h4:4';
tell($list);
echo "\n";

// One server in two ways of writing.
tell('H1,h1:11211', 'h1,h1:11212', '[::1],[0:0::1]:11211', '[fe80::1%a],[fe80::1%A]', '[fe80::1%a],[FE80:0::1%a]', '127.0.0.1,127.0.0.1:11211:5',
    'unix:///a,unix:///A', 'unix:///a,unix:///a:7', 'memory://h1,h1', 'memory://m,memory://m');
echo "\n";

// More lists than are remembered, and the first ones again.
foreach ([1, 2] as $round) {
    for ($i = 1; $i <= 200; $i++) {
        foreach (["h$i:$i,g$i:$i:2", ["g$i:$i:2", "h$i:$i"]] as $order => $list) {
            $wanted = $order === 0 ? "h$i:$i*1 g$i:$i*2" : "g$i:$i*2 h$i:$i*1";
            if (told($list) !== $wanted) {
                echo 'wrong: ', told($list), "\n";
            }
        }
    }
}
?>
--EXPECT--
h1:1*1 h2:2*1
h1:1*1 h2:2*1
h1:1*1 h2:2*1
McPatterns\Pool::__construct(): Argument #1 ($servers) must name servers as "host:port", "unix:///path" or "memory://name", " h1:1" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must have ports between 1 and 65535, "h1:1,h2:2" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must be a list of strings, int found
McPatterns\Pool::__construct(): Argument #1 ($servers) must have ports between 1 and 65535, "h1:1h2:2" given

McPatterns\Pool::__construct(): Argument #1 ($servers) must have ports between 1 and 65535, "h1:1?h2:2" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must have ports between 1 and 65535, "h1:1?h2:2" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must have ports between 1 and 65535, "h1:1????????h2:2" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must have ports between 1 and 65535, "h1:1????????h2:2" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must name servers as "host:port", "unix:///path" or "memory://name", "l????????h1:1????????h2:2" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must name servers as "host:port", "unix:///path" or "memory://name", "" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must name servers as "host:port", "unix:///path" or "memory://name", "" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must name at least one server

h1:1*1 h3:3*1
h1:1*1 h4:4*1

McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "h1:11211" given
h1:11211*1 h1:11212*1
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "[0:0::1]:11211" given
fe80::1%a:11211*1 fe80::1%A:11211*1
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "[FE80:0::1%a]" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "127.0.0.1:11211:5" given
unix:///a:0*1 unix:///A:0*1
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "unix:///a:7" given
memory://h1:0*1 h1:11211*1
McPatterns\Pool::__construct(): Argument #1 ($servers) must not name a server twice, "memory://m" given
