--TEST--
remember() sets $entry to the returned value's status and ages
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Entry, Pool, Status};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://stories');
$cache = new Cache($pool, ttl: 100, grace: 50);
$tell = function (string $name, mixed $value, ?Entry $entry) {
    $time = $entry?->computeTime > 0 ? 'measured' : json_encode($entry?->computeTime);
    printf("%s: %s, %s %s, age %s, expires in %s, compute time %s\n", $name, json_encode($value), $entry?->status->name, json_encode($entry?->value),
        json_encode($entry?->age), json_encode($entry?->expiresIn), $time);
};
$slow = function () { usleep(2000); return 'new'; };
$ask = function (string $name, ...$options) use ($cache, $tell, $slow) {
    $value = $cache->remember(...$options + ['key' => 'k', 'ttl' => null, 'compute' => $slow, 'entry' => &$entry]);
    $tell($name, $value, $entry);
};

$ask('computed');
Clock::advance(30);
$ask('fresh');
$ask('forced', force: true);
Clock::advance(110);
$cache->lookup('k');
$ask('old, and another computes it');
$cache->abandon('k');
$ask('its computation fails', compute: fn () => throw new DomainException, staleOnError: true);
$ask('old, in the pause');
$cache->delete('k');
$ask('TTL 0', ttl: 0);
$ask('forced, and fails', compute: fn () => throw new DomainException, staleOnError: true, force: true);
$cache->delete('k');
$ask('a TTL of its value', ttl: fn ($value) => 7);
$cache->delete('k');
$ask('not to be stored', ttl: fn () => null);
$cache->set('k', 'before');
$ask('refused', compute: function () use ($pool) { (new Cache($pool))->set('k', 'after'); return 'between'; }, force: true);
$tell('asks for itself', $cache->remember('k', null, function () use ($cache, $slow, &$inner) { return $cache->remember('k', null, $slow, entry: $inner); }, force: true), $inner);

echo "an exception leaves the variable as it was\n";
$entry = $before = $cache->entry('k');
try {
    $cache->remember('fails', null, fn () => throw new DomainException, entry: $entry);
} catch (DomainException) {
    var_dump($entry === $before);
}
try {
    $cache->remember('', null, $slow, entry: $entry);
} catch (ValueError) {
    var_dump($entry === $before);
}

echo "a server that is down\n";
$value = (new Cache(new Pool('127.0.0.1:1', connectTimeout: 0.05)))->remember('k', 100, fn (Entry $was) => $was->status->name, entry: $entry);
$tell('computed', $value, $entry);
?>
--EXPECT--
computed: "new", Elected "new", age 0, expires in 100, compute time measured
fresh: "new", Fresh "new", age 30, expires in 70, compute time measured
forced: "new", Elected "new", age 0, expires in 100, compute time measured
old, and another computes it: "new", Busy "new", age 110, expires in -10, compute time measured
its computation fails: "new", Stale "new", age 110, expires in -10, compute time measured
old, in the pause: "new", Stale "new", age 110, expires in -10, compute time measured
TTL 0: "new", Elected "new", age 0, expires in null, compute time measured
forced, and fails: "new", Fresh "new", age 0, expires in null, compute time measured
a TTL of its value: "new", Elected "new", age 0, expires in 7, compute time measured
not to be stored: "new", Elected "new", age 0, expires in null, compute time measured
refused: "between", Elected "between", age 0, expires in 100, compute time measured
asks for itself: "after", Fresh "after", age 0, expires in 3600, compute time measured
an exception leaves the variable as it was
bool(true)
bool(true)
a server that is down
computed: "Miss", Elected "Miss", age 0, expires in 100, compute time measured
