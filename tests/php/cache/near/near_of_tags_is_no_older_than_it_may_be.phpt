--TEST--
A near Cache honors other hosts' invalidations after $near seconds at most (P1, N1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = fn (): Cache => new Cache(new Pool($server->address, timeout: 10), 's.', ttl: 100, near: 0.3, clearable: true);
$tag = tag_key('t');
$namespace = tag_key('s.', kind: 'namespace');
foreach (["incr $tag 1", "delete $tag", "incr $namespace 1", "delete $namespace"] as $elsewhere) {
    $view = $cache()->tagged('t');
    foreach (['k', 'l'] as $key) {
        $view->set($key, 'old');
        $view->set($key, 'old'); // as of the call, whatever was looked at before
    }
    $view->get('k');
    $asked = hrtime(true);
    $server->raw("$elsewhere\r\n");
    $last = $near = 0;
    do {
        $begun = hrtime(true);
        $fresh = 0;
        foreach ([$view, $cache()->tagged('t'), $cache()] as $reader) {
            $fresh += (int) ($reader->entry('k')->status->name === 'Fresh');
            $near += $reader->stats()['near'] > 0;
            $reader->entry('l'); // never read before: its tags are asked for at once, and prolong nothing
        }
        $last = $fresh > 0 ? $begun - $asked : $last;
    } while ($fresh > 0);
    var_dump($near > 0, $last / 1e6 < 300 + 1);
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
