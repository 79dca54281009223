--TEST--
First elections through a proxy that closes connections compute stale values
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

/** Hands on what both sides say, until the client asks for what such a proxy does not know. */
function relay($client, $server): void
{
    do {
        $ready = [$client, $server];
        $write = $except = null;
        stream_select($ready, $write, $except, 60);
        $from = reset($ready);
        $said = fread($from, 65536);
        $ends = $said == '' || ($from === $client && preg_match('/^(mn|stats)\b/m', $said) === 1);
        $ends || fwrite($from === $client ? $server : $client, $said);
    } while (!$ends);
}

/** Each client has a process of its own, which ends with its connection. */
function start_proxy(PrivateMemcached $memcached): string
{
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    $pid = pcntl_fork();
    if ($pid === 0) {
        pcntl_alarm(60);
        pcntl_signal(SIGCHLD, SIG_IGN);
        while ($client = @stream_socket_accept($listener, 60)) {
            if (pcntl_fork() === 0) {
                pcntl_alarm(60);
                relay($client, open_stream($memcached->address));
                send_signal(getmypid(), SIGNAL_KILL);
            }
            fclose($client);
        }
        send_signal(getmypid(), SIGNAL_KILL);
    }
    register_shutdown_function(function () use ($pid) {
        send_signal($pid, SIGNAL_KILL);
        pcntl_waitpid($pid, $status);
    });
    return stream_socket_get_name($listener, false);
}

$memcached = start_memcached();
$address = start_proxy($memcached);
$other = new Cache(new Pool($memcached->address, timeout: 10), ttl: 100, grace: 100);
$expire = function (string ...$names) use ($other): void {
    foreach ($names as $name) {
        $other->set($name, 'old');
        $other->expire($name);
    }
};
/* As a new process, or a new request, has it. */
$open = fn () => new Cache(new Pool($address, timeout: 10, transport: Transport::Direct, persistent: false), ttl: 100, grace: 100);
$calls = [
    'remember' => fn (Cache $cache) => $cache->remember('k', 100, fn () => 'computed'),
    'for the new one' => fn (Cache $cache) => $cache->remember('k', 100, fn () => 'computed', stale: false, wait: 60),
    'forced' => fn (Cache $cache) => $cache->remember('k', 100, fn () => 'computed', force: true),
    'rememberMany' => fn (Cache $cache) => implode(' and ', $cache->rememberMany(['k', 'l'], 100, fn (array $names) => array_fill_keys($names, 'computed'))),
    'get' => fn (Cache $cache) => $cache->get('k', 'elected'),
    'lookup' => fn (Cache $cache) => $cache->lookup('k')->status->name,
];
foreach ($calls as $name => $call) {
    $expire('k', 'l');
    $cache = $open();
    echo "$name: ", $call($cache), ', then ', $other->peek('k'), "\n";
    $waited[$name] = $cache->stats()['waited'];
}

unset($waited['rememberMany']); // whose rounds begin with a pause
echo 'waited: ', array_sum($waited), "\n";

/* The first value above 8 KiB has the server's limit asked for as well. */
$other->set('k', str_repeat('old', 5000));
$other->expire('k');
echo 'large: ', substr($open()->remember('k', 100, fn () => 'computed'), 0, 12), "\n";

/* Somebody else who is faster meanwhile has it, as ever. */
$expire('k');
$other->lookup('k');
echo 'claimed by another: ', $open()->remember('k', 100, fn () => 'computed'), "\n";
?>
--EXPECT--
remember: computed, then computed
for the new one: computed, then computed
forced: computed, then computed
rememberMany: computed and computed, then computed
get: elected, then old
lookup: Elected, then old
waited: 0
large: computed
claimed by another: old
