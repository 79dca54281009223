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
no clock: Cannot get a fencing token for the lock "job": the server does not tell by stats when it started, and with skew: INF no clock is believed, by which a token could be made without that
a short hold: Cannot get a fencing token for the lock "job": the server does not tell by stats when it started, and the number in its place, the fence, is new: a token can be had in 1.001 s, and that is longer than the hold lasts, or than what is left of the 10 s that a call waits
the same later: 1900000000000001
a late clock: Cannot get a fencing token for the lock "job": the server does not tell by stats when it started, and the number in its place, the fence, is 3600.000 s ahead of this host's clock: this host's clock is late, or that of the host which made the fence was ahead, by more than the skew of 2.500 s
of a permit: Cannot get a fencing token for the semaphore "jobs": the server does not tell by stats when it started, and the number in its place, the fence, is 3600.000 s ahead of this host's clock: this host's clock is late, or that of the host which made the fence was ahead, by more than the skew of 1.000 s
