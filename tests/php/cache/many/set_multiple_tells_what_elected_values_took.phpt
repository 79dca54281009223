--TEST--
Cache::setMultiple() stores the compute time of elected keys only
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pools = [
    'memory' => new Pool('memory://took'),
    'libmemcached' => new Pool($server->address, timeout: 10, transport: Transport::Libmemcached),
    'direct' => new Pool($server->address, timeout: 10, transport: Transport::Direct),
];
foreach ($pools as $name => $pool) {
    $cache = new Cache($pool, ttl: 100);
    // A proxy closes the connection on what Direct asks before it writes for a proof, twice: then it is known not to answer.
    foreach (["first for $name", "second for $name"] as $key) {
        $cache->remember($key, 100, fn () => 'asked');
    }
    foreach ([$cache, $cache->tagged('t')] as $view) {
        foreach (['set', 'setMultiple'] as $way) {
            $view->setMultiple(['a' => 'old', 'b' => 'old']);
            $view->expireMultiple(['a', 'b']);
            $view->getMultiple(['a', 'b']);
            foreach ($way === 'set' ? ['a', 'b'] : [] as $key) {
                $view->set($key, 'new');
            }
            if ($way === 'setMultiple') {
                $view->setMultiple(['a' => 'new', 'b' => 'new', 'c' => 'new']);
            }
            $took = [];
            foreach (['a', 'b', 'c'] as $key) {
                $entry = $view->entry($key);
                $took[] = ($entry->value ?? '-') . ($entry->computeTime > 0 ? ' took some time' : '');
            }
            echo $name, ', ', $way, ': ', implode('; ', $took), "\n";
        }
        $view->deleteMultiple(['a', 'b', 'c']);
    }
}
?>
--EXPECT--
memory, set: new took some time; new took some time; -
memory, setMultiple: new took some time; new took some time; new
memory, set: new took some time; new took some time; -
memory, setMultiple: new took some time; new took some time; new
libmemcached, set: new took some time; new took some time; -
libmemcached, setMultiple: new took some time; new took some time; new
libmemcached, set: new took some time; new took some time; -
libmemcached, setMultiple: new took some time; new took some time; new
direct, set: new took some time; new took some time; -
direct, setMultiple: new took some time; new took some time; new
direct, set: new took some time; new took some time; -
direct, setMultiple: new took some time; new took some time; new
