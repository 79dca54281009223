--TEST--
Status::Busy means that another caller holds the claim
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://busy');
$cache = new Cache($pool, ttl: 100, grace: 100, lease: 10);
$tell = function (string $key) use ($pool) {
    $other = new Cache($pool);
    foreach (['entry', 'lookup'] as $method) {
        $entry = $other->$method($key);
        echo $method, ' ', $entry->status->name, ' ', json_encode([$entry->value, $entry->age, $entry->expiresIn]), ', ';
    }
    echo 'get ', json_encode($other->get($key, 'default')), ', has ', json_encode($other->has($key)), "\n";
};
$compute = function (string $key) use ($cache, $tell) {
    echo $cache->remember($key, null, function () use ($key, $tell) {
        $tell($key);
        return 'new';
    }), "\n";
};
echo "nothing there\n";
$tell('cold');
echo "claimed, and no value yet\n";
$compute('cold');
echo "its claim ran out\n";
$cache->remember('dead', null, function () use ($tell) {
    Clock::advance(10);
    $tell('dead');
});
echo "claimed, an old value\n";
Clock::advance(100);
$compute('cold');
echo "claimed before its hard end, which came\n";
Clock::advance(199.5);
$cache->lookup('cold');
Clock::advance(0.5);
$tell('cold');
?>
--EXPECT--
nothing there
entry Miss [null,null,null], lookup Miss [null,null,null], get "default", has false
claimed, and no value yet
entry Busy [null,null,null], lookup Busy [null,null,null], get "default", has false
new
its claim ran out
entry Miss [null,null,null], lookup Miss [null,null,null], get "default", has false
claimed, an old value
entry Busy ["new",110,-10], lookup Busy ["new",110,-10], get "new", has true
new
claimed before its hard end, which came
entry Busy [null,null,null], lookup Busy [null,null,null], get "default", has false
