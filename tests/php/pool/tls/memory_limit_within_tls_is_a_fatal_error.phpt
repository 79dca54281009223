--TEST--
The memory limit, hit within a handshake, a send or a receive, is the fatal error that it is elsewhere, and the next process goes on
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Compression, Lock, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/tls_peer.inc';

$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates]);
// One that answers with an alert where a handshake is, and one that breaks TLS behind the first answer: warnings take memory.
$alert = "\x15\x03\x03\x00\x02\x02\x28";
$liar = 'tls://' . start_tls_peer(null, function ($connection) use ($alert) {
    fread($connection, 1000);
    fwrite($connection, $alert);
});
$breaking = 'tls://' . start_tls_peer($certificates, function ($connection) use ($alert) {
    fgets($connection);
    fwrite($connection, "END\r\n");
    fgets($connection);
    stream_socket_sendto($connection, str_repeat($alert, 10));
});

/**
 * A child that fills all memory but what $left strings have, and then does $at; null: to the last. Says how it ended, or
 * how many strings there is room for.
 */
function without_memory(callable $before, callable $at, ?int $count): string|int
{
    $file = tempnam(sys_get_temp_dir(), 'bailout');
    $pid = pcntl_fork();
    if ($pid === 0) {
        global $filled, $i, $is_at;
        register_shutdown_function(function () use ($file) {
            global $filled, $i, $is_at;
            $filled = null;
            $error = error_get_last()['message'] ?? 'none';
            file_put_contents($file, json_encode([$i, $is_at, str_starts_with($error, 'Allowed memory size') ? 'memory' : $error]));
        });
        error_clear_last();
        ini_set('log_errors', '0');
        ini_set('display_errors', '0');
        set_error_handler(fn () => file_put_contents($file, 'HANDLER') || die());
        $state = $before();
        $filled = array_fill(0, 200000, null);
        $is_at = false;
        ini_set('memory_limit', (string) (memory_get_usage(true) + 2097152));
        for ($i = 0; $i !== $count; $i++) {
            $filled[$i] = str_repeat('x', 100);
        }
        $is_at = true;
        $at($state);
        $is_at = 'went on';
        exit(0);
    }
    pcntl_waitpid($pid, $status);
    $said = file_get_contents($file);
    unlink($file);
    if (pcntl_wifsignaled($status)) {
        return 'signal ' . pcntl_wtermsig($status);
    }
    [$number, $is_at, $error] = json_decode($said) ?? [0, $said, ''];
    return $count === null ? $number : match ([$is_at, $error, pcntl_wexitstatus($status)]) {
        ['went on', 'none', 0] => 'went on',
        [true, 'memory', 255] => 'fatal error within',
        [false, 'memory', 255] => 'fatal error before',
        default => "$said, status " . pcntl_wexitstatus($status),
    };
}

// And one that has closed behind the first answer: what is sent then breaks off.
$closing = 'tls://' . start_tls_peer($certificates, function ($connection) {
    fgets($connection);
    fwrite($connection, "END\r\n");
});

$arguments = ['connectTimeout' => 5, 'timeout' => 5, 'transport' => Transport::Direct, 'tls' => $certificates->client_options()];
$value = random_bytes(300000);
$cases = [
    'handshake' => [fn () => new Cache(new Pool($server->address, ...$arguments)), fn ($cache) => $cache->get('key')],
    'handshake of a lock' => [fn () => new Lock(new Pool($server->address, ...$arguments), 'lock'), fn ($lock) => $lock->acquire()],
    'broken handshake' => [fn () => new Cache(new Pool($liar, ...$arguments)), fn ($cache) => $cache->get('key')],
    'receive' => [
        function () use ($breaking, $arguments) {
            $cache = new Cache(new Pool($breaking, ...$arguments));
            $cache->get('key');
            return $cache;
        },
        fn ($cache) => $cache->get('key'),
    ],
    'send' => [
        function () use ($closing, $arguments) {
            $cache = new Cache(new Pool($closing, ...$arguments, compression: Compression::None));
            $cache->get('key');
            return $cache;
        },
        fn ($cache) => $cache->set('key', $value),
    ],
    'computation' => [
        fn () => new Cache(new Pool($server->address, ...$arguments)),
        fn ($cache) => $cache->remember('computed', 60, fn () => file_put_contents('/dev/null', 'not after a fatal error')),
    ],
];
foreach ($cases as $what => [$before, $at]) {
    $room = without_memory($before, $at, null);
    $ends = [];
    for ($count = $room - 1, $step = 1; $count > $room - 300 && $count > 0; $count -= $step, $step += 3) {
        $end = without_memory($before, $at, $count);
        $ends[$end] = ($ends[$end] ?? 0) + 1;
    }
    unset($ends['went on']);
    echo "$what: ", implode(', ', array_keys($ends)) ?: 'never without memory', "\n";
}
$cache = new Cache(new Pool($server->address, ...$arguments));
echo 'afterwards: ', $cache->set('key', 'value') ? $cache->get('key') : 'failed', "\n";
?>
--EXPECT--
handshake: fatal error within
handshake of a lock: fatal error within
broken handshake: fatal error within
receive: fatal error within
send: fatal error within
computation: fatal error within
afterwards: value
