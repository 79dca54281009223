--TEST--
Audit in a forked child checks no reads of its parent
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool};

require __DIR__ . '/../../_support/audit.inc';

$cache = new Cache(new Pool(start_memcached()->address, timeout: 10), ttl: 100);
$read = fn () => $cache->remember('k', 100, fn () => 'value');
$read();
Pool::endRequest();
$audit = new Audit($cache, rate: 1);
$read();
flush();
$pid = pcntl_fork();
if ($pid === 0) {
    echo 'the child: ', audited_by($cache, fn () => 0), ', of its own: ', audited_by($cache, $read), "\n";
    exit(0);
}
pcntl_waitpid($pid, $status);
echo 'the parent: ', audited_by($cache, fn () => 0), "\n";
?>
--EXPECT--
the child: nothing, of its own: checked 1
the parent: checked 1
