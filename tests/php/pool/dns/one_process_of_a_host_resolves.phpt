--TEST--
Only 1 process per host resolves a name, every 30 s (G7)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded("pcntl") || !is_readable("/proc/self/cmdline")) {
    die("skip needs pcntl and /proc");
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/dns_server.inc';

$dns = start_dns_server();
$tell = fn (string ...$addresses) => $dns->tell(['cache.test' => ['A' => $addresses, 'delay' => 0.3]]);
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
$show = fn (): string => implode(',', array_column((new Pool('dns://cache.test.', timeout: 5))->servers(), 'host')) . "\n";
$tell('10.0.0.2', '10.0.0.1');
in_many_processes($show);
echo 'asked ', count($dns->questions()), "\n";
$tell('10.0.0.3');
in_many_processes($show);
Clock::advance(15); // and the seconds that a busy machine takes
in_many_processes($show);
echo 'asked ', count($dns->questions()), "\n";
Clock::advance(15);
$show(); // this one does
in_many_processes($show);
echo 'asked ', count($dns->questions()), "\n";
?>
--EXPECT--
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
asked 1
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
10.0.0.1,10.0.0.2
asked 1
10.0.0.3
10.0.0.3
10.0.0.3
10.0.0.3
10.0.0.3
10.0.0.3
10.0.0.3
10.0.0.3
asked 2
