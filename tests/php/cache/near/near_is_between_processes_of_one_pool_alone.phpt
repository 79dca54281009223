--TEST--
The near cache is shared only by processes with the same Pool (P5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Distribution, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$one = start_memcached();
$two = start_memcached();
$read = function (Pool $pool, string $scope = ''): string {
    $cache = new Cache($pool, prefix: $scope, near: 60);
    $value = $cache->get('k');
    return json_encode($value) . ($cache->stats()['near'] ? ' near' : ' asked');
};
$in_a_child = fn (callable $work) => run_workers(1, $work)[0];
(new Cache(new Pool($one->address, timeout: 10)))->set('k', 'of one');
(new Cache(new Pool($two->address, timeout: 10)))->set('k', 'of two');
(new Cache(new Pool($one->address, timeout: 10, prefix: 'p.')))->set('k', 'of p');

echo 'first: ', $in_a_child(fn () => $read(new Pool($one->address, timeout: 10))), "\n";
echo 'another process: ', $in_a_child(fn () => $read(new Pool($one->address, timeout: 10))), "\n";
echo 'its parent: ', $read(new Pool($one->address, timeout: 10)), "\n";
echo 'other timeouts: ', $read(new Pool($one->address, timeout: 2, persistent: false)), "\n";
echo 'another server: ', $read(new Pool($two->address, timeout: 10)), "\n";
echo 'another prefix: ', $read(new Pool($one->address, timeout: 10, prefix: 'p.')), "\n";
echo 'the prefix of the cache: ', $read(new Pool($one->address, timeout: 10), 'p.'), "\n";
echo 'a list: ', explode(' ', $read(new Pool([$one->address, $two->address], timeout: 10)))[2] ?? 'asked', "\n";
echo 'placed otherwise: ', str_contains($read(new Pool([$one->address, $two->address], timeout: 10, distribution: Distribution::Modulo)), 'near') ? 'near' : 'asked', "\n";

echo "memory\n";
$memory = new Pool('memory://near');
(new Cache($memory))->set('k', 'mine');
echo $read($memory), ', ', $read($memory), "\n";
$cache = new Cache($memory, near: 60);
$cache->get('k');
$cache->get('k');
echo json_encode(array_intersect_key($cache->stats(), ['near' => 0, 'near_shared' => 0])), "\n";
// Counters know keys alone: the other server's key of this name was changed.
echo $read(new Pool($one->address, timeout: 10)), "\n";
$cache = new Cache(new Pool($one->address, timeout: 10), near: 60);
$cache->get('k');
$cache->get('k');
echo json_encode(array_intersect_key($cache->stats(), ['near' => 0, 'near_shared' => 0])), "\n";

echo "signed\n";
$signed = fn () => new Pool($one->address, timeout: 10, prefix: 's.', signingKey: 'key');
$unsigned = new Pool($one->address, timeout: 10, prefix: 's.');
(new Cache($unsigned))->set('k', 'forged');
echo $read($unsigned), ', ', $read($unsigned), ', ', $read($signed()), "\n";
(new Cache($signed()))->set('k', 'signed');
echo $read($signed()), ', ', $read($signed()), ', ', $read(new Pool($one->address, timeout: 10, prefix: 's.', signingKey: 'another')), "\n";
?>
--EXPECT--
first: "of one" asked
another process: "of one" near
its parent: "of one" near
other timeouts: "of one" near
another server: "of two" asked
another prefix: "of p" asked
the prefix of the cache: "of p" asked
a list: asked
placed otherwise: asked
memory
"mine" asked, "mine" asked
{"near":1,"near_shared":0}
"of one" asked
{"near":2,"near_shared":2}
signed
"forged" asked, "forged" near, null asked
"signed" asked, "signed" near, null asked
