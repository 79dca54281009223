--TEST--
Pool::diagnose() of healthy servers finds no problem and stores nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/doctor.inc';

$server = start_memcached(['memory' => 128]);
by_each_transport(function ($transport) use ($server) {
    $report = Pool::diagnose(new Pool($server->address, timeout: 4, connectTimeout: 4, transport: $transport));
    echo implode(' ', array_keys($report)), "\n";
    echo implode(' ', array_diff(codes_of($report, true), ['no_opcache', 'serializer', 'shared_memory_alone'])), "\n";
    $facts = $report['servers'][$server->name];
    echo json_encode(array_diff_key($facts, array_flip(['seconds', 'version', 'skew', 'uptime', 'time', 'connections', 'tls', 'password']))), "\n";
    $told = $server->stats();
    var_dump($facts['version'] === $told['version'], $facts['seconds'] > 0, abs($facts['time'] - $told['time']) <= 5);
    echo implode(' ', array_keys($report['host'])), "\n";
});
echo $server->stats()['curr_items'], "\n";
?>
--EXPECT--
findings servers host
restarted
{"answers":true,"error":null,"meta":true,"cas":true,"evicts":true,"flush":true,"items":0,"memory_used":0,"memory":134217728,"evictions":0,"evicted_unfetched":0,"connections_max":512,"connections_rejected":0,"item_size":1048576,"udp_port":0}
bool(true)
bool(true)
bool(true)
php mcpatterns time user shared_memory transport serializer compression
0
