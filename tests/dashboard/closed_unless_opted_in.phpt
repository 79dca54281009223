--TEST--
The dashboard returns 403 without a password or MCPATTERNS_DASHBOARD_LOCAL=1
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

foreach (['nothing set' => ['MCPATTERNS_DASHBOARD_LOCAL' => ''], '0' => ['MCPATTERNS_DASHBOARD_LOCAL' => '0'], 'no' => ['MCPATTERNS_DASHBOARD_LOCAL' => 'no'], '1' => ['MCPATTERNS_DASHBOARD_LOCAL' => '1'],
    'an empty password' => ['MCPATTERNS_DASHBOARD_LOCAL' => '', 'MCPATTERNS_DASHBOARD_PASSWORD' => '']] as $case => $environment) {
    $dashboard = start_dashboard($environment);
    $dashboard->run('(new McPatterns\Cache(new McPatterns\Pool("memory://x"), prefix: "secret-prefix."))->get("a");');
    echo "$case:";
    // A visitor of nginx with a bare proxy_pass looks like this.
    foreach ([[], ['HTTP_HOST' => '127.0.0.1:8080', 'REMOTE_ADDR' => '127.0.0.1'], ['HTTP_HOST' => null]] as $server) {
        foreach (['', '?format=json', '?MCPATTERNS_DASHBOARD_LOCAL=1'] as $query) {
            ['status' => $status, 'body' => $body] = $dashboard->ask($query, $server, ['MCPATTERNS-DASHBOARD-LOCAL: 1', 'Cookie: MCPATTERNS_DASHBOARD_LOCAL=1']);
            echo " $status", str_contains($body, 'secret-prefix') ? ' with figures' : '';
        }
    }
    echo "\n";
    if ($case === 'nothing set') {
        echo $dashboard->ask()['body'];
    }
}
?>
--EXPECT--
nothing set: 403 403 403 403 403 403 403 403 403
Closed. Set a password in MCPATTERNS_DASHBOARD_PASSWORD, or MCPATTERNS_DASHBOARD_LOCAL=1 where no proxy passes others' requests on.
0: 403 403 403 403 403 403 403 403 403
no: 403 403 403 403 403 403 403 403 403
1: 200 with figures 200 with figures 200 with figures 200 with figures 200 with figures 200 with figures 200 with figures 200 with figures 200 with figures
an empty password: 403 403 403 403 403 403 403 403 403
