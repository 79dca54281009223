--TEST--
The dashboard uses configured TLS and passwords and never shows a password
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
?>
--FILE--
<?php
require __DIR__ . '/../_support/dashboard.inc';

$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates, 'client_certificates' => true, 'password' => 'alice:s3cret']);
$address = "tls://alice:s3cret@$server->name";
$settings = [
    'mcpatterns.transport' => 'direct',
    'mcpatterns.tls_cafile' => $certificates->authority, 'mcpatterns.tls_local_cert' => $certificates->client,
    'mcpatterns.tls_local_pk' => $certificates->client_key,
];
$tell = function (string $how, PrivateDashboard $dashboard) use ($server): void {
    $dashboard->run('(new McPatterns\Counter(new McPatterns\Pool("tls://alice:s3cret@' . $server->name . '", connectTimeout: 5, timeout: 5, transport: McPatterns\Transport::Direct), "n"))->increment();');
    $answer = $dashboard->ask('?format=json')['body'];
    echo "$how: ";
    foreach (json_decode($answer, true)['memcached'] as $told) {
        echo str_replace($server->name, 'server', $told['server']), $told['stats'] ? ' answers' : " does not: $told[error]", ', ';
    }
    echo str_contains($answer . $dashboard->ask()['body'], 's3cret') ? "and shows the password\n" : "and no password is shown\n";
};
$tell('by the environment', start_dashboard(['MCPATTERNS_DASHBOARD_SERVERS' => $address], $settings));
$tell('by the setting', start_dashboard([], ['mcpatterns.servers' => $address] + $settings));
$tell('with the settings\' password', start_dashboard([], ['mcpatterns.servers' => "tls://$server->name", 'mcpatterns.user' => 'alice', 'mcpatterns.password' => 's3cret'] + $settings));
$tell('what names none', start_dashboard(['MCPATTERNS_DASHBOARD_SERVERS' => 'tls://alice:s3cret@no:server:at:all'], $settings));
?>
--EXPECTF--
by the environment: server answers, and no password is shown
by the setting: server answers, and no password is shown
with the settings' password: server answers, and no password is shown
what names none: no:server:at:all does not: %s, and no password is shown
