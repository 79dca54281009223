--TEST--
Waiters find values from processes without shared memory by polling
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
skip_without_bells();
?>
--FILE--
<?php
use McPatterns\{Cache, Lock, Pool};

require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/script.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, ttl: 100, lease: 60, wait: 20.0);

/* Claims the key, and stores it when it is told to. */
$go = sys_get_temp_dir() . '/go.' . getmypid();
$script = '$cache = new McPatterns\Cache(new McPatterns\Pool($argv[1]), ttl: 100, lease: 60);
    $lock = new McPatterns\Lock(new McPatterns\Pool($argv[1]), "job", ttl: 60);
    $lock->acquire();
    $cache->remember("k", 100, function () use ($argv) { touch("$argv[2].begun"); while (!file_exists($argv[2])) { usleep(1000); } return "from elsewhere"; });
    $lock->release();';
foreach (['without memory' => ['mcpatterns.shared_memory' => 0], 'with a memory of its own' => []] as $name => $settings) {
    $before = array_sum(array_column(used_bells(), 'sequence'));
    $process = start_script($script, [$server->address, $go], $settings, $log);
    while (!file_exists("$go.begun")) {
        usleep(1000);
    }
    $workers = new Workers(4, fn (int $index) => [
        (new Cache(new Pool($server->address), ttl: 100, wait: 20.0))->remember('k', 100, fn () => 'computed here'),
        (new Lock(new Pool($server->address), 'job', ttl: 5))->run(fn () => 'locked', wait: 20.0),
    ], 60);
    $workers->release();
    wait_for_sleepers($workers->pids, 4);
    touch($go);
    $answers = array_unique(array_map('json_encode', $workers->results()));
    proc_close($process);
    array_map(unlink(...), [$go, "$go.begun", $log]);
    echo "$name: ", implode(' and ', $answers), ', ', array_sum(array_column(used_bells(), 'sequence')) > $before ? 'rung here' : 'silent', "\n";
    $cache->delete('k');
}
?>
--EXPECT--
without memory: ["from elsewhere","locked"], rung here
with a memory of its own: ["from elsewhere","locked"], rung here
