--TEST--
update() through a view changes nothing if the tags exceed 255 (T1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Status, StoredValueException};

$cache = new Cache(new Pool('memory://update'), ttl: 100);
$names = fn (string $of, int $count) => array_map(fn ($i) => "$of $i", range(1, $count));
$try = function (Cache $view, string $key) {
    try {
        return $view->update($key, fn ($old) => $old + 1);
    } catch (StoredValueException $exception) {
        return $exception->getMessage();
    }
};

$cache->tagged($names('a', 128))->set('k', 1);
var_dump($try($cache->tagged($names('b', 128)), 'k'));       // 256 in all: one may be a namespace's
var_dump($try($cache->tagged('one more'), 'k'));
var_dump($cache->get('k'));
// Each of them still invalidates it.
foreach (['a 1', 'a 128', 'b 128'] as $tag) {
    $cache->tagged($names('a', 128))->set('k', 1);
    $cache->tagged($names('b', 128))->update('k', fn () => 2);
    $cache->invalidateTags($tag);
    echo $tag, ': ', $cache->entry('k')->status === Status::Fresh ? 'fresh' : 'old', "\n";
}
// Those that the view shares with the value count once.
$cache->tagged($names('a', 255))->set('k', 1);
var_dump($try($cache->tagged($names('a', 255)), 'k'), $try($cache, 'k'));
?>
--EXPECT--
int(2)
string(106) "The value of "k" has more tags, with those of the view, than a value can have; the previous value was kept"
int(2)
a 1: old
a 128: old
b 128: old
int(2)
int(3)
