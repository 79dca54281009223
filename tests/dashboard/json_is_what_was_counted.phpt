--TEST--
The dashboard's JSON contains Metrics counts, the trace and each server's statistics
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/dashboard.inc';

$server = start_memcached(['memory' => 32]);
$dashboard = start_dashboard(['MCPATTERNS_DASHBOARD_SERVERS' => "$server->address:2"]);
$dashboard->run("
    \$cache = new McPatterns\\Cache(new McPatterns\\Pool('$server->address'), prefix: 'page.');
    for (\$i = 0; \$i < 5; \$i++) {
        \$cache->remember('front', 60, fn () => 1);
    }
    \$cache->get('none');
    (new McPatterns\\Lock(new McPatterns\\Pool('$server->address'), 'import'))->acquire();
");
$answer = $dashboard->ask('?format=json');
echo preg_match('/^Content-Type: .*$/m', $answer['headers'], $found) ? $found[0] : '', "\n";
$look = json_decode($answer['body'], true, flags: JSON_THROW_ON_ERROR);
echo implode(' ', array_keys($look)), "\n";
$group = $look['metrics']['groups'][0];
echo "$group[group] $group[hits] hits, $group[misses] misses, $group[elections] elections, $group[stored] stored\n";
echo implode('', array_column($look['trace'], 'letter')), "\n";
['server' => $address, 'error' => $error, 'stats' => $stats] = $look['memcached'][0];
var_dump($address === $server->name, $error, $stats['limit_maxbytes'], $stats['curr_items'], is_string($stats['version']));

$server->kill();
$told = json_decode($dashboard->ask('?format=json')['body'], true)['memcached'][0];
echo json_encode($told['stats']), ' ', $told['error'], "\n";

$chosen = start_dashboard(['MCPATTERNS_DASHBOARD_SERVERS' => "127.0.0.1:1, no:server:at:all"]);
foreach (json_decode($chosen->ask('?format=json')['body'], true)['memcached'] as $told) {
    echo $told['server'], ': ', $told['error'], "\n";
}

$off = start_dashboard([], ['mcpatterns.metrics' => '0']);
$look = json_decode($off->ask('?format=json')['body'], true);
echo json_encode([$look['metrics']['enabled'], $look['trace'], $off->ask()['status']]), "\n";
?>
--EXPECTF--
Content-Type: application/json; charset=utf-8
host version legend metrics memcached trace
page. 4 hits, 1 misses, 1 elections, 1 stored
MLWHHHHM
bool(true)
NULL
int(33554432)
int(%d)
bool(true)
null the server %s
127.0.0.1:1: the server could not be reached: connection refused, nothing listens there
no:server:at:all: %s
[false,[],200]
