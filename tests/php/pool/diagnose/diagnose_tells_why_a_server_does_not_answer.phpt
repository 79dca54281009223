--TEST--
Pool::diagnose() reports why a server fails, without exceptions or repeated requests
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/wrong_server.inc';
require __DIR__ . '/../../../_support/told_server.inc';
require __DIR__ . '/../../../_support/doctor.inc';

$frozen = start_memcached();
$frozen->freeze();
$killed = start_memcached();
$killed->kill();
$servers = [
    'frozen' => $frozen->address,
    'killed' => $killed->address,
    'port' => '127.0.0.1:' . find_free_port(),
    'missing' => 'unix:///nowhere/memcached.sock',
    'host' => str_repeat('a', 64) . ':11211',
    'http' => start_wrong_server("HTTP/1.1 400 Bad Request\r\n"),
    'endless' => start_wrong_server("STAT a 1\r\n"),
    'none' => start_wrong_server(''),
    'proxy' => start_told_server(options: ['statistics' => false]),
    'empty' => start_wrong_server("END\r\n"),
];
$names = [];
foreach ($servers as $name => $address) {
    $names[name_of($address)] = $name;
}
foreach (McPatterns\Transport::cases() as $transport) {
    if ($transport === Transport::Libmemcached && !str_contains(ini_get('mcpatterns.transport'), 'lib')) {
        continue;
    }
    ob_start();
    $pool = new Pool(array_values($servers), timeout: 0.3, connectTimeout: 1, retryAfter: 60, transport: $transport);
    $report = Pool::diagnose($pool);
    tell_findings($report, ['no_statistics'], $names);
    foreach ($report['servers'] as $address => $facts) {
        echo $names[$address], ' ', $facts['answers'] ? 'answers' : 'does not answer', "\n";
    }
    $shown[$transport->name] = ob_get_clean();
    $again = codes_of(Pool::diagnose($pool));
    echo count($again) >= 8 ? "the same again\n" : 'again: ' . implode(' ', $again) . "\n";
    $pool->close();
}
echo end($shown);
echo count(array_unique($shown)) === 1 ? "by each transport\n" : $shown['Libmemcached'];
?>
--EXPECTF--
%Ahe same again
error timeout frozen: the server did not reply within 300 ms
error refused killed: the server could not be reached: connection refused, nothing listens there
error refused port: the server could not be reached: connection refused, nothing listens there
error socket_missing missing: the server could not be reached: no such file
error unknown_host host: the server could not be reached: its host is unknown
error invalid_response http: the server replied "HTTP/1.1 400 Bad Request", which is not the memcached protocol
error timeout endless: the server did not reply within 300 ms
error timeout none: the server did not reply within 300 ms
notice no_statistics proxy: replies without statistics: a proxy
warning invalid_statistics empty: version, time, uptime or memory is missing from its statistics, or invalid
frozen does not answer
killed does not answer
port does not answer
missing does not answer
host does not answer
http does not answer
endless does not answer
none does not answer
proxy answers
empty answers
by each transport
