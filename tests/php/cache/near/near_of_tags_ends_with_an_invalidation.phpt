--TEST--
An invalidation ends tagged near values in all processes of this host (P2, T1, T2, N1)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$pool = fn (): Pool => new Pool($server->address, timeout: 0.5, retryAfter: 0);
$near = fn (): Cache => new Cache($pool(), 's.', ttl: 100, near: 60, clearable: true);
$plain = new Cache($pool(), 's.', ttl: 100, near: 60);
$other_process = fn (callable $work) => run_workers(1, fn () => $work(new Cache(new Pool($server->address, timeout: 10), 's.', clearable: true)))[0];
$reads = [
    'get' => fn (Cache $cache) => $cache->get('k'),
    'peek' => fn (Cache $cache) => $cache->peek('k'),
    'entry' => fn (Cache $cache) => $cache->entry('k')->status->name === 'Fresh' ? $cache->peek('k') : null,
    'has' => fn (Cache $cache) => $cache->has('k') ? 'value' : null,
    'getMultiple' => fn (Cache $cache) => $cache->getMultiple(['k', 'absent'])['k'],
    'remember' => fn (Cache $cache) => $cache->remember('k', 100, fn () => null, force: false),
    'rememberMany' => fn (Cache $cache) => $cache->rememberMany(['k'], 100, fn () => [])['k'],
];
$changes = [
    'a tag' => fn () => $other_process(fn (Cache $cache) => $cache->invalidateTags('b')),
    'a tag, strictly' => fn () => $other_process(fn (Cache $cache) => $cache->deleteTags('b', 'c')),
    'clear' => fn () => $other_process(fn (Cache $cache) => $cache->clear()),
    'clear, not strictly' => fn () => $other_process(fn (Cache $cache) => $cache->clear(false)),
    'flush' => fn () => $other_process(fn () => (new Pool($server->address, timeout: 10))->flush()),
    'without an answer' => function () use ($server, $plain) {
        $tag = 'get ' . tag_key('b');
        $number = $server->raw("$tag\r\n");
        $server->freeze();
        var_dump($plain->invalidateTags('b'));
        $server->thaw();
        while ($server->raw("$tag\r\n") === $number) {
            usleep(1000); // until it lands, what is asked for is valid, and near
        }
    },
];

/* Through the view, a view made anew, the clearable cache, and one that knows nothing of tags: memos and shared memory. */
foreach ($changes as $name => $change) {
    foreach ($reads as $how => $read) {
        $view = $near()->tagged('a', 'b');
        $view->set('k', 'of before');
        $view->set('k', 'value');
        $clearable = $near();
        $readers = [$view, $clearable, $plain];
        foreach ($readers as $reader) {
            $reader->get('k');
        }
        $shared = fn () => array_sum(array_map(fn (Cache $cache) => $cache->stats()['near'], [$near()->tagged('b'), ...$readers]));
        $before = $shared();
        foreach ($readers as $reader) {
            $read($reader) === 'value' || print "$how is wrong before\n";
        }
        $shared() >= $before + 3 || print "$how asks\n";
        $change();
        $before = $shared();
        foreach ([...$readers, $near()->tagged('a', 'b'), $near()] as $i => $reader) {
            $entry = $reader->lookup('nothing'); // asks, and elects nobody
            $old = $reader->stats()['near'];
            $reader->peek('k');
            $reader->stats()['near'] === $old || print "$name: reader $i is answered near by $how\n";
        }
    }
    echo "$name: none\n";
}
?>
--EXPECT--
a tag: none
a tag, strictly: none
clear: none
clear, not strictly: none
flush: none
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
without an answer: none
