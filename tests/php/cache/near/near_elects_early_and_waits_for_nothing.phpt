--TEST--
A near Cache refreshes early by election, and force bypasses near hits (P3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
foreach (['memo', 'host'] as $where) {
    $cache = new Cache($pool, ttl: 3600, near: 60);
    $cache->delete('k');
    $cache->remember('k', 20, fn () => usleep(30_000) ?: 'value');
    $cache->get('k');
    $computed = $near = 0;
    // A beta of a thousand times 30 ms: most of them are drawn.
    for ($i = 0; $i < 50 && $computed === 0; $i++) {
        $of = $where === 'memo' ? $cache : new Cache($pool, ttl: 3600, near: 60);
        $of->remember('k', 20, function () use (&$computed) {
            $computed++;
            return 'new';
        }, early: 1000);
    }
    echo "$where: ", $computed, ' ', $cache->get('k'), "\n";
    for ($i = 0; $i < 50; $i++) {
        $cache->remember('k', 20, fn () => 'never', early: 0);
    }
    var_dump($cache->get('k'), $cache->stats()['near'] >= 50);
    echo $cache->remember('k', 20, fn () => 'forced', force: true), ' ', $cache->get('k'), "\n";
    $cache->rememberMany(['k'], 20, fn () => ['k' => 'never']);
    $cache->remember('k', 20, fn () => 'never', entry: $entry);
    var_dump($entry->status, $entry->value, $entry->age < 20, $entry->expiresIn > 0 && $entry->expiresIn <= 20);
}
?>
--EXPECT--
memo: 1 new
string(3) "new"
bool(true)
forced forced
enum(McPatterns\Status::Fresh)
string(6) "forced"
bool(true)
bool(true)
host: 1 new
string(3) "new"
bool(true)
forced forced
enum(McPatterns\Status::Fresh)
string(6) "forced"
bool(true)
bool(true)
