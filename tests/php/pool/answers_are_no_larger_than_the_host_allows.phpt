--TEST--
Replies above mcpatterns.item_size_limit or memory_limit fail without allocating memory
--EXTENSIONS--
mcpatterns
pcntl
--INI--
memory_limit=64M
--SKIPIF--
<?php
if (!is_readable('/proc/self/status')) {
    die('skip needs /proc');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../_support/memcached.inc';

/** Answers each key of a "gets" with so many bytes, which it begins to send. */
function start_generous_server(int $announced): string
{
    $path = make_temporary_folder('generous') . '/socket';
    $listener = stream_socket_server("unix://$path");
    if (($pid = pcntl_fork()) === 0) {
        pcntl_alarm(120);
        $zeroes = str_repeat("\0", 1 << 20);
        while ($client = stream_socket_accept($listener, 100)) {
            $keys = explode(' ', trim((string) fgets($client)));
            foreach (array_slice($keys, 1) as $key) {
                if (!@fwrite($client, "VALUE $key 0 $announced 7\r\n")) {
                    break;
                }
                for ($left = $announced; $left > 0 && @fwrite($client, substr($zeroes, 0, $left)); $left -= strlen($zeroes)) {
                }
                @fwrite($client, "\r\n");
            }
            fclose($client);
        }
        send_signal(getmypid(), SIGKILL);
    }
    $owner = getmypid();
    register_shutdown_function(function () use ($pid, $owner, $path) {
        if (getmypid() === $owner) {
            send_signal($pid, SIGKILL);
            pcntl_waitpid($pid, $status);
            remove_folder(dirname($path));
        }
    });
    return "unix://$path";
}

function resident_mib(): int
{
    return intdiv((int) preg_replace('/.*VmHWM:\s*(\d+).*/s', '$1', file_get_contents('/proc/self/status')), 1024);
}

$transports = array_filter([Transport::Libmemcached, Transport::Direct]);
$before = resident_mib();
foreach (['one that announces 1 GiB' => [1 << 30, 1], '1 GiB for each of many' => [1 << 30, 100], 'many within the limit of one' => [8 << 20, 100]] as $name => [$bytes, $count]) {
    foreach ($transports as $transport) {
        $pool = new Pool(start_generous_server($bytes), transport: $transport, retryAfter: 0, timeout: 20);
        $cache = new Cache($pool);
        $keys = array_map(fn (int $i): string => "k$i", range(1, $count));
        $values = $count === 1 ? [$cache->get('k1')] : $cache->getMultiple($keys);
        $why = current($pool->lastErrors())['message'] ?? 'no error';
        echo "$name: ", count(array_filter([...$values], is_string(...))), ' values, ', str_contains($why, 'reply that is too large') ? 'too large' : $why, "\n";
    }
}
$grown = resident_mib() - $before;
echo $grown < 250 ? "memory is bounded\n" : "it took $grown MiB\n";

$server = start_memcached();
foreach ($transports as $transport) {
    $cache = new Cache(new Pool($server->address, transport: $transport, timeout: 20));
    $letters = array_map(fn (string $letter): string => str_repeat($letter, 1000), range('A', 'Z'));
    $values = [];
    for ($i = 0; $i < 20000; $i++) {
        $values["key$i"] = $letters[$i % 26];
    }
    $cache->setMultiple($values, 100);
    $right = 0;
    foreach ($cache->getMultiple(array_keys($values)) as $key => $value) {
        $right += $value === $values[$key];
    }
    echo "$right of 20,000\n";
}
?>
--EXPECT--
one that announces 1 GiB: 0 values, too large
one that announces 1 GiB: 0 values, too large
1 GiB for each of many: 0 values, too large
1 GiB for each of many: 0 values, too large
many within the limit of one: 0 values, too large
many within the limit of one: 0 values, too large
memory is bounded
20000 of 20,000
20000 of 20,000
