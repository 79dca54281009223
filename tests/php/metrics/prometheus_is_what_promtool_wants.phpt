--TEST--
Metrics::prometheus() passes promtool check metrics for any labels
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
exec('command -v promtool', $found, $status);
if ($status !== 0) {
    die('skip needs promtool (Debian: apt-get install prometheus)');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
use McPatterns\{Cache, Lock, Metrics, Pool};

function check(string $page): void
{
    $process = proc_open(['promtool', 'check', 'metrics'], [['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
    fwrite($pipes[0], $page);
    fclose($pipes[0]);
    echo stream_get_contents($pipes[1]), 'status ', proc_close($process), "\n";
}

check(Metrics::prometheus());
$server = start_memcached();
$pool = new Pool($server->address);
foreach (['page:', '', "quo\"te\\back\nline", 'ümlaut', 'other'] as $prefix) {
    (new Cache($pool, $prefix))->remember('k', 10, fn () => 1);
    (new Cache($pool, $prefix))->get('k');
    (new Lock($pool, $prefix . 'lock'))->acquire();
}
for ($i = 0; $i < 200; $i++) {
    (new Cache($pool, "group$i"))->get('k');
}
check(Metrics::prometheus());
echo "what is not right is refused\n";
check("mcpatterns_hits{group=\"a\"b\"} 1\n");
?>
--EXPECTF--
status 0
status 0
what is not right is refused
error while linting: %s
status %d
