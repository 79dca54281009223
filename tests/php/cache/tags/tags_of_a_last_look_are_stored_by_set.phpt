--TEST--
set() and publish() store the tag versions of their first lookup (T1, T7, T10.1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://looks'), ttl: 100);
$view = $cache->tagged('t');
$invalidate = fn () => (new Fiber(fn () => $cache->invalidateTags('t')))->start(); // as another process does
$status = fn (string $key = 'k') => $cache->tagged('t')->entry($key)->status->name;
$looks = [
    'get' => fn () => $view->get('k'),
    'peek' => fn () => $view->peek('k'),
    'entry' => fn () => $view->entry('k'),
    'lookup' => fn () => $view->lookup('k'),
    'has' => fn () => $view->has('k'),
    'nothing' => fn () => null,
    'a look at another key' => fn () => $view->get('other'),
    "another view's look" => fn () => $cache->tagged('t')->get('k'),
    'getMultiple' => fn () => $view->getMultiple(['k']),
];
foreach ($looks as $name => $look) {
    $cache->set('k', 'ends what was noted');
    $cache->delete('k');
    $look();
    $invalidate();
    $view->set('k', 'value');
    echo $name, ': ', $status();
    $view->set('k', 'value');
    echo ', again ', $status(), "\n";
}

echo "a look and nothing in between, also where the tag was not there\n";
$fresh = $cache->tagged('new tag');
var_dump($fresh->get('n'), $fresh->set('n', 1), $fresh->get('n'), $fresh->has('m'), $fresh->add('m', 2), $fresh->get('m'));

echo "lookup and publish, through the view, another one and the cache itself\n";
foreach (['view' => $view, 'another' => $cache->tagged('t'), 'more tags' => $cache->tagged('t', 'u'), 'plain' => $cache] as $name => $publisher) {
    $seen = [];
    foreach ([false, true] as $invalidates) {
        $view->set('k', 'old');
        $cache->expire('k');
        $view->lookup('k');
        $invalidates && $cache->invalidateTags('t');
        $publisher->publish('k', 'new') || print 'not published';
        $seen[] = $publisher->entry('k')->status->name;
    }
    echo $name, ': ', implode(', ', $seen), "\n";
}

echo "16,384 keys; what is forgotten is as of the call\n";
foreach (range(0, 16384) as $i) {
    $view->has("key $i");
}
$invalidate();
$view->setMultiple(['key 0' => 1, 'key 1' => 1, 'key 16384' => 1]);
echo $status('key 0'), ', ', $status('key 1'), ', ', $status('key 16384'), "\n";
?>
--EXPECT--
get: Stale, again Fresh
peek: Stale, again Fresh
entry: Stale, again Fresh
lookup: Stale, again Fresh
has: Stale, again Fresh
nothing: Fresh, again Fresh
a look at another key: Fresh, again Fresh
another view's look: Stale, again Fresh
getMultiple: Stale, again Fresh
a look and nothing in between, also where the tag was not there
NULL
bool(true)
int(1)
bool(false)
bool(true)
int(2)
lookup and publish, through the view, another one and the cache itself
view: Fresh, Stale
another: Fresh, Stale
more tags: Fresh, Stale
plain: Fresh, Fresh
16,384 keys; what is forgotten is as of the call
Fresh, Stale, Stale
