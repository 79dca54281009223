<?php
/* A cron job that is started on every host and must be done by one of them, once for each scheduled run:
 *
 *     * * * * *  php -d mcpatterns.servers=10.0.0.5:11211 cron_job_once.php
 *
 * The lock is named by its scheduled run and left to its TTL, also when the job is done: a host that starts a
 * little later, because its clock is late or it is busy, still finds it and goes home. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Lock, Pool};

/** Each part is short against the TTL.
 * @return list<string> */
function parts_of_the_work(): array
{
    return ['collect', 'compute', 'send'];
}

// As fine as the schedule: 'Y-m-d' for a daily job. UTC has no hour twice. A run may be named to be done by hand.
$run = $argv[1] ?? gmdate('Y-m-d H:i');

// Longer than the latest start of another host, and than each part: every refresh starts it again.
$lock = new Lock(Pool::default(), "report:$run", ttl: 120, autoRelease: false);
if (!$lock->acquire()) {
    echo "$run: another start has it\n";
    exit;
}

try {
    foreach (parts_of_the_work() as $part) {
        if (!$lock->refresh()) {
            echo "$run: the lock was lost before '$part'\n";
            exit(1);
        }
        echo "$part\n";
    }
} catch (Throwable $failure) {
    // Not done: who starts later may try. Without this the run is skipped, as when the process is killed.
    $lock->release();
    throw $failure;
}
echo "$run: done\n";
