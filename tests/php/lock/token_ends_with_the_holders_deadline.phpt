--TEST--
token() is valid only until the holder's own deadline (L9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, LockLostException, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
foreach (['asked for before' => true, 'never asked for' => false] as $how => $asks) {
    $lock = new Lock($pool, 'job', ttl: 10);
    $lock->acquire();
    $token = $asks ? $lock->token() : 0;
    Clock::advance(9.5);
    echo $how, ': ', json_encode($asks ? $lock->token() === $token : $lock->isHeld()), "\n";
    Clock::advance(0.5);
    try {
        echo $lock->token(), "\n";
    } catch (LockLostException $error) {
        echo $error->getMessage(), "\n";
    }
    // Nobody has taken it over, so that it can be had again.
    echo json_encode([$lock->isHeld(), $lock->refresh(), $lock->acquire(), $lock->token() > $token]), "\n";
    unset($lock);
}
?>
--EXPECT--
asked for before: true
The lock "job" has expired
[false,false,true,true]
never asked for: true
The lock "job" has expired
[false,false,true,true]
