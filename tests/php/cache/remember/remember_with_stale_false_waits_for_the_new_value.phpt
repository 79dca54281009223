--TEST--
stale: false waits for the new value, then serves the stale one (C5)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://choice');
$cache = new Cache($pool, ttl: 10, lease: 30, wait: 2, stale: false);
$patient = fn (...$options) => $cache->remember('k', null, fn () => 'computed by the reader', ...$options);
$stopwatch = new Cache(new Pool('memory://stopwatch'));
$timed = function (callable $work) use ($stopwatch) {
    $stopwatch->set('start', 1, 1000);
    $answer = $work();
    // A wait is over by the real clock, too: what a busy machine takes of it the frozen one does not see.
    printf("%s after %.1f s\n", $answer, round($stopwatch->entry('start')->age * 2) / 2);
};

$builder = new Cache($pool, ttl: 10, lease: 30);
$builder->set('k', 'old');
Clock::advance(10);
assert($builder->lookup('k')->status->name === 'Elected');
$timed($patient);
$timed(fn () => $patient(wait: 0.5));
$timed(fn () => $patient(stale: true));
$builder->publish('k', 'new');
$timed($patient);

echo "elected itself, it does not wait\n";
Clock::advance(10);
$timed($patient);
?>
--EXPECT--
old after 2.0 s
old after 0.5 s
old after 0.0 s
new after 0.0 s
elected itself, it does not wait
computed by the reader after 0.0 s
