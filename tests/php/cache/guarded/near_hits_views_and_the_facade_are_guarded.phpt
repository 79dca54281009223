--TEST--
A guarded Cache serves nothing from before deletes, near, tagged or foreign
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
$server = start_memcached();
$open = fn (mixed ...$more): Cache => new Cache(new Pool($server->address), 'g.', ttl: 100, guarded: true, holdoff: 5, near: $more['near'] ?? 0, foreign: $more['foreign'] ?? false);
/* Another host: neither this process nor this host's memory learns of it. */
$elsewhere = fn (string $command): string => trim($server->exchange("$command\r\n"));
$tell = fn (string $what, mixed ...$told) => print("$what: " . json_encode($told) . "\n");

$near = $open(near: 60);
foreach (['of the object', 'of the host'] as $whose) {
    Pool::endRequest();
    $near->set('k', 'row');
    $near->get('k');
    $reader = $whose === 'of the object' ? $near : $open(near: 60);
    Pool::endRequest();
    $tell("a near hit $whose", $reader->get('k'));
    $elsewhere('delete g.k');
    $tell('refused', $reader->set('k', 'made of it'), $open()->get('k'));
    Pool::endRequest();
    $open()->delete('k'); // this host hears of it
    $tell('anew', $reader->get('k'), $reader->set('k', 'row 2'), $open()->get('k'));
}

echo "remember() leaves no read stamp\n";
foreach (['plain' => fn () => $near->remember('r', 100, fn () => 'other'),
    'early' => fn () => $near->remember('r', 100, fn () => 'other', early: 1e-9),
    'entry' => fn () => $near->remember('r', 100, fn () => 'other', entry: $entry)] as $how => $remember) {
    $open()->set('r', 'row');
    Pool::endRequest();
    $before = $near->stats()['near'];
    $tell($how, $remember(), $remember(), $near->stats()['near'] - $before > 0);
    $elsewhere('delete g.r');
    $tell('stored', $near->set('r', 'another'));
}
Pool::endRequest();

echo "what fills a contested place is not kept near\n";
$near->get('c');
$elsewhere('delete g.c');
(new Cache(new Pool($server->address), 'g.', ttl: 100))->set('c', 'another');
$tell('refused', $near->set('c', 'row'), $near->get('c'));
Pool::endRequest();
$tell('filled', $near->get('c'), $near->set('c', 'row'));
$before = $near->stats()['near'];
$tell('seen', $near->get('c'), $near->get('c'), $near->stats()['near'] - $before);

echo "a view\n";
$view = $open()->tagged('t');
$view->get('v');
(new Fiber(fn () => $open()->invalidateTags('t')))->start(); // as another process does
$view->set('v', 'of before');
$tell('outdated by its tag', $view->get('v'));
Pool::endRequest();
$view->get('w');
$elsewhere('delete g.w');
$tell('refused', $view->set('w', 'of before'), $view->setMultiple(['w' => 'of before']), $view->get('w'));

echo "another client's value\n";
$foreign = $open(foreign: true);
foreach (['nobody' => null, 'delete' => 'delete g.f', 'set' => "set g.f 0 0 3\r\nnew"] as $name => $command) {
    Pool::endRequest();
    $elsewhere("set g.f 0 0 3\r\nold");
    $tell($name, $foreign->get('f'), $command === null || $elsewhere($command), $foreign->set('f', 'row'), $foreign->peek('f'));
}

echo "the facade\n";
MC::use($open());
$tell('absent', MC::get('m'));
$elsewhere('delete g.m');
$tell('refused', MC::set('m', 'row'), MC::get('m'));
Pool::endRequest();
$tell('anew', MC::get('m'), MC::set('m', 'row'), MC::get('m'));
?>
--EXPECT--
a near hit of the object: ["row"]
refused: [false,null]
anew: [null,true,"row 2"]
a near hit of the host: ["row"]
refused: [false,null]
anew: [null,true,"row 2"]
remember() leaves no read stamp
plain: ["row","row",true]
stored: [true]
early: ["row","row",true]
stored: [true]
entry: ["row","row",true]
stored: [true]
what fills a contested place is not kept near
refused: [false,null]
filled: [null,true]
seen: ["row","row",0]
a view
outdated by its tag: [null]
refused: [false,false,null]
another client's value
nobody: [null,true,true,"row"]
delete: [null,true,false,null]
set: [null,true,false,"new"]
the facade
absent: [false]
refused: [false,false]
anew: [false,true,"row"]
