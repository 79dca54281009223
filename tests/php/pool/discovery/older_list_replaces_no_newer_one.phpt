--TEST--
A stopped process never replaces a newer discovered list by an older
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

$listener = stream_socket_server('tcp://127.0.0.1:0');
$endpoint = stream_socket_get_name($listener, false);
function answer($asker, int $version, string $node): void
{
    $list = "$version\n$node\n";
    fwrite($asker, 'CONFIG cluster 0 ' . strlen($list) . "\r\n$list\r\nEND\r\n");
}
function ask_in_a_process(string $who, int $later): int
{
    global $endpoint;
    if (($pid = pcntl_fork()) === 0) {
        Clock::advance($later);
        $pool = new Pool("discover://$endpoint", timeout: 60);
        echo "$who: ", implode(',', array_column($pool->servers(), 'host')), "\n";
        send_signal(getmypid(), SIGNAL_KILL);
    }
    return $pid;
}

$slow = ask_in_a_process('stood still', 0);
$its_question = stream_socket_accept($listener);
fgets($its_question);
send_signal($slow, SIGNAL_STOP);
wait_for_state($slow, 'T');
answer($its_question, 12, 'old.test||1');

$next = ask_in_a_process('asked when that turn was over', 60);
$question = stream_socket_accept($listener);
fgets($question);
answer($question, 13, 'new.test||1');
pcntl_waitpid($next, $status);

send_signal($slow, SIGNAL_CONTINUE);
pcntl_waitpid($slow, $status);
pcntl_waitpid(ask_in_a_process('came last', 60), $status);
?>
--EXPECT--
asked when that turn was over: new.test
stood still: new.test
came last: new.test
