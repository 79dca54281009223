--TEST--
A second write never releases a lock that another handler took over
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
?>
--FILE--
<?php
use McPatterns\{Pool, SessionHandler};

require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
[$first, $second, $third] = array_map(fn () => new SessionHandler($pool, lockWait: 0, format: 'php_serialize'), range(1, 3));
$first->write('one', serialize(['a' => 1]));
$is_held = fn (): string => $first->holder('one') !== null ? 'held' : 'free';

$first->read('one');
$second->read('one');
$second->write('one', serialize(['a' => 1, 'b' => 1])); // the first one's version is an old one now
$third->read('one');
echo 'by the first: ', $is_held();
$first->write('one', serialize(['a' => 1, 'c' => 1])); // merged, and the hold is the third one's
echo ', by the third: ', $is_held();
$third->write('one', serialize(['a' => 1, 'b' => 1, 'd' => 1]));
echo ', in the end: ', $is_held(), ', ', json_encode(unserialize($third->read('one'))), "\n";
$third->close();

// Evicted, while another one holds for it: nobody can have destroyed it.
$data = unserialize($first->read('one'));
$second->read('one');
$server->raw('delete sess:one');
echo 'evicted: ', json_encode($first->write('one', serialize($data + ['x' => 1]))), ', ', $is_held(), ', ';
echo json_encode($second->write('one', serialize($data + ['y' => 1]))), ', ', json_encode(unserialize($third->read('one'))), "\n";
?>
--EXPECT--
by the first: held, by the third: held, in the end: free, {"a":1,"b":1,"c":1,"d":1}
evicted: true, held, true, {"a":1,"b":1,"c":1,"d":1,"x":1,"y":1}
