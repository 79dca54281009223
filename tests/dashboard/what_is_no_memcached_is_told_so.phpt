--TEST--
The dashboard and other processes report a server that is not memcached
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

$folder = make_temporary_folder('nonsense');
register_shutdown_function('remove_folder', $folder);
file_put_contents("$folder/nonsense.php", '<?php $listener = stream_socket_server("unix://$argv[1]"); while ($client = @stream_socket_accept($listener, 60)) {
    fwrite($client, "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n"); fgets($client); }');
$socket = "$folder/nonsense.sock";
$process = start_process([PHP_BINARY, '-n', "$folder/nonsense.php", $socket], "$folder/log");
while (!file_exists($socket)) {
    usleep(5000);
}
$told = fn (?string $message): string => preg_match("/^the server replied \"SSH-2\\.0-OpenSSH_9\\.2p1 Debian.*\", which is not the memcached protocol$/", (string) $message) ? "nonsense\n" : "$message\n";
foreach (['Direct', 'Libmemcached'] as $transport) {
    $dashboard = start_dashboard(['MCPATTERNS_DASHBOARD_SERVERS' => "unix://$socket"]);
    $dashboard->run("(new McPatterns\\Cache(new McPatterns\\Pool('unix://$socket', transport: McPatterns\\Transport::$transport, timeout: 5)))->get('a');");
    $look = json_decode($dashboard->ask('?format=json')['body'], true);
    echo "$transport: ", $told($look['metrics']['servers'][0]['last_error']['message'] ?? null);
    echo 'the dashboard: ', $told($look['memcached'][0]['error']);
}
?>
--EXPECT--
Direct: nonsense
the dashboard: nonsense
Libmemcached: nonsense
the dashboard: nonsense
