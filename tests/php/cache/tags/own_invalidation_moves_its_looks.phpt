--TEST--
set() after the process's own invalidateTags() stores a fresh value (T7, T8, T10.6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$servers = ['memory://a', 'memory://b'];
$cache = new Cache(new Pool($servers), ttl: 1000, grace: 1000);
$view = $cache->tagged('news', 'sport');
$looks = [
    'get' => fn () => $view->get('k'),
    'has' => fn () => $view->has('k'),
    'lookup' => fn () => $view->lookup('k'),
    'getMultiple' => fn () => $view->getMultiple(['k', 'l']),
    'an old value' => function () use ($view) {
        $view->setMultiple(['k' => 0, 'l' => 0]);
        $view->expire('k');
        return [$view->get('k'), $view->get('l')];
    },
    'twice' => fn () => [$view->get('k'), $view->get('k')],
];
$stores = [
    'set' => fn () => $view->set('k', 1),
    'setMultiple' => fn () => $view->setMultiple(['k' => 1, 'l' => 1]),
    'add' => fn () => $view->add('k', 1) || $view->set('k', 1),
];
$inPeace = fn (callable $look, callable $invalidate) => [$look(), $invalidate()];
$ways = [
    'own' => $inPeace,
    'own, then looked at again' => fn ($look, $invalidate) => [$look(), $invalidate(), $view->get('k')],
    'another one of another tag, then own' => fn ($look, $invalidate) => [$look(), (new Cache(new Pool($servers)))->invalidateTags('x'), $invalidate()],
];
$count = [];
foreach ($ways as $way => $do) {
    foreach ($looks as $look) {
        foreach (['invalidateTags', 'deleteTags'] as $method) {
            foreach ($stores as $store) {
                $cache->deleteMultiple(['k', 'l']);
                Pool::endRequest();
                $do($look, fn () => $cache->$method('news'));
                $store();
                $status = $cache->entry('k')->status->name;
                $count[$way][$status] = ($count[$way][$status] ?? 0) + 1;
            }
        }
    }
}
print_r(array_map(json_encode(...), $count));

$inAnotherProcess = function (string ...$tags) use ($servers): void {
    // What is kept of keys is this Fiber's: another one stands for another process.
    (new Fiber(fn () => (new Cache(new Pool($servers)))->invalidateTags(...$tags)))->start();
};
$ends = [
    "another's of another tag, own" => [fn () => $inAnotherProcess('sport'), fn () => $cache->invalidateTags('news')],
    "another's, own" => [fn () => $inAnotherProcess('news'), fn () => $cache->invalidateTags('news')],
    "own, another's" => [fn () => $cache->invalidateTags('news'), fn () => $inAnotherProcess('news')],
];
foreach ($ends as $what => [$first, $second]) {
    Pool::endRequest();
    $view->delete('k');
    $view->get('k');
    $first();
    $second();
    $view->set('k', 1);
    echo "$what: ", $cache->entry('k')->status->name, "\n";
}

Pool::endRequest();
$view->set('k', 0);
$view->expire('k');
$view->lookup('k');
$cache->invalidateTags('news');
var_dump($view->publish('k', 1));
echo 'published for an election of before: ', $cache->entry('k')->status->name, "\n";
?>
--EXPECT--
Array
(
    [own] => {"Fresh":36}
    [own, then looked at again] => {"Fresh":36}
    [another one of another tag, then own] => {"Fresh":36}
)
another's of another tag, own: Stale
another's, own: Fresh
own, another's: Stale
bool(true)
published for an election of before: Stale
