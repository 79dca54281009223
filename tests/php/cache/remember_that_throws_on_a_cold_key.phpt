--TEST--
On a cold key a failed computation holds the next one off for its pause, and then one caller at a time is elected (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://cold-throws');
$cache = new Cache($pool, ttl: 10, lease: 10, wait: 2);
$stopwatch = new Cache(new Pool('memory://stopwatch'));
$fail = function (...$options) use ($cache, $stopwatch) {
    $stopwatch->set('start', 1);
    try {
        $cache->remember('k', null, fn () => throw new DomainException, ...$options);
    } catch (DomainException) {
    }
    return $stopwatch->entry('start')->age;
};

var_dump($fail());
var_dump($cache->has('k'), $cache->get('k', 'default'));
$waited = $fail();
var_dump($waited >= 0.045 && $waited <= 0.26);
$waited = $fail();
var_dump($waited >= 0.09 && $waited <= 0.4);
for ($i = 0; $i < 5; $i++) {
    $fail();
}
echo "the pause is longer than the wait: elected after the wait\n";
$waited = $fail(wait: 0.5);
var_dump($waited > 0.4 && $waited < 0.6);
$waited = $fail(wait: 0);
var_dump($waited < 0.05);
var_dump($cache->remember('k', null, fn () => 'at last'), $cache->get('k'));
?>
--EXPECT--
float(0)
bool(false)
string(7) "default"
bool(true)
bool(true)
the pause is longer than the wait: elected after the wait
bool(true)
bool(true)
string(7) "at last"
string(7) "at last"
