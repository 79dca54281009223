--TEST--
A script that holds many locks on a server that hangs does not wait for each of them at its end
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/script.inc';

const SCRIPT = <<<'PHP'
// Nobody is left alone after a failure, so that every lock would cost a timeout.
$pool = new McPatterns\Pool($argv[1], timeout: 0.3, retryAfter: 0);
for ($i = 0; $i < 20; $i++) {
    $locks[$i] = new McPatterns\Lock($pool, "job$i", ttl: 60);
    $locks[$i]->acquire();
}
echo count($locks), " locks\n";
PHP;

/** Stores whatever is added and answers nothing else; counts who was asked for. */
function hang(array $ready, $server, array &$connections, array &$asked): void
{
    foreach ($ready as $stream) {
        if ($stream === $server) {
            $connections[] = stream_socket_accept($server);
            continue;
        }
        $line = fgets($stream);
        if ($line === false) {
            unset($connections[array_search($stream, $connections, true)]);
        } elseif (str_starts_with($line, 'add ')) {
            fgets($stream);
            fwrite($stream, "STORED\r\n");
        } else {
            $asked[] = explode(' ', rtrim($line))[1] ?? $line;
        }
    }
}

$server = stream_socket_server('tcp://127.0.0.1:0');
$process = start_script(SCRIPT, [stream_socket_get_name($server, false)], [], $log);
$connections = $asked = [];
while (proc_get_status($process)['running']) {
    $ready = [$server, ...$connections];
    $write = $except = null;
    if (stream_select($ready, $write, $except, 0, 50000)) {
        hang($ready, $server, $connections, $asked);
    }
}
proc_close($process);
echo file_get_contents($log);
unlink($log);
// A second is over after the fourth timeout of 0.3 s.
$count = count(array_unique($asked));
echo $count >= 1 && $count <= 4 ? 'a few of them were tried' : "$count were tried", "\n";
?>
--EXPECT--
20 locks
a few of them were tried
