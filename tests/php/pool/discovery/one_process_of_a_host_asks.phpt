--TEST--
Only 1 process per host asks the endpoint, once per minute
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

require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$endpoint = start_discovery_endpoint(['delay' => 0.3]);
$endpoint->tell(12, ['a.test:1', 'b.test:2']);
function in_many_processes(callable $work): void
{
    $children = [];
    for ($i = 0; $i < 8; $i++) {
        if (($children[] = pcntl_fork()) === 0) {
            echo $work();
            send_signal(getmypid(), SIGNAL_KILL);
        }
    }
    array_map(fn (int $pid) => pcntl_waitpid($pid, $status), $children);
}
$show = fn (): string => implode(',', array_column((new Pool("discover://$endpoint->address", timeout: 5))->servers(), 'host')) . "\n";
in_many_processes($show);
echo 'asked ', $endpoint->asked(), "\n";
$endpoint->tell(13, ['c.test:3']);
in_many_processes($show);
echo 'asked ', $endpoint->asked(), "\n";
Clock::advance(60);
$show(); // this one does
echo 'asked ', $endpoint->asked(), "\n";
in_many_processes($show);
echo 'asked ', $endpoint->asked(), "\n";
?>
--EXPECT--
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
asked 1
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
a.test,b.test
asked 1
asked 2
c.test
c.test
c.test
c.test
c.test
c.test
c.test
c.test
asked 2
