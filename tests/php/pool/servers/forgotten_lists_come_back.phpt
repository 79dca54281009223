--TEST--
A forgotten list of servers works again with its stored values
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

function forget_lists(): void
{
    for ($i = 0; $i < 100; $i++) {
        new Pool('10.0.0.1:11211', timeout: 1 + $i / 1000);
    }
}

$server = start_memcached();
$other = start_memcached();
foreach ([$server->address, 'memory://one', [$server->address, $other->address], 'memory://one,memory://two'] as $i => $list) {
    (new Counter(new Pool($list), "calls$i"))->increment();
    forget_lists();
    var_dump((new Counter(new Pool($list), "calls$i"))->increment());
}

// It lives as long as whatever uses it: an object, a Pool with a listener, the child of a fork.
$cache = new Cache(new Pool($server->address, timeout: 19));
$listening = new Pool([$server->address, $other->address], timeout: 18);
$told = 0;
$listening->onError(function () use (&$told) {
    $told++;
});
forget_lists();
var_dump($cache->set('key', 'value'), (new Cache($listening))->set('key', 'value'), (new Cache($listening))->get('key'));
unset($listening);
gc_collect_cycles();
forget_lists();
if (pcntl_fork() === 0) {
    forget_lists();
    exit($cache->get('key') === 'value' ? 0 : 1);
}
pcntl_wait($status);
var_dump(pcntl_wexitstatus($status), $cache->get('key'), $told);

// Several objects over one list, given back one after the other.
$pools = [];
for ($i = 0; $i < 3; $i++) {
    $pools[] = new Pool([$server->address, $other->address], timeout: 17);
}
array_pop($pools);
forget_lists();
array_pop($pools);
forget_lists();
var_dump((new Counter($pools[0], 'last'))->increment());
?>
--EXPECT--
int(2)
int(2)
int(2)
int(2)
bool(true)
bool(true)
string(5) "value"
int(0)
string(5) "value"
int(0)
int(1)
