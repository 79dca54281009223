--TEST--
A forked child uses its own copy of a memory server
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\Pool;

$pool = new Pool('memory://m');
$flushes = fn () => $pool->stats()['memory://m']['cmd_flush'];
$pool->flush();
$child = pcntl_fork();
if ($child === 0) {
    $pool->flush();
    exit($flushes());
}
pcntl_waitpid($child, $status);
echo 'child: ', pcntl_wexitstatus($status), ', parent: ', $flushes(), "\n";
?>
--EXPECT--
child: 2, parent: 1
