--TEST--
A near Cache serves other hosts' changes after $near seconds at most (P1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, ttl: 100, near: 0.3);
$other = fn () => new Cache($pool, ttl: 100, near: 0.3);
$cache->set('k', 'old');
$cache->get('k');
$asked = hrtime(true);
$server->raw("delete k\r\n");
$last = 0;
do {
    $begun = hrtime(true);
    $is_there = $cache->get('k') !== null || $other()->get('k') !== null;
    $last = $is_there ? $begun - $asked : $last;
} while ($is_there);
// It was asked for before $asked, in milliseconds; an answer that began later than that is too old.
var_dump($cache->stats()['near'] > 0, $last / 1e6 < 300 + 1);
var_dump($cache->get('k'), $other()->get('k'));
$cache->set('k', 'old');
$cache->get('k');
$server->raw("delete k\r\n");
var_dump($cache->lookup('k')->value, $cache->publish('k', 1), $cache->pull('k'), $cache->replace('k', 1));
?>
--EXPECT--
bool(true)
bool(true)
NULL
NULL
NULL
bool(false)
NULL
bool(false)
