--TEST--
A failed cold key pauses callers: short pauses wait, long ones throw (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Exception, Pool, RebuildPausedException};

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
try {
    for (;;) {
        $fail();
    }
} catch (RebuildPausedException $paused) {
    echo preg_replace('/[\d.]+ s/', 'N s', $paused->getMessage()), "\n";
    var_dump($paused->retryAfter >= 0.5 && $paused->retryAfter <= 10, $stopwatch->entry('start')->age, $paused instanceof Exception);
}
echo "with more patience it is waited for\n";
$waited = $fail(wait: 60);
var_dump($waited >= $paused->retryAfter && $waited < $paused->retryAfter + 0.2);
echo "without any it never is\n";
try {
    $fail(wait: 0);
} catch (RebuildPausedException $paused) {
    var_dump($stopwatch->entry('start')->age);
}
Clock::advance($paused->retryAfter);
var_dump($cache->remember('k', null, fn () => 'at last', wait: 0), $cache->get('k'));
?>
--EXPECT--
float(0)
bool(false)
string(7) "default"
bool(true)
bool(true)
The key "k" has no value: its computation failed, and the next attempt is allowed in N s
bool(true)
float(0)
bool(true)
with more patience it is waited for
bool(true)
without any it never is
float(0)
string(7) "at last"
string(7) "at last"
