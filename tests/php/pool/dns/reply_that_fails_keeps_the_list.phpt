--TEST--
A failed, empty or forged reply of DNS keeps the list, and the next list is used (G7.3, G7.6)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded("pcntl") || !is_readable("/proc/self/cmdline")) {
    die("skip needs pcntl and /proc");
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/dns_server.inc';

$dns = start_dns_server();
$right = ['A' => ['10.0.0.1', '10.0.0.2']];
$dns->tell(['cache.test' => $right]);
$pool = new Pool('dns://cache.test.', connectTimeout: 0.4, timeout: 0.8);
$names = fn (): string => implode(' ', array_column($pool->servers(), 'host'));
$later = function (int $seconds) use ($pool, $names): void {
    Clock::advance($seconds);
    $pool->servers();
    preg_match('/"error"\]=>\s+(?:string\(\d+\) )?(.*)/', print_dump($pool), $error);
    echo $names(), ' ', $error[1], "\n";
};
function print_dump(Pool $pool): string
{
    ob_start();
    var_dump($pool);
    return ob_get_clean();
}
echo "within 30 s nobody asks\n";
$dns->tell(['cache.test' => ['A' => ['10.0.0.3']]]);
$later(29);
$replies = [
    'no name' => null, 'an error' => ['code' => 2], 'another error' => ['code' => 5], 'a rare error' => ['code' => 9], 'no records' => ['AAAA' => []], 'no reply' => ['silent' => true], 'too late' => ['delay' => 1.4] + $right,
    'alone by TCP, which is cut' => ['only tcp' => true, 'wrong' => 'cut'] + $right, 'TCP stalls' => ['only tcp' => true, 'stalls' => true] + $right,
    'too many' => ['only tcp' => true, 'A' => array_map(fn (int $i): string => '10.1.' . intdiv($i, 250) . '.' . $i % 250, range(1, 700))],
];
foreach ($replies as $what => $reply) {
    $dns->tell($reply === null ? [] : ['cache.test' => $reply]);
    echo "$what: ";
    $later(30);
    usleep(isset($reply['delay']) || isset($reply['stalls']) ? 5_000_000 : 0);
}
foreach (['id', 'no reply', 'another question', 'another owner', 'pointer to itself', 'pointer to the end', 'cut', 'nothing', 'half a header', 'noise'] as $lie) {
    $dns->tell(['cache.test' => ['A' => ['10.6.6.6'], 'wrong' => $lie]]);
    echo "$lie: ";
    $later(30);
}
echo "and the next list is taken, even behind lies\n";
$dns->tell(['cache.test' => ['A' => ['10.0.0.4'], 'lies' => ['id', 'no reply', 'another question', 'half a header', 'noise']]]);
$later(30);
$dns->tell(['cache.test' => ['SRV' => [], 'A' => ['10.0.0.4']]]);
$later(30);
?>
--EXPECT--
within 30 s nobody asks
10.0.0.1 10.0.0.2 NULL
no name: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied NXDOMAIN"
an error: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied SERVFAIL"
another error: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied REFUSED"
a rare error: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., sent no usable reply"
no records: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied with none"
no reply: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
too late: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
alone by TCP, which is cut: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., sent no usable reply"
TCP stalls: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
too many: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied with too many servers"
id: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
no reply: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
another question: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
another owner: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied with none"
pointer to itself: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., sent no usable reply"
pointer to the end: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., sent no usable reply"
cut: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., sent no usable reply"
nothing: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., could not be reached"
half a header: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
noise: 10.0.0.1 10.0.0.2 "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time"
and the next list is taken, even behind lies
10.0.0.4 NULL
10.0.0.4 NULL
