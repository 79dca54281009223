--TEST--
MC returns false if the server is down or a setting is invalid
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.servers=unix:///nowhere/at/all
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

$all = fn () => json_encode([MC::get('k'), MC::set('k', 1), MC::delete('k'), MC::increment('k')]) . "\n";
echo 'Pool::default() with nobody there: ', $all();
MC::use(new Cache(new Pool('memory://there')));
echo 'a cache of ours: ', $all();
?>
--EXPECT--
Pool::default() with nobody there: [false,false,false,false]
a cache of ours: [false,true,true,false]
