--TEST--
Near hits are counted once by source, without server requests
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (PHP_OS_FAMILY === 'Windows') {
    die('skip nothing is shared');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
(new Cache($pool, 'news:'))->setMultiple(['a' => 'A', 'b' => 'B'], 100);
Metrics::reset();

$one = new Cache($pool, 'news:', near: 60);
$one->get('a');                                             // asks
$one->get('a');                                             // memo
$one->remember('a', 100, fn () => 'computed');              // memo
$other = new Cache($pool, 'news:', near: 60);
$other->get('a');                                           // the host's memory
$other->getMultiple(['a', 'b']);                            // memo, and one asked for
$other->getMultiple(['a', 'b']);                            // memo, twice
$one->get('b');                                             // the host's memory

$read = Metrics::read();
$group = $read['groups'][0];
printf("%s %d of memcached, %d near, %d missed; %d requests\n", $group['group'], $group['hits'], $group['near_hits'], $group['misses'], $read['servers'][0]['calls']);
?>
--EXPECT--
news: 2 of memcached, 7 near, 0 missed; 2 requests
