--TEST--
Releasing locks on a frozen server takes 1 second, losing no drain
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Counter, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

const SCRIPT = <<<'PHP'
// Nobody is left alone after a failure, so that every lock would cost a timeout.
$pool = new McPatterns\Pool($argv[1], timeout: 0.3, retryAfter: 0, transport: McPatterns\Transport::Libmemcached);
function lock_and_fail() {
    global $pool, $locks, $argv;
    for ($i = 0; $i < 20; $i++) {
        $locks[$i] = new McPatterns\Lock($pool, "job$i", ttl: 60);
        $locks[$i]->acquire();
    }
    echo count($locks), " locks\n";
    eval($argv[3]);
}
$views = new McPatterns\Counter(new McPatterns\Pool($argv[2]), 'views');
$views->increment(5);
$views->drain(fn () => lock_and_fail());
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

$living = start_memcached();
foreach (['class Fatal implements Countable {}', 'McPatterns\Pool::endRequest(); echo "goes on\n"; exit;'] as $end) {
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $process = start_script(SCRIPT, [stream_socket_get_name($server, false), $living->address, $end], ['display_errors' => 0], $log);
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
    $views = new Counter(new Pool($living->address), 'views');
    echo 'views: ', $views->value(), "\n";
    $views->reset();
}
?>
--EXPECT--
20 locks
a few of them were tried
views: 5
20 locks
goes on
a few of them were tried
views: 5
