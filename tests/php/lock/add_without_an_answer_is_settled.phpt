--TEST--
A lock's add with a lost reply is resolved by reading back
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

// Between client and server: drops the answer to the first add, and the connection with it.
function relay_and_drop(string $path, PrivateMemcached $server): int
{
    $listener = stream_socket_server("unix://$path");
    $pid = pcntl_fork();
    if ($pid > 0) {
        fclose($listener);
        return $pid;
    }
    pcntl_alarm(30);
    for ($has_dropped = false; $client = stream_socket_accept($listener, 30); fclose($client)) {
        while (($line = fgets($client)) !== false) {
            if (in_array($line, ["mn\r\n", "version\r\n", "stats settings\r\n"], true)) {
                fwrite($client, "ERROR\r\n");
                continue;
            }
            $command = $line . (preg_match('/^(add|cas) /', $line) ? fgets($client) : '');
            $answer = $server->exchange($command, 5);
            if (str_starts_with($line, 'add ') && !$has_dropped) {
                $has_dropped = true;
                break;
            }
            fwrite($client, $answer);
        }
    }
    exit;
}

$server = start_memcached();
$folder = make_temporary_folder('relay');
$relay = relay_and_drop("$folder/socket", $server);
$lock = new Lock(new Pool("unix://$folder/socket", retryAfter: 0), 'job');
var_dump($lock->acquire(), $lock->isHeld(verify: true));
var_dump((new Lock(new Pool($server->address, timeout: 10), 'job'))->acquire());
var_dump($lock->release(), $lock->isLocked());
send_signal($relay, SIGNAL_KILL);
pcntl_waitpid($relay, $status);
remove_folder($folder);
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
