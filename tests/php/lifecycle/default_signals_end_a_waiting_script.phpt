--TEST--
SIGTERM, SIGINT and SIGQUIT end a script that waits for a reply
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

/** A server that answers a byte of an item every 50 ms, for a minute, and notes the request in a file. */
const SERVER = <<<'CODE'
$server = stream_socket_server("unix://$argv[1]");
touch("$argv[1].ready");
$connection = stream_socket_accept($server, 60);
fgets($connection);
fwrite($connection, "VALUE key 0 1000000 7\r\n");
touch("$argv[1].asked");
for ($i = 0; $i < 1200 && @fwrite($connection, 'x'); $i++) {
    usleep(50000);
}
CODE;
const CLIENT = <<<'CODE'
(new McPatterns\Cache(new McPatterns\Pool("unix://$argv[1]")))->get('key');
CODE;

function wait_for_file(string $path): void
{
    for ($i = 0; $i < 20000 && !file_exists($path); $i++) {
        usleep(1000);
    }
}

foreach ([SIGTERM, SIGINT, SIGQUIT] as $signal) {
    $folder = make_temporary_folder('drip');
    pcntl_signal($signal, SIG_DFL); // as the client gets it: what was started in the background mostly ignores some of these
    $server = start_script(SERVER, ["$folder/s"], [], $server_log);
    wait_for_file("$folder/s.ready");
    $client = start_script(CLIENT, ["$folder/s"], [], $log);
    wait_for_file("$folder/s.asked");
    send_signal(proc_get_status($client)['pid'], $signal);
    $deadline = microtime(true) + 10;
    do {
        usleep(1000);
        $status = proc_get_status($client);
    } while ($status['running'] && microtime(true) < $deadline);
    var_dump($status['running'] ? 'runs on' : $status['termsig'] === $signal);
    foreach ([$client, $server] as $process) {
        proc_terminate($process, SIGKILL);
        proc_close($process);
    }
    unlink($log);
    unlink($server_log);
    remove_folder($folder);
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
