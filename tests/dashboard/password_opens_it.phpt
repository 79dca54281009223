--TEST--
The dashboard admits only requests with the password by basic authentication
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

const FAR = ['REMOTE_ADDR' => '203.0.113.5', 'HTTP_HOST' => 'shop.example.org'];

function login(string $pair): array
{
    return ['Authorization: Basic ' . base64_encode($pair)];
}

/** PHP decodes the header itself; where a web server keeps it back there is only this variable. */
function kept_back(string $pair): array
{
    return FAR + ['PHP_AUTH_PW' => null, 'PHP_AUTH_USER' => null, 'HTTP_AUTHORIZATION' => null, 'REDIRECT_HTTP_AUTHORIZATION' => 'Basic ' . base64_encode($pair)];
}

$dashboard = start_dashboard(['MCPATTERNS_DASHBOARD_PASSWORD' => 'open:sesame']);
foreach ([
    'right' => $dashboard->ask('', FAR, login('ada:open:sesame')),
    'right, JSON' => $dashboard->ask('?format=json', FAR, login(':open:sesame')),
    'right, kept back' => $dashboard->ask('', kept_back('ada:open:sesame')),
    'right, through a proxy' => $dashboard->ask('', FAR + ['HTTP_X_FORWARDED_FOR' => '203.0.113.9'], login('ada:open:sesame')),
    'local, without' => $dashboard->ask(),
    'none' => $dashboard->ask('', FAR),
    'none, JSON' => $dashboard->ask('?format=json', FAR),
    'wrong' => $dashboard->ask('', FAR, login('ada:open sesame')),
    'longer' => $dashboard->ask('', FAR, login('ada:open:sesame!')),
    'shorter' => $dashboard->ask('', FAR, login('ada:open')),
    'empty' => $dashboard->ask('', FAR, login('ada:')),
    'no colon' => $dashboard->ask('', kept_back('open')),
    'no base64' => $dashboard->ask('', FAR + ['HTTP_AUTHORIZATION' => 'Basic ***']),
    'another scheme' => $dashboard->ask('', FAR, ['Authorization: Bearer open:sesame']),
    'in the URL' => $dashboard->ask('?password=open:sesame&MCPATTERNS_DASHBOARD_PASSWORD=open:sesame', FAR),
    'in a header' => $dashboard->ask('', FAR, ['MCPATTERNS-DASHBOARD-PASSWORD: x', 'X-Password: open:sesame']),
    'in a cookie' => $dashboard->ask('', FAR, ['Cookie: password=open:sesame']),
] as $case => $answer) {
    echo str_pad($case, 24), $answer['status'], str_contains($answer['headers'], 'WWW-Authenticate: Basic') ? ' asks' : '', "\n";
}
foreach (['' => 'none set', '0' => 'it is 0'] as $password => $case) {
    $dashboard = start_dashboard(['MCPATTERNS_DASHBOARD_PASSWORD' => (string) $password]);
    echo str_pad($case, 24), $dashboard->ask('', FAR, login('ada:'))['status'], ' ', $dashboard->ask('', FAR, login("ada:$password"))['status'], ' ',
        $dashboard->ask('', FAR)['status'], "\n";
}
?>
--EXPECT--
right                   200
right, JSON             200
right, kept back        200
right, through a proxy  200
local, without          401 asks
none                    401 asks
none, JSON              401 asks
wrong                   401 asks
longer                  401 asks
shorter                 401 asks
empty                   401 asks
no colon                401 asks
no base64               401 asks
another scheme          401 asks
in the URL              401 asks
in a header             401 asks
in a cookie             401 asks
none set                403 403 403
it is 0                 401 200 401
