--TEST--
Pools share a discovered list only with equal credentials and settings
--EXTENSIONS--
mcpatterns
pcntl
posix
--SKIPIF--
<?php
if (posix_geteuid() !== 0) {
    die('skip needs root');
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool, Transport};

require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$endpoint = start_discovery_endpoint(['password' => 'app:secret']);
$endpoint->tell(12, ['right.test:1']);
$access = ['transport' => Transport::Direct, 'user' => 'app', 'password' => 'secret'];
function show(string $who, array $options, int $user = 0): void
{
    global $endpoint;
    if (($pid = pcntl_fork()) === 0) {
        $user > 0 && posix_seteuid($user);
        $pool = new Pool("discover://$endpoint->address", ...$options);
        echo "$who: ", implode(',', array_column($pool->servers(), 'host'));
        send_signal(getmypid(), SIGNAL_KILL);
    }
    pcntl_waitpid($pid, $status);
    echo ', asked ', $endpoint->asked(), "\n";
}
show('first', $access);
$endpoint->tell(99, ['other.test:1']);
show('another prefix', $access + ['prefix' => 'theirs:']);
show('another key', $access + ['signingKey' => str_repeat('k', 32)]);
show('failover', $access + ['failover' => true]);
show('other timeouts', $access + ['timeout' => 3, 'retryAfter' => 9]);
show('another user', $access, 65534);
show('first', $access);

if (($pid = pcntl_fork()) === 0) {
    $pool = new Pool("discover://$endpoint->address", ...$access);
    posix_seteuid(65534);
    Clock::advance(60);
    $pool->serverFor('key'); // finds that it is time
    echo 'a Pool follows its user: ', implode(',', array_column($pool->servers(), 'host')), "\n";
    send_signal(getmypid(), SIGNAL_KILL);
}
pcntl_waitpid($pid, $status);
show('first', $access);
?>
--EXPECT--
first: right.test, asked 1
another prefix: other.test, asked 2
another key: other.test, asked 3
failover: other.test, asked 4
other timeouts: right.test, asked 4
another user: other.test, asked 5
first: right.test, asked 5
a Pool follows its user: other.test
first: right.test, asked 6
