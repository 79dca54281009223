--TEST--
Pool::endRequest() within a callback defers the Audit's check
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Counter, Lock, Pool, Semaphore, Table};

require __DIR__ . '/../../_support/audit.inc';

$pool = new Pool(start_memcached()->address, timeout: 10);
$cache = new Cache($pool, ttl: 100);
$other = new Cache($pool, 'other:', ttl: 100);
$read = fn () => $cache->remember('k', 100, fn () => 'value');
$read();
$audit = new Audit($cache, rate: 1);
(new Counter($pool, 'counter'))->increment();
foreach ([
    'Lock::run' => fn (callable $end) => (new Lock($pool, 'l', ttl: 60))->run($end),
    'Semaphore::run' => fn (callable $end) => (new Semaphore($pool, 's', permits: 1, ttl: 60))->run($end),
    'Cache::update' => fn (callable $end) => $other->update('u', $end),
    'Counter::drain' => fn (callable $end) => (new Counter($pool, 'counter'))->drain($end),
    'Table::update' => fn (callable $end) => (new Table($pool, 't'))->update('row', $end),
    'remember' => fn (callable $end) => $other->remember('r', 100, $end),
    "remember's TTL" => fn (callable $end) => $other->remember('ttl', $end, fn () => 1),
] as $name => $call) {
    echo "$name: ", audited_by($cache, function () use ($cache, $read, $call) {
        $read();
        $before = $cache->stats()['audit_checked'];
        $call(function () use ($cache, $before): int {
            Pool::endRequest();
            echo $cache->stats()['audit_checked'] - $before, ' within, ';
            return 1;
        });
    }), "\n";
}
?>
--EXPECT--
Lock::run: 0 within, checked 1
Semaphore::run: 0 within, checked 1
Cache::update: 0 within, checked 1
Counter::drain: 0 within, checked 1
Table::update: 0 within, checked 1
remember: 0 within, checked 1
remember's TTL: 0 within, checked 1
