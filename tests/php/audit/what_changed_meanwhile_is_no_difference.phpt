--TEST--
Audit counts no difference if the served value was changed meanwhile
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Audit, Cache, Clock, Pool};

require __DIR__ . '/../../_support/audit.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10, retryAfter: 0);
$cache = new Cache($pool, ttl: 1000, grace: 0);
$tagged = $cache->tagged('t');
$other = new Cache($pool, ttl: 1000);
$audit = new Audit($cache, rate: 1);
$work = null;
$computed = 0;
$changes = [
    'set' => fn () => $other->set('k', 'changed'),
    'deleted' => fn () => $other->delete('k'),
    'deleted and set' => function () use ($other) { $other->delete('k'); $other->set('k', 'set'); },
    'expired' => fn () => $other->expire('k'),
    'updated' => fn () => $other->update('k', fn () => 'updated'),
    'its tag invalidated' => fn () => $other->invalidateTags('t'),
    'flushed' => fn () => speak($server->address, "flush_all\r\n", 5),
    'rebuilt' => fn () => print run_script('(new McPatterns\Cache(new McPatterns\Pool($argv[1], timeout: 10)))->remember("k", 1000, fn () => "rebuilt", force: true);', [$server->address]),
    'past its end' => fn () => Clock::advance(2000),
];
foreach ($changes as $name => $change) {
    $view = $name === 'its tag invalidated' ? $tagged : $cache;
    foreach (['before', 'meanwhile'] as $when) {
        $cache->delete('k');
        $work = null;
        $n = 0;
        $read = function () use ($view, &$work, &$n) {
            return $view->remember('k', 1000, function () use (&$work, &$n) { $n++; $work !== null && $work(); return "value $n"; });
        };
        $read();
        Pool::endRequest();
        $work = $when === 'meanwhile' ? $change : null;
        $found = audited_by($cache, function () use ($read, $when, $change) { $read(); $when === 'before' && $change(); });
        echo "$name $when: $found", $n === 1 ? '' : ', computed', "\n";
    }
}
Clock::advance(100_000); // that computation took long
$cache->delete('k');
$work = null;
$read();
$work = fn () => $server->kill();
echo 'its server gone meanwhile: ', audited_by($cache, $read), "\n";
?>
--EXPECT--
set before: inconclusive 1
set meanwhile: inconclusive 1, computed
deleted before: inconclusive 1
deleted meanwhile: inconclusive 1, computed
deleted and set before: inconclusive 1
deleted and set meanwhile: inconclusive 1, computed
expired before: inconclusive 1
expired meanwhile: inconclusive 1, computed
updated before: inconclusive 1
updated meanwhile: inconclusive 1, computed
its tag invalidated before: inconclusive 1
its tag invalidated meanwhile: inconclusive 1, computed
flushed before: inconclusive 1
flushed meanwhile: inconclusive 1, computed
rebuilt before: inconclusive 1
rebuilt meanwhile: checked 1, different 1, computed
past its end before: inconclusive 1
past its end meanwhile: inconclusive 1, computed
its server gone meanwhile: inconclusive 1
