<?php
/* A request starts a long job in another process, and no second job may start meanwhile. The request acquires the
 * lock and detaches it. The worker restores the lock, refreshes it and releases it.
 *
 *     php hand_over_a_lock.php request export-17
 *     php hand_over_a_lock.php worker export-17 OWNER */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Lock, Pool};

[, $role, $job] = $argv;

if ($role === 'request') {
    $lock = new Lock(Pool::default(), $job, ttl: 60);
    if (!$lock->acquire()) {
        exit("is being done already\n");
    }
    // A real application puts this into a queue. Until the worker restores the lock, the TTL keeps it.
    echo $lock->detach(), "\n";
    exit;
}

$lock = Lock::restore(Pool::default(), $job, owner: $argv[3], ttl: 60);
if (!$lock->isHeld()) {
    exit("came too late\n");
}
// The database that is written under the lock can reject the smaller token of a previous holder that does not know
// that it has lost the lock.
echo $lock->token() > 0 ? 'writing' : 'not writing', " the export\n";
echo $lock->release() ? 'done' : 'lost the lock on the way', "\n";
