--TEST--
MCPATTERNS_DASHBOARD_LOCAL=1 admits only direct requests from and to loopback
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

$dashboard = start_dashboard();
$dashboard->run('(new McPatterns\Cache(new McPatterns\Pool("memory://x"), prefix: "secret-prefix."))->get("a");');
$cases = [
    'local' => [],
    'any loopback address' => ['REMOTE_ADDR' => '127.8.9.10'],
    'IPv6' => ['REMOTE_ADDR' => '::1', 'HTTP_HOST' => '[::1]:8080'],
    'IPv4 in IPv6' => ['REMOTE_ADDR' => '::ffff:127.0.0.1'],
    'localhost' => ['HTTP_HOST' => 'localhost:8080'],
    'below localhost' => ['HTTP_HOST' => 'Shop.LOCALHOST'],
    'no Host' => ['HTTP_HOST' => null],
    'another host' => ['REMOTE_ADDR' => '10.0.0.7'],
    'another host that says localhost' => ['REMOTE_ADDR' => '10.0.0.7', 'HTTP_HOST' => 'localhost'],
    'no address' => ['REMOTE_ADDR' => null],
    'an empty one' => ['REMOTE_ADDR' => ''],
    'a socket' => ['REMOTE_ADDR' => 'unix:'],
    'begins alike' => ['REMOTE_ADDR' => '127.0.0.1.example.org'],
    'ends alike' => ['REMOTE_ADDR' => '2001:db8::127.0.0.1'],
    'name led here' => ['HTTP_HOST' => 'rebound.example.org'],
    'name that begins alike' => ['HTTP_HOST' => '127.0.0.1.example.org'],
    'name that ends alike' => ['HTTP_HOST' => 'notlocalhost'],
];
foreach (['X_FORWARDED_FOR', 'X_FORWARDED_HOST', 'X_FORWARDED_PROTO', 'FORWARDED', 'VIA', 'X_REAL_IP', 'X_CLIENT_IP', 'TRUE_CLIENT_IP', 'CF_CONNECTING_IP',
    'CF_RAY', 'FASTLY_CLIENT_IP', 'X_CLUSTER_CLIENT_IP', 'X_ORIGINAL_FORWARDED_FOR'] as $header) {
    $cases[$header] = ["HTTP_$header" => '127.0.0.1'];
}
foreach ($cases as $case => $server) {
    $told = [];
    foreach (['', '?format=json', '?format=json&password='] as $query) {
        ['status' => $status, 'body' => $body] = $dashboard->ask($query, $server);
        $told[] = $status . (str_contains($body, 'secret-prefix') ? ' with figures' : '');
    }
    echo str_pad($case, 34), implode(', ', array_unique($told)), "\n";
}
$answer = $dashboard->ask('', [], [], 'HEAD');
echo 'HEAD ', $answer['status'], ' ', strlen($answer['body']), "\n";
foreach (['POST', 'PUT', 'DELETE'] as $method) {
    echo $method, ' ', $dashboard->ask('?format=json', [], [], $method)['status'], "\n";
}
?>
--EXPECT--
local                             200 with figures
any loopback address              200 with figures
IPv6                              200 with figures
IPv4 in IPv6                      200 with figures
localhost                         200 with figures
below localhost                   200 with figures
no Host                           200 with figures
another host                      403
another host that says localhost  403
no address                        403
an empty one                      403
a socket                          403
begins alike                      403
ends alike                        403
name led here                     403
name that begins alike            403
name that ends alike              403
X_FORWARDED_FOR                   403
X_FORWARDED_HOST                  403
X_FORWARDED_PROTO                 403
FORWARDED                         403
VIA                               403
X_REAL_IP                         403
X_CLIENT_IP                       403
TRUE_CLIENT_IP                    403
CF_CONNECTING_IP                  403
CF_RAY                            403
FASTLY_CLIENT_IP                  403
X_CLUSTER_CLIENT_IP               403
X_ORIGINAL_FORWARDED_FOR          403
HEAD 200 0
POST 405
PUT 405
DELETE 405
