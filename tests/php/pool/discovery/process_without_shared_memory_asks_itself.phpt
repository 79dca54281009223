--TEST--
Each process without shared memory asks the endpoint once per minute
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.shared_memory=0
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$endpoint = start_discovery_endpoint();
$endpoint->tell(12, ['a.test:1']);
$show = fn (): string => implode(',', array_column((new Pool("discover://$endpoint->address"))->servers(), 'host')) . "\n";
echo $show(), $show(), $show();
echo 'asked ', $endpoint->asked(), "\n";
Clock::advance(60);
$endpoint->tell(13, ['b.test:1']);
echo $show(), $show();
echo 'asked ', $endpoint->asked(), "\n";
foreach ([1, 2] as $child) {
    Clock::advance(60);
    if (($pid = pcntl_fork()) === 0) {
        echo $show(), $show();
        send_signal(getmypid(), SIGNAL_KILL);
    }
    pcntl_waitpid($pid, $status);
}
echo 'asked ', $endpoint->asked(), "\n";
?>
--EXPECT--
a.test
a.test
a.test
asked 1
b.test
b.test
asked 2
b.test
b.test
b.test
b.test
asked 4
