--TEST--
run() throws ServerException if the server failed, unless the work threw (L7, L10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, retryAfter: 0);
$works = [
    'the server dies' => fn () => $server->kill(),
    'the server dies and the work throws' => function () use ($server) { $server->kill(); throw new DomainException('from the work'); },
    'it dies inside another run' => fn (Lock $lock) => $lock->run(fn () => $server->kill()),
    'the server has restarted' => function () use ($server) { $server->kill(); $server->start(); },
];
foreach ($works as $name => $work) {
    foreach (['free before' => false, 'held before' => true] as $before => $is_held) {
        $lock = new Lock($pool, 'job', ttl: 60);
        $is_held && $lock->acquire();
        try {
            $lock->run($work);
            echo "$name, $before: nothing\n";
        } catch (Exception $error) {
            $message = str_replace($server->name, 'server', $error->getMessage());
            echo "$name, $before: ", get_class($error), ": $message, ", json_encode($error->getPrevious()), "\n";
        }
        $server->kill();
        $server->start();
        unset($lock);
        (new Lock($pool, 'job'))->isLocked() && print "still locked\n";
    }
}
?>
--EXPECT--
the server dies, free before: McPatterns\ServerException: Cannot release the lock "job" on server: the server could not be reached: connection refused, nothing listens there, null
the server dies, held before: McPatterns\ServerException: Cannot verify the lock "job" on server: the server could not be reached: connection refused, nothing listens there, null
the server dies and the work throws, free before: DomainException: from the work, null
the server dies and the work throws, held before: DomainException: from the work, null
it dies inside another run, free before: McPatterns\ServerException: Cannot verify the lock "job" on server: the server could not be reached: connection refused, nothing listens there, null
it dies inside another run, held before: McPatterns\ServerException: Cannot verify the lock "job" on server: the server could not be reached: connection refused, nothing listens there, null
the server has restarted, free before: McPatterns\LockLostException: The lock "job" was lost while its callback was running, null
the server has restarted, held before: McPatterns\LockLostException: The lock "job" was lost while its callback was running, null
