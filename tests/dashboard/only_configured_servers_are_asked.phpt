--TEST--
The dashboard connects only to configured servers, over Transport::Direct
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

[$ours, $planted, $third] = [start_memcached(), start_memcached(), start_memcached()];
$asked = function (array $environment, array $settings) use ($ours, $planted, $third): string {
    $dashboard = start_dashboard($environment, $settings);
    // Whoever shares the memory can have any address counted.
    foreach ([$ours, $planted] as $server) {
        $dashboard->run("(new McPatterns\\Counter(new McPatterns\\Pool('$server->address', timeout: 0.4, persistent: false), 'n'))->increment();");
    }
    $before = array_map(fn ($server) => $server->stats()['total_connections'], [$ours, $planted, $third]);
    $look = json_decode($dashboard->ask('?format=json')['body'], true);
    $page = $dashboard->ask()['status'];
    // Each look at the statistics is a connection of the test's own.
    $after = array_map(fn ($server) => $server->stats()['total_connections'] - 1, [$ours, $planted, $third]);
    $names = [$ours->address => 'ours', $planted->address => 'planted', $third->address => 'third'];
    $told = array_map(fn (array $one) => ($names[$one['server']] ?? $one['server']) . ($one['stats'] ? ' answers' : ' does not'), $look['memcached']);
    return count($look['metrics']['servers']) . ' used, told: ' . implode(', ', $told) . '; connected to: '
        . json_encode(array_map(fn ($before, $after) => $after > $before, $before, $after)) . " $page";
};
echo 'by the environment: ', $asked(['MCPATTERNS_DASHBOARD_SERVERS' => "$ours->address, $third->address:3"], []), "\n";
echo 'by the setting, where used: ', $asked([], ['mcpatterns.servers' => "$ours->address,$third->address"]), "\n";
echo 'by nothing: ', $asked([], []), "\n";
echo 'in memory: ', $asked([], ['mcpatterns.servers' => 'memory://x']), "\n";

// A server whose answer has a key that libmemcached would write behind its memory.
$folder = make_temporary_folder('liar');
register_shutdown_function('remove_folder', $folder);
file_put_contents("$folder/liar.php", '<?php $listener = stream_socket_server("unix://$argv[1]"); while ($client = @stream_socket_accept($listener, 60)) {
    while (($line = fgets($client)) !== false) {
        fwrite($client, "VALUE " . str_repeat("k", 1000) . " 0 3\r\nabc\r\nEND\r\n");
    }
}');
$liar = start_process([PHP_BINARY, '-n', "$folder/liar.php", "$folder/socket"], "$folder/log");
for ($i = 0; !file_exists("$folder/socket") && $i < 1000; $i++) {
    usleep(10_000);
}
$dashboard = start_dashboard(['MCPATTERNS_DASHBOARD_SERVERS' => "unix://$folder/socket"]);
$answers = array_map(fn () => $dashboard->ask('?format=json')['status'], range(1, 3));
echo 'a liar: ', implode(' ', $answers), "\n";
send_signal(proc_get_status($liar)['pid'], SIGNAL_KILL);
?>
--EXPECT--
by the environment: 2 used, told: ours answers, third answers; connected to: [true,false,true] 200
by the setting, where used: 2 used, told: ours answers; connected to: [true,false,false] 200
by nothing: 2 used, told: ; connected to: [false,false,false] 200
in memory: 2 used, told: ; connected to: [false,false,false] 200
a liar: 200 200 200
