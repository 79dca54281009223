--TEST--
run() returns its work's result and releases the lock on each exit (L10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, LockLostException, LockTimeoutException, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
$lock = new Lock($pool, 'job', ttl: 10);

class Work
{
    public function without(array $options = []): string { return count($options) . ' options'; }
    public function __call($name, $arguments): string { return count($arguments) . ' arguments'; }
    public static function any(...$everything): string { return count($everything) . ' things'; }
}
$works = [
    fn () => 'no parameter',
    fn (Lock $lock) => 'held: ' . json_encode($lock->isHeld()),
    fn ($lock) => get_class($lock),
    fn (mixed $lock = null) => get_debug_type($lock),
    fn (?Lock $lock = null) => get_debug_type($lock),
    fn (int $retries = 3) => "$retries retries",
    [new Work, 'without'],
    [new Work, 'magic'],
    'Work::any',
    'php_sapi_name',
    fn () => null,
];
foreach ($works as $work) {
    echo json_encode($lock->run($work)), $lock->isLocked() ? ' and still locked' : '', "\n";
}

function report(callable $attempt): void
{
    global $lock;
    try {
        echo json_encode($attempt()), "\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
    echo '  locked: ', json_encode($lock->isLocked()), "\n";
}

$advance = fn (float $seconds) => function () use ($seconds) { Clock::advance($seconds); return 'done'; };
$other = new Lock($pool, 'job', ttl: 1);
report(fn () => $lock->run(fn () => throw new DomainException('from the work')));
report(fn () => $lock->run($advance(13)));
report(fn () => $lock->run(function () use ($other) { Clock::advance(13); $other->acquire(); }));
report(fn () => $lock->run(fn () => 'not run'));
report(fn () => $lock->run(fn () => 'waited', wait: 4));
report(fn () => $lock->run(function () { Clock::advance(13); throw new DomainException('goes first'); }));
report(fn () => $lock->run(function (Lock $lock) { $lock->release(); return 'released by the work'; }));
report(fn () => $lock->run(function (Lock $lock) { Clock::advance(13); return $lock->refresh(); }));
report(fn () => $lock->run(fn (Lock $lock) => $lock->run(fn () => 'inner')));
report(function () use ($lock) {
    $lock->acquire();
    return $lock->run(fn () => 'was held before');
});
report(fn () => $lock->release());
report(fn () => $lock->run(fn (Lock $lock) => $lock->detach() !== ''));
?>
--EXPECT--
"no parameter"
"held: true"
"McPatterns\\Lock"
"McPatterns\\Lock"
"McPatterns\\Lock"
"3 retries"
"0 options"
"0 arguments"
"1 things"
"cli"
null
DomainException: from the work
  locked: false
McPatterns\LockLostException: The lock "job" was lost while its callback was running
  locked: false
McPatterns\LockLostException: The lock "job" was lost while its callback was running
  locked: true
McPatterns\LockTimeoutException: The lock "job" could not be acquired at once; pass $wait to run() to wait
  locked: true
"waited"
  locked: false
DomainException: goes first
  locked: false
"released by the work"
  locked: false
McPatterns\LockLostException: The lock "job" was lost while its callback was running
  locked: false
"inner"
  locked: false
"was held before"
  locked: true
true
  locked: false
true
  locked: true
