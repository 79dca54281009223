--TEST--
token() explains why it cannot create a token without statistics (L9)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool, Semaphore, ServerException};

require __DIR__ . '/../../_support/serverless.inc';

Clock::freeze(1900000000);
$server = start_serverless(null, tells_statistics: false);
$pool = new Pool($server->address, connectTimeout: 10, timeout: 10);

function attempt(string $when, Lock|Semaphore $lock): void
{
    $lock->acquire();
    try {
        $token = $lock->token();
        echo "$when: $token\n";
    } catch (ServerException $error) {
        echo "$when: {$error->getMessage()}\n";
    }
    echo $lock->release() ? '' : "it was not held any more\n";
}

attempt('no clock', new Lock($pool, 'job', ttl: 60, skew: INF));
attempt('a short hold', new Lock($pool, 'job', ttl: 0.5));
Clock::advance(1.001);
attempt('the same later', new Lock($pool, 'job', ttl: 0.5));
Clock::freeze(1899996400);
attempt('a late clock', new Lock($pool, 'job', ttl: 60, skew: 2.5));
attempt('of a permit', new Semaphore($pool, 'jobs', 1));
?>
--EXPECT--
no clock: Cannot get a fencing token for the lock "job": the server's stats do not report its start time, and with skew: INF no clock is trusted from which a token could be made instead
a short hold: Cannot get a fencing token for the lock "job": the server's stats do not report its start time, and the number used instead, the fence, is new: a token is available in 1.001 s, which exceeds the rest of the hold or of the 10 s that a call waits
the same later: 1900000000000001
a late clock: Cannot get a fencing token for the lock "job": the server's stats do not report its start time, and the number used instead, the fence, is 3600.000 s ahead of this host's clock: this clock is behind, or the clock of the host that wrote the fence was ahead, by more than the skew of 2.500 s
of a permit: Cannot get a fencing token for the semaphore "jobs": the server's stats do not report its start time, and the number used instead, the fence, is 3600.000 s ahead of this host's clock: this clock is behind, or the clock of the host that wrote the fence was ahead, by more than the skew of 1.000 s
