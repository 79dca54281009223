--TEST--
A lookup without a value replaces tag versions of earlier lookups (T5, T7, T10.1)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

class Broken {
    public function __unserialize(array $data): void { throw new LogicException(); }
}
$address = start_memcached()->address;
$open = fn (string ...$tags): Cache => (new Cache(new Pool($address, timeout: 10), ttl: 1000, grace: 1000))->tagged(...($tags ?: ['t']));
$view = $open();
/** In another process: what this one does itself it may know of. */
$elsewhere = function (Closure $do) use ($open): void {
    if (pcntl_fork() === 0) {
        $do($open());
        exit;
    }
    pcntl_wait($status);
};
$invalidate = fn (bool $strict = false) => $elsewhere(fn (Cache $cache) => $strict ? $cache->deleteTags('t') : $cache->invalidateTags('t'));
$strictly = fn () => $invalidate(true);
$status = fn () => $open()->entry('k')->status->name;

$flows = [
    'hit, invalidated, elected' => ['hit', 'invalidate', 'get', 'set'],
    'hit, invalidated strictly, miss' => ['hit', 'strictly', 'get', 'set'],
    '... by peek' => ['hit', 'strictly', 'peek', 'set'],
    '... by entry' => ['hit', 'strictly', 'entry', 'set'],
    '... by getMultiple' => ['hit', 'strictly', 'getMultiple', 'setMultiple'],
    'lookup, elected' => ['hit', 'invalidate', 'lookup', 'set'],
    'has says nothing of the value' => ['hit', 'strictly', 'has', 'set'],
    '... and what follows it is no beginning' => ['hit', 'strictly', 'has', 'get', 'set'],
    'hit, invalidated' => ['hit', 'invalidate', 'set'],
    'the old value, while another computes' => ['hit', 'invalidate', 'elected elsewhere', 'get', 'set'],
    'nothing, invalidated, nothing again' => ['delete', 'get', 'strictly', 'get', 'set'],
    'nothing, a value, invalidated, nothing' => ['delete', 'get', 'set elsewhere', 'get', 'strictly', 'get', 'set'],
    'getMultiple, computed, invalidated, get' => ['delete', 'getMultiple', 'strictly', 'get', 'set'],
    'elected, invalidated, nothing' => ['hit', 'invalidate', 'get', 'strictly', 'get', 'set'],
    'elected through a cache without tags' => ['hit', 'expire', 'plain', 'strictly', 'get', 'set'],
    'nothing through a view of other tags' => ['hit', 'delete', 'other', 'strictly', 'get', 'set'],
    'what cannot be decoded is nothing' => ['undecodable', 'caught', 'strictly', 'get', 'set'],
];
$plain = new Cache(new Pool($address, timeout: 10), ttl: 1000, grace: 1000);
$steps = [
    'hit' => fn () => $view->get('k') ?? print 'no hit ',
    'get' => fn () => $view->get('k'),
    'caught' => function () use ($view) { try { $view->get('k'); } catch (LogicException) { } },
    'peek' => fn () => $view->peek('k'),
    'entry' => fn () => $view->entry('k'),
    'lookup' => fn () => $view->lookup('k'),
    'has' => fn () => $view->has('k'),
    'getMultiple' => fn () => $view->getMultiple(['k']),
    'plain' => fn () => $plain->get('k'),
    'other' => fn () => $open('u')->get('k'),
    'set' => fn () => $view->set('k', 'computed'),
    'setMultiple' => fn () => $view->setMultiple(['k' => 'computed']),
    'delete' => fn () => $plain->delete('k'),
    'expire' => fn () => $plain->expire('k'),
    'invalidate' => $invalidate,
    'strictly' => $strictly,
    'elected elsewhere' => fn () => $elsewhere(function (Cache $cache) { $cache->lookup('k'); exec('kill -9 ' . getmypid()); }),
    'set elsewhere' => fn () => $elsewhere(fn (Cache $cache) => $cache->set('k', 'theirs')),
    'undecodable' => fn () => $elsewhere(fn () => $plain->tagged('t')->set('k', new Broken())),
];
foreach ($flows as $name => $flow) {
    $view->set('k', 'before');
    foreach ($flow as $step) {
        $steps[$step]();
    }
    echo $name, ': ', $status(), "\n";
    $view->set('k', 'ends what was noted');
}
?>
--EXPECT--
hit, invalidated, elected: Fresh
hit, invalidated strictly, miss: Fresh
... by peek: Fresh
... by entry: Fresh
... by getMultiple: Fresh
lookup, elected: Fresh
has says nothing of the value: Miss
... and what follows it is no beginning: Miss
hit, invalidated: Stale
the old value, while another computes: Stale
nothing, invalidated, nothing again: Miss
nothing, a value, invalidated, nothing: Miss
getMultiple, computed, invalidated, get: Miss
elected, invalidated, nothing: Miss
elected through a cache without tags: Miss
nothing through a view of other tags: Miss
what cannot be decoded is nothing: Miss
