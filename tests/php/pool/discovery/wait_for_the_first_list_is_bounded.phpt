--TEST--
A process waits for the first discovered list within its timeouts
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/process.inc';

$silent = stream_socket_server('tcp://127.0.0.1:0');
$endpoint = stream_socket_get_name($silent, false);
$patient = pcntl_fork();
if ($patient === 0) {
    pcntl_alarm(60);
    new Pool("discover://$endpoint", timeout: 30);
}
$question = stream_socket_accept($silent);
fgets($question);

Clock::freeze();
$wait = function () use ($endpoint): void {
    $start = Clock::now();
    new Pool("discover://$endpoint", connectTimeout: 0.1, timeout: 0.2, retryAfter: 5);
    printf("%.1f s\n", Clock::now() - $start);
};
$wait();
$wait();
Clock::advance(5);
$wait();
send_signal($patient, SIGNAL_KILL);
pcntl_waitpid($patient, $status);
?>
--EXPECT--
0.3 s
0.0 s
0.3 s
