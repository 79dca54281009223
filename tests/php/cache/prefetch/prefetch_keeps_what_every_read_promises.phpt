--TEST--
Prefetched values end with every change by this host, elect no caller, and count when they are read (P13 to P16, P20)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$pool = fn (Transport $transport): Pool => new Pool($server->address, timeout: 10, transport: $transport);
$elsewhere = fn (callable $work) => run_workers(1, fn () => $work(new Cache(new Pool($server->address, timeout: 10), 'p.', ttl: 100)))[0];
/* memcached changes without this host's knowledge: nothing wakes, nothing is counted. */
$unseen = fn (string $key) => $server->raw("delete p.$key\r\n");

foreach (Transport::cases() as $transport) {
    $server->exchange("flush_all\r\n");
    $make = fn (bool $clearable = false, bool $guarded = false): Cache => new Cache($pool($transport), 'p.', ttl: 100, grace: 100, clearable: $clearable, guarded: $guarded);
    $one = $make();

    /* What the host changes is read again; what others change is not seen until the end. */
    $changes = [
        'set' => fn () => $one->set('k', 'new'),
        'set by another object' => fn () => $make()->set('k', 'new'),
        'set by another process' => fn () => $elsewhere(fn (Cache $cache) => $cache->set('k', 'new')),
        'delete by another process' => fn () => $elsewhere(fn (Cache $cache) => $cache->delete('k')),
        'expire' => fn () => $make()->expire('k'),
        'update' => fn () => $make()->update('k', fn () => 'new'),
        'flush' => fn () => $pool($transport)->flush(),
    ];
    foreach ($changes as $name => $change) {
        $cache = $make();
        $cache->set('k', 'old');
        $cache->prefetch(['k']);
        $cache->get('k') === 'old' || print "$name: wrong before\n";
        $change();
        $seen = $cache->peek('k');
        $seen === $make()->peek('k') && ($seen !== 'old' || $name === 'expire') || print "$name: not seen\n";
    }
    $one->set('k', 'old');
    $one->prefetch(['k']);
    $unseen('k');
    var_dump($one->get('k'), $make()->get('k'), $one->get('k'));
    Pool::endRequest();
    var_dump($one->get('k'));

    /* A cleared cache and an invalidated tag. */
    $clearable = $make(clearable: true);
    $clearable->set('c', 1);
    $clearable->prefetch(['c']);
    $elsewhere(fn (Cache $cache) => (new Cache(new Pool($server->address), 'p.', clearable: true))->clear());
    var_dump($clearable->peek('c'));
    $view = $make()->tagged('a', 'b');
    $view->set('t', 1);
    $view->prefetch(['t']);
    $elsewhere(fn (Cache $cache) => $cache->invalidateTags('b'));
    var_dump($view->entry('t')->status->name);

    /* Stale keys elect as ever; nothing is counted before a read. */
    $cache = $make();
    foreach (['stale', 'fresh'] as $key) {
        $cache->set($key, $key);
    }
    $cache->expire('stale');
    $reader = $make();
    $counts = fn () => array_filter(array_intersect_key($reader->stats(), array_flip(['hits', 'stale', 'misses', 'elected', 'near'])));
    $reader->prefetch(['stale', 'fresh', 'absent']);
    echo json_encode($counts()), "\n";
    var_dump($reader->entry('stale')->status->name, $reader->remember('stale', 100, fn () => 'rebuilt'), $reader->get('fresh'), $reader->remember('absent', 100, fn () => 'made'));
    echo json_encode($counts()), "\n";

    /* A guarded Cache: a prefetched read that another has overtaken stores nothing. */
    $guarded = $make(guarded: true);
    $guarded->set('g', 1);
    $guarded->prefetch(['g']);
    $unseen('g');
    $server->raw("set p.g 0 0 1\r\n7\r\n");
    var_dump($guarded->get('g'), $guarded->set('g', 2), $guarded->peek('g'));
}

/* A server that fails: nothing is kept, nothing is thrown, and later reads say it. */
$failing = new Cache(new Pool($server->address, timeout: 0.2, retryAfter: 0), 'p.', ttl: 100);
$failing->set('k', 1);
$server->freeze();
$failing->prefetch(['k', 'other']);
var_dump($failing->peek('k'));
$server->thaw();
var_dump($failing->peek('k'));
foreach ([[['']], [[1.5]], [new ArrayIterator([[]])]] as $arguments) {
    try {
        $failing->prefetch(...$arguments);
    } catch (\TypeError|\ValueError $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
string(3) "old"
NULL
string(3) "old"
NULL
NULL
string(5) "Stale"
[]
string(5) "Stale"
string(7) "rebuilt"
string(5) "fresh"
string(4) "made"
{"hits":1,"stale":1,"elected":2,"near":1}
int(1)
bool(false)
NULL
string(3) "old"
NULL
string(3) "old"
NULL
NULL
string(5) "Stale"
[]
string(5) "Stale"
string(7) "rebuilt"
string(5) "fresh"
string(4) "made"
{"hits":1,"stale":1,"elected":2,"near":1}
int(1)
bool(false)
NULL
NULL
int(1)
ValueError: McPatterns\Cache::prefetch(): Argument #1 ($keys) must not contain an empty key
TypeError: McPatterns\Cache::prefetch(): Argument #1 ($keys) must be a list of strings, float found
TypeError: McPatterns\Cache::prefetch(): Argument #1 ($keys) must be a list of strings, array found
