--TEST--
acquire() and run() of Lock and Semaphore reject booleans as $wait
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool, Semaphore};

$pool = new Pool('memory://m');
$lock = new Lock($pool, 'a');
$semaphore = new Semaphore($pool, 'a', 2);
$true = true;
foreach ([
    fn () => $lock->acquire(true), fn () => $lock->acquire(wait: false), fn () => $lock->acquire(...[&$true]),
    fn () => $lock->run(fn () => 'run', true), fn () => $lock->run(work: fn () => 'run', wait: false),
    fn () => $semaphore->acquire(true), fn () => $semaphore->run(fn () => 'run', true),
    fn () => $lock->acquire('1'), fn () => $lock->run(fn () => 'run', 0.5), fn () => $semaphore->acquire(),
] as $call) {
    try {
        echo json_encode($call()), "\n";
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
McPatterns\Lock::acquire(): Argument #1 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
McPatterns\Lock::acquire(): Argument #1 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
McPatterns\Lock::acquire(): Argument #1 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
McPatterns\Lock::run(): Argument #2 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
McPatterns\Lock::run(): Argument #2 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
McPatterns\Semaphore::acquire(): Argument #1 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
McPatterns\Semaphore::run(): Argument #2 ($wait) must be of type int|float, bool given; pass the seconds to wait, or INF
true
"run"
true
