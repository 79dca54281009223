--TEST--
setMultiple() counts 1 error per key if tags are unavailable
--EXTENSIONS--
mcpatterns
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';

use McPatterns\{Cache, Metrics, Pool};

Metrics::reset();
$dead = make_temporary_folder('metrics') . '/nobody.sock';
$pool = new Pool("unix://$dead", retryAfter: 0);
foreach (['set:', 'setMultiple:'] as $group) {
    $cache = (new Cache($pool, $group))->tagged('tag');
    if ($group === 'set:') {
        $cache->set('a', 1);
        $cache->set('b', 2);
    } else {
        $cache->setMultiple(['a' => 1, 'b' => 2]);
    }
    $counted = array_column(Metrics::read()['groups'], 'errors', 'group');
    echo $group, ' ', $cache->stats()['errors'], ' of the object, ', $counted[$group], " of the group\n";
}
?>
--EXPECT--
set: 2 of the object, 2 of the group
setMultiple: 2 of the object, 2 of the group
