<?php
/* A request starts a long job in another process, and nobody may start a second one meanwhile: the request
 * acquires the lock and hands it over, the worker restores it, keeps it and releases it.
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
    // What would go into a queue. Until the worker takes over, the TTL keeps the lock.
    echo $lock->detach(), "\n";
    exit;
}

$lock = Lock::restore(Pool::default(), $job, owner: $argv[3], ttl: 60);
if (!$lock->isHeld()) {
    exit("came too late\n");
}
// Whatever is written under the lock can refuse the token of an earlier holder who only thinks that he
// still has it.
echo $lock->token() > 0 ? 'writing' : 'not writing', " the export\n";
echo $lock->release() ? 'done' : 'lost the lock on the way', "\n";
