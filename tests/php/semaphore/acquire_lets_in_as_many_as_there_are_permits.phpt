--TEST--
As many processes hold a Semaphore as it has permits (S1, S3, S5)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, LockLostException, LockTimeoutException, Pool, Semaphore};

$pool = new Pool('memory://m');
$make = fn () => new Semaphore($pool, 'export', 3);
[$one, $two, $three, $four] = [$make(), $make(), $make(), $make()];
echo json_encode([$one->acquire(), $two->acquire(), $three->acquire(), $four->acquire(), $four->available()]), "\n";
$permits = [$one->permit(), $two->permit(), $three->permit()];
$is_stable = $one->acquire() && $one->refresh() && $one->permit() === $permits[0];
sort($permits);
echo json_encode($permits), ' ', $is_stable ? 'stays' : 'moves', "\n";
echo 'released: ', json_encode([$two->release(), $two->release(), $four->available(), $four->acquire(), $two->acquire()]), "\n";
unset($three);
echo 'died: ', $one->available(), "\n";
echo 'run: ', $two->run(fn (Semaphore $held) => $held->permit() . ' of 3, ' . $held->available() . ' free'), ', then ', $two->available(), "\n";
$two->acquire();
try {
    $make()->run('time');
} catch (LockTimeoutException $error) {
    echo $error->getMessage(), "\n";
}
try {
    $two->run(function () { Clock::advance(12.0); });
} catch (LockLostException $error) {
    echo $error->getMessage(), "\n";
}
echo 'all over: ', $one->available(), ' ', json_encode([$one->refresh(), $four->release(), $one->acquire()]), "\n";
try {
    $four->permit();
} catch (LockLostException $error) {
    echo $error->getMessage(), "\n";
}
$token = $one->token();
echo json_encode($token > 0 && $one->token() === $token), "\n";
?>
--EXPECTF--
[true,true,true,false,0]
[0,1,2] stays
released: [true,false,1,true,false]
died: 1
run: %d of 3, 0 free, then 1
The semaphore "export" could not be acquired at once; pass $wait to run() to wait
The semaphore "export" was lost while its callback was running
all over: 3 [false,false,true]
The semaphore "export" %s
true
