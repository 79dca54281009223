--TEST--
A detached lock can be restored only by its owner
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, LockLostException, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$lock = new Lock(new Pool($server->address, timeout: 10), 'job', ttl: 30, owner: 'request 17');
try {
    $lock->detach();
} catch (LockLostException $error) {
    echo $error->getMessage(), "\n";
}
$lock->acquire();
$owner = $lock->detach();
echo "$owner: held ", json_encode($lock->isHeld()), ', locked ', json_encode($lock->isLocked()),
    ', released ', json_encode($lock->release()), "\n";
unset($lock);

[$answers] = run_workers(1, function () use ($server, $owner) {
    $pool = new Pool($server->address, timeout: 10);
    $wrong = Lock::restore($pool, 'job', 'request 18');
    $answers = ['wrong owner' => [$wrong->isHeld(), $wrong->release(), $wrong->remaining()]];
    $restored = Lock::restore($pool, 'job', $owner, ttl: 40);
    $answers['restored'] = [$restored->isHeld(), $restored->owner(), $restored->remaining() > 39];
    $answers['others'] = [(new Lock($pool, 'job'))->acquire()];
    $answers['released'] = [$restored->release()];
    $answers['too late'] = [Lock::restore($pool, 'job', $owner)->isHeld()];
    return $answers;
});
foreach ($answers as $name => $answer) {
    echo "$name: ", json_encode($answer), "\n";
}

// It ends like any other with the object that restored it.
$lock = new Lock(new Pool($server->address, timeout: 10), 'job', autoRelease: false);
$lock->acquire();
$restored = Lock::restore(new Pool($server->address, timeout: 10), 'job', $lock->owner());
unset($restored);
echo 'locked: ', json_encode($lock->isLocked()), "\n";
?>
--EXPECT--
The lock "job" is not held, so it cannot be handed over
request 17: held false, locked true, released false
wrong owner: [false,false,0]
restored: [true,"request 17",true]
others: [false]
released: [true]
too late: [false]
locked: false
