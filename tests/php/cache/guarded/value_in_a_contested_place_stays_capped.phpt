--TEST--
A value after a conflict expires within $holdoff until the next election (V2, V6.4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
/* Three processes: of the same server, but each with a list of its own. */
$pools = [new Pool(['memory://a', 'memory://b']), new Pool(['memory://a', 'memory://c'])];
$key = current(array_filter(array_map(fn ($i) => "k$i", range(1, 40)), fn ($key) => $pools[0]->serverFor($key) === 'memory://a' && $pools[1]->serverFor($key) === 'memory://a'));
$open = fn (): Cache => new Cache(new Pool('memory://a'), ttl: 100, guarded: true, holdoff: 5);
$writer = new Cache($pools[0], ttl: 100, guarded: true, holdoff: 5);
$others = new Cache($pools[1], ttl: 100);
$shown = function () use ($others, $key) {
    $entry = $others->entry($key);
    return $entry->status->name . ' ' . json_encode($entry->value) . ' for ' . json_encode($entry->expiresIn);
};
$contest = function () use ($others, $writer, $open, $key) {
    Pool::endRequest();
    $others->delete($key);
    $writer->get($key);
    $others->delete($key);
    $open()->get($key);
    return $writer->set($key, 'new');
};

foreach (['set' => fn ($value) => $open()->set($key, $value), 'setMultiple' => fn ($value) => $open()->setMultiple([$key => $value])] as $name => $store) {
    echo "$name: ", json_encode([$contest(), $store('old')]), ' ', $shown(), "\n";
    Clock::advance(1);
    echo json_encode($store('old, again')), ' ', $shown(), "\n";
    $open()->get($key);
    echo json_encode($store('old, once more')), ' ', $shown(), "\n";
    Clock::advance(5);
    echo json_encode([$open()->get($key), $store('renewed')]), ' ', $shown(), "\n";
    echo json_encode($store('and again')), ' ', $shown(), "\n";
}
?>
--EXPECT--
set: [false,true] Fresh "old" for 5
true Fresh "old, again" for 4
true Fresh "old, once more" for 4
[null,true] Fresh "renewed" for 100
true Fresh "and again" for 100
setMultiple: [false,true] Fresh "old" for 5
true Fresh "old, again" for 4
true Fresh "old, once more" for 4
[null,true] Fresh "renewed" for 100
true Fresh "and again" for 100
