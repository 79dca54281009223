--TEST--
A forked child starts without the tag versions its parent read (T10.4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$address = start_memcached()->address;
$view = fn (): Cache => (new Cache(new Pool($address, timeout: 10), ttl: 100))->tagged('t');
$view()->set('k', 1);
$view()->get('k');
(new Fiber(fn () => $view()->invalidateTags('t')))->start(); // as another process does
foreach (range(1, 2) as $child) {
    if (pcntl_fork() === 0) {
        $view()->set('k', "of child $child");
        exit;
    }
    pcntl_wait($status);
    echo $view()->peek('k'), ' ', $view()->entry('k')->status->name, "\n";
}
$view()->set('k', 'of the parent');
echo $view()->entry('k')->status->name, "\n";
?>
--EXPECT--
of child 1 Fresh
of child 2 Fresh
Stale
