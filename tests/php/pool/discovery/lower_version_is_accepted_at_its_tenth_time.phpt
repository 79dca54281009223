--TEST--
10 repeated replies make all processes accept a lower list version
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
use McPatterns\{Clock, Counter, Pool};

require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$endpoint = start_discovery_endpoint();
$endpoint->tell_nodes(12, ['|127.0.0.1|1']);
$pool = new Pool("discover://$endpoint->address");
$ask = function (int $times) use ($pool): void {
    for ($i = 0; $i < $times; $i++) {
        Clock::advance(60);
        $pool->serverFor('key'); // finds that it is time
    }
    echo Pool::diagnose($pool)['discovery']['version'], "\n";
};
echo "not in a row\n";
$endpoint->tell_nodes(3, ['|127.0.0.1|2']);
$ask(9);
$endpoint->tell_nodes(12, ['|127.0.0.1|1']);
$ask(1);
$endpoint->tell_nodes(3, ['|127.0.0.1|2']);
$ask(9);
echo "an endpoint that is away tells nothing\n";
$endpoint->stop();
$ask(1);
$endpoint->start();
$ask(1);
echo array_column($pool->servers(), 'port')[0], ' ', Pool::diagnose($pool)['discovery']['error'], "\n";
foreach (Pool::diagnose($pool)['findings'] as $finding) {
    $finding['code'] !== 'stale_discovery' || print "$finding[severity]: $finding[finding]\n";
}
echo "another process has it, and the next version replaces it\n";
if (($pid = pcntl_fork()) === 0) {
    $other = new Pool("discover://$endpoint->address");
    echo array_column($other->servers(), 'port')[0], "\n";
    send_signal(getmypid(), SIGNAL_KILL);
}
pcntl_waitpid($pid, $status);
$endpoint->tell_nodes(4, ['|127.0.0.1|3']);
$ask(1);
var_dump(Pool::diagnose($pool)['discovery']['error']);
?>
--EXPECT--
not in a row
12
12
12
an endpoint that is away tells nothing
12
3
2 the server repeated version 3 of its list 10 times in a row: version 3 replaces version 12
warning: the endpoint repeated version 3 of its list 10 times in a row: version 3 replaces version 12
another process has it, and the next version replaces it
2
4
NULL
