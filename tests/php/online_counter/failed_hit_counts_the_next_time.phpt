--TEST--
After a failed hit the visitor's next hit counts, at most twice (O2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool, ServerException};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

// Between client, of whatever number of connections, and server: is silent on the first request that begins so, which the
// server has or has not. What follows on that connection is not delivered.
function relay_with_silence(string $path, PrivateMemcached $server, string $silent_on, bool $is_delivered): int
{
    $listener = stream_socket_server("unix://$path");
    $pid = pcntl_fork();
    if ($pid > 0) {
        fclose($listener);
        return $pid;
    }
    pcntl_alarm(30);
    for ($was_silent = false, $clients = [];;) {
        $ready = [$listener, ...$clients];
        $none = null;
        stream_select($ready, $none, $none, 30) || exit;
        foreach ($ready as $client) {
            if ($client === $listener) {
                $clients[] = stream_socket_accept($listener, 30);
                continue;
            }
            if (($line = fgets($client)) === false) {
                $clients = array_filter($clients, fn ($other) => $other !== $client);
                fclose($client);
                continue;
            }
            $command = $line . (preg_match('/^(add|cas) /', $line) ? fgets($client) : '');
            if (!$was_silent && str_starts_with($line, $silent_on)) {
                $was_silent = true;
                $is_delivered && $server->exchange($command, 5);
                $silent = $client;
                $clients = array_filter($clients, fn ($other) => $other !== $client);
                continue;
            }
            fwrite($client, $server->exchange($command, 5));
        }
    }
}

function attempt(OnlineCounter $online): string
{
    try {
        return json_encode($online->hit('anna'));
    } catch (ServerException) {
        return 'failed';
    }
}

$server = start_memcached();
$folder = make_temporary_folder('relay');
$direct = new Pool($server->address, timeout: 10);
$n = 0;
foreach (['add seen', 'cas seen', 'incr online', 'add online'] as $silent_on) {
    foreach ([false, true] as $is_delivered) {
        $name = 'page' . $n++;
        $relay = relay_with_silence("$folder/$n", $server, $silent_on, $is_delivered);
        $online = new OnlineCounter(new Pool("unix://$folder/$n", timeout: 0.3, retryAfter: 0), $name, 86400 * 25, 1);
        if ($silent_on !== 'add online') {
            (new OnlineCounter($direct, $name, 86400 * 25, 1))->increment(100);
        }
        if ($silent_on === 'cas seen') {
            // Her mark is there, and is too old to keep her from counting.
            $online->hit('anna');
            preg_match('/key=(seen\S+)/', str_replace('%3A', ':', $server->raw('lru_crawler metadump all')), $found);
            $server->raw("set $found[1] 0 60 3\r\n1 x");
        }
        $first = attempt($online);
        $next = attempt($online);
        $number = current((new OnlineCounter($direct, $name, 86400 * 25, 1))->perSlot());
        // Direct adds 0 before it counts.
        $number += (int) ($silent_on === 'add online' && $is_delivered && ini_get('mcpatterns.transport') === 'direct');
        echo $silent_on, $is_delivered ? ', no answer' : ', not delivered', ": $first, then $next, then ", attempt($online), "; $number\n";
        send_signal($relay, SIGNAL_KILL);
        pcntl_waitpid($relay, $status);
        $server->raw('flush_all');
    }
}

$online = new OnlineCounter(new Pool($server->address, timeout: 0.3), 'page', 86400 * 25, 1);
$server->freeze();
echo 'hung: ', attempt($online);
$server->thaw();
echo ', left alone: ', attempt($online);
usleep(1_100_000);
echo ', then ', attempt($online), ', then ', attempt($online), "\n";
remove_folder($folder);
?>
--EXPECT--
add seen, not delivered: true, then false, then false; 101
add seen, no answer: true, then false, then false; 101
cas seen, not delivered: true, then false, then false; 102
cas seen, no answer: true, then false, then false; 102
incr online, not delivered: failed, then true, then false; 101
incr online, no answer: failed, then true, then false; 102
add online, not delivered: failed, then true, then false; 1
add online, no answer: failed, then true, then false; 2
hung: failed, left alone: failed, then true, then false
