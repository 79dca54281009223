--TEST--
Invalidating a tag makes its values stale for each process and method (T1, T2, T5, T8)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://tags', prefix: 'p:'), 'c.', ttl: 100, grace: 100);
$news = $cache->tagged('news', 'user:17');
$other = new Cache(new Pool('memory://tags', prefix: 'p:'), 'c.', ttl: 100);
$elsewhere = new Cache(new Pool('memory://tags', prefix: 'q:'));
$show = fn (Cache $through) => $through->entry('front')->status->name . ' ' . json_encode($through->peek('front'));

foreach (['soft' => 'invalidateTags', 'strict' => 'deleteTags'] as $how => $end) {
    echo "$how\n";
    $cache->delete('front');
    echo $news->remember('front', 100, fn () => 'one'), ', ', $show($news), ', ', $show($other), "\n";
    var_dump($elsewhere->$end(['news', 'user:17']));
    echo 'of another prefix: ', $show($news), "\n";
    var_dump($other->$end('user:17'), $other->$end('user:17', 'nobody has it'));
    echo $show($news), ', ', $show($other), ', ', json_encode($cache->getMultiple(['front'])), "\n";
    $cache->expire('front');
    echo $news->remember('front', 100, fn () => 'two'), ', ', $show($news), ', ', $show($other), "\n";
    echo json_encode($other->getMultiple(['front', 'absent'])), ' ', json_encode($news->getMultiple(['front', 'absent'])), "\n";
}

echo "invalidated while it is computed\n";
$cache->delete('front');
echo $news->remember('front', 100, function () use ($cache) {
    $cache->invalidateTags('news');
    return 'three';
}), ', ', $show($news), "\n";
echo $news->remember('front', 100, fn () => 'four'), ', ', $show($news), "\n";

echo "what lacks a tag of the view is old there\n";
echo $show($cache->tagged('news')), ', ', $show($news->tagged('third')), "\n";

echo "past its grace it is gone\n";
$cache->invalidateTags('news');
Clock::advance(200);
echo $show($news), "\n";

echo "without grace at once\n";
$cache->set('front', 'ends the looks before the invalidation');
$news->set('front', 'five', 100, 0);
echo $show($news), ', ';
$cache->invalidateTags('news');
echo $show($news), "\n";
?>
--EXPECT--
soft
one, Fresh "one", Fresh "one"
bool(true)
of another prefix: Fresh "one"
bool(true)
bool(true)
Stale "one", Stale "one", {"front":null}
two, Fresh "two", Fresh "two"
{"front":"two","absent":null} {"front":"two","absent":null}
strict
one, Fresh "one", Fresh "one"
bool(true)
of another prefix: Fresh "one"
bool(true)
bool(true)
Miss null, Miss null, {"front":null}
two, Fresh "two", Fresh "two"
{"front":"two","absent":null} {"front":"two","absent":null}
invalidated while it is computed
three, Stale "three"
four, Fresh "four"
what lacks a tag of the view is old there
Fresh "four", Stale "four"
past its grace it is gone
Miss null
without grace at once
Fresh "five", Miss null
