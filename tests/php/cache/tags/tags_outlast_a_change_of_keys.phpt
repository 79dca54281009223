--TEST--
Rotating the signing key in 3 steps loses no invalidation
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$host = fn (array $keys): Cache => new Cache(new Pool($server->address, 'app:', timeout: 10, signingKey: $keys), 's.', ttl: 100, grace: 100, clearable: true);
$steps = [['old'], ['old', 'new'], ['new', 'old'], ['new']];
$changes = [
    'invalidateTags' => fn (Cache $cache) => $cache->invalidateTags('other', 'news'),
    'deleteTags' => fn (Cache $cache) => $cache->deleteTags('other', 'news'),
    'clear, not strictly' => fn (Cache $cache) => $cache->clear(strict: false),
    'clear' => fn (Cache $cache) => $cache->clear(),
];
foreach ($changes as $name => $change) {
    $seen = [];
    foreach ($steps as $i => $step) {
        foreach (array_slice($steps, max(0, $i - 1), $i > 0 ? 3 : 2) as $next) {
            [$writer, $other] = [$host($step), $host($next)];
            $writer->tagged('news')->set('k', 'value');
            $writer->tagged('news')->set('k', 'value'); // as of the call, whatever was looked at before
            $other->tagged('news')->peek('k') === 'value' || print "$name: the other one does not read it\n";
            $change($other);
            foreach ([$writer, $writer->tagged('news'), $other, $other->tagged('news')] as $reader) {
                $seen[] = $reader->entry('k')->status->name;
            }
        }
    }
    echo "$name: ", json_encode(array_count_values($seen)), "\n";
}

echo "what is computed on one host while another host invalidates\n";
foreach ([[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]] as [$one, $two]) {
    $host($steps[$one])->delete('k');
    $host($steps[$one])->tagged('news')->remember('k', 100, fn () => $host($steps[$two])->invalidateTags('news') ? 'old' : null);
    echo $host($steps[$one])->tagged('news')->entry('k')->status->name, ' ';
}
echo "\n";
?>
--EXPECT--
invalidateTags: {"Stale":40}
deleteTags: {"Miss":40}
clear, not strictly: {"Stale":40}
clear: {"Miss":40}
what is computed on one host while another host invalidates
Stale Stale Stale Stale Stale Stale 
