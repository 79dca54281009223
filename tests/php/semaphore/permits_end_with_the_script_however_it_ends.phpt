--TEST--
Each end of a script releases its permits, a forked child's never (S2)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Pool, Semaphore};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$watched = new Semaphore($pool, 'export', 3);
$begin = "\$pool = new McPatterns\\Pool('$server->address'); \$held = new McPatterns\\Semaphore(\$pool, 'export', 3); \$held->acquire(); ";
$ends = [
    'end' => '',
    'exit' => 'exit;',
    'exception' => 'throw new Exception("x");',
    'fatal' => 'function again() {} eval("function again() {}");',
    'exit in run' => '$held->release(); $held->run(function () { exit; });',
    'fatal in run' => '$held->release(); $held->run(function () { trigger_error("x", E_USER_ERROR); });',
    'autoRelease: false' => '$kept = new McPatterns\Semaphore($pool, "kept", 3, autoRelease: false); $kept->acquire();',
];
foreach ($ends as $name => $end) {
    run_script($begin . $end);
    echo "$name: ", $watched->available(), "\n";
}
echo 'kept: ', (new Semaphore($pool, 'kept', 3))->available(), "\n";

$watched->acquire();
if (pcntl_fork() === 0) {
    exit(0);
}
pcntl_wait($status);
echo 'after a child: ', $watched->available(), ' ', $watched->release() ? 'still held' : 'lost', "\n";
?>
--EXPECT--
end: 3
exit: 3
exception: 3
fatal: 3
exit in run: 3
fatal in run: 3
autoRelease: false: 3
kept: 2
after a child: 2 still held
