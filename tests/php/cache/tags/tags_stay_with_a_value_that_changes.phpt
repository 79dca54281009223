--TEST--
A value keeps its tags through changes, forced rebuilds and evictions (T3, T8, C14, C17)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
$view = $cache->tagged('t');
$status = fn () => $cache->entry('k')->status->name;
$changes = [
    'touch' => fn () => $cache->touch('k', 200),
    'increment' => fn () => $cache->increment('k'),
    'update' => fn () => $cache->update('k', fn ($old) => $old + 1),
    "update through another view" => fn () => $cache->tagged('u')->update('k', fn ($old) => $old + 1),
    'set' => fn () => $cache->set('k', 5),
];
foreach ($changes as $name => $change) {
    $view->set('k', 5);
    $change();
    $before = $status();
    $cache->invalidateTags('t');
    echo "$name: $before, invalidated ", $status(), "\n";
}
echo "what has been invalidated stays so when it is touched, and add() takes its place\n";
$view->set('k', 5);
$cache->invalidateTags('t');
$cache->touch('k', 500);
echo $status(), ' ', json_encode($cache->add('k', 6)), ' ', $status(), "\n";

echo "a number begins with the view's tags\n";
echo $view->increment('n', 1, 10), ' ', $cache->entry('n')->status->name, ' ';
$cache->invalidateTags('t');
echo $cache->entry('n')->status->name, ' ', $view->increment('n'), "\n";

echo "forced: invalidated while it is computed\n";
$view->set('k', 'old');
echo $view->remember('k', 100, function () use ($cache) {
    $cache->invalidateTags('t');
    return 'forced';
}, force: true), ' ', $status(), ' ', $view->remember('k', 100, fn () => 'again', force: true), ' ', $status(), "\n";

echo "a computation that uses views of the same key, and one that throws\n";
$cache->delete('k');
try {
    $view->remember('k', 100, fn () => $cache->tagged('u')->remember('k', 100, fn () => 'inner'));
} catch (LogicException $exception) {
    echo get_class($exception), "\n";
}
$view->remember('k', 100, function () use (&$view, $cache) {
    $view = null;
    gc_collect_cycles();
    return $cache->tagged('t')->remember('l', 100, fn () => 'inner');
});
$view = $cache->tagged('t');
echo json_encode($view->rememberMany(['k', 'l', 'm'], 100, fn ($missing) => array_fill_keys($missing, 'many'))), "\n";

echo "a tag that is evicted, and made again by the next computation\n";
$view->set('k', 'value');
$tag = tag_key('t');
$server->raw("delete $tag");
echo $status(), ' ';
$cache->tagged('t')->set('never looked at', 1);
echo $status(), ' ', $cache->entry('never looked at')->status->name, ' ', $view->remember('k', 100, fn () => 'new'), ' ', $status(), "\n";

echo "counted where the view comes from\n";
$counting = new Cache(new Pool($server->address, timeout: 10));
$counting->tagged('a')->tagged('b')->get('nothing');
echo $counting->stats()['misses'], ' ', $counting->tagged('c')->stats()['misses'], "\n";
$server->kill();
var_dump($view->get('k'), $view->set('k', 1), $view->setMultiple(['k' => 1]), $cache->invalidateTags('t'), $cache->deleteTags('t'));
?>
--EXPECT--
touch: Fresh, invalidated Stale
increment: Fresh, invalidated Stale
update: Fresh, invalidated Stale
update through another view: Fresh, invalidated Stale
set: Fresh, invalidated Fresh
what has been invalidated stays so when it is touched, and add() takes its place
Stale true Fresh
a number begins with the view's tags
11 Fresh Stale 12
forced: invalidated while it is computed
forced Stale again Fresh
a computation that uses views of the same key, and one that throws
LogicException
{"k":"inner","l":"inner","m":"many"}
a tag that is evicted, and made again by the next computation
Miss Miss Fresh new Fresh
counted where the view comes from
1 1
NULL
bool(false)
bool(false)
bool(false)
bool(false)
