--TEST--
Messages cut names of locks and counters and replace control characters
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Counter, Lock, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
$names = ["a\nb\e[31mc\0d", str_repeat('long', 250_000)];
foreach ($names as $name) {
    $lock = new Lock($pool, $name);
    $holder = new Lock($pool, $name);
    $attempts = [
        fn () => $lock->detach(),
        fn () => $lock->token(),
        fn () => $lock->run(fn () => (new Lock($pool, $name))->forceRelease()),
        function () use ($lock, $holder) { $holder->acquire(); $lock->run(fn () => 1); },
        fn () => (new Counter($pool, $name, initial: fn () => 'text'))->increment(),
        fn () => (new Counter($pool, $name, initial: fn () => -1))->increment(),
        function () use ($pool, $name) {
            $counter = new Counter($pool, $name, initial: function () use (&$counter) { return $counter->increment(); });
            $counter->increment();
        },
    ];
    foreach ($attempts as $attempt) {
        try {
            $attempt();
        } catch (Throwable $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
}
?>
--EXPECT--
McPatterns\LockLostException: The lock "a?b?[31mc?d" is not held, so it cannot be handed over
McPatterns\LockLostException: The lock "a?b?[31mc?d" is not held
McPatterns\LockLostException: The lock "a?b?[31mc?d" was lost while its callback was running
McPatterns\LockTimeoutException: The lock "a?b?[31mc?d" could not be acquired at once; pass $wait to run() to wait
TypeError: The initial value of the counter "a?b?[31mc?d" must be of type int, string returned
ValueError: The initial value of the counter "a?b?[31mc?d" must be greater than or equal to 0, -1 returned
LogicException: The initial value of the counter "a?b?[31mc?d" reads the counter itself
McPatterns\LockLostException: The lock "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." is not held, so it cannot be handed over
McPatterns\LockLostException: The lock "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." is not held
McPatterns\LockLostException: The lock "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." was lost while its callback was running
McPatterns\LockTimeoutException: The lock "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." could not be acquired at once; pass $wait to run() to wait
TypeError: The initial value of the counter "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." must be of type int, string returned
ValueError: The initial value of the counter "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." must be greater than or equal to 0, -1 returned
LogicException: The initial value of the counter "longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong..." reads the counter itself
