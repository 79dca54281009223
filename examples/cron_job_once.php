<?php
/* A cron job that cron starts on every host, and that only one host must do, once for each scheduled run:
 *
 *     * * * * *  php -d mcpatterns.servers=10.0.0.5:11211 cron_job_once.php
 *
 * The lock's name contains the time of the scheduled run. Even after the job is done, the lock is kept until its
 * TTL expires. A host that starts slightly later, because its clock is late or it is busy, finds the lock and exits. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Lock, Pool};

/** Each part takes much less time than the TTL.
 * @return list<string> */
function parts_of_the_work(): array
{
    return ['collect', 'compute', 'send'];
}

// As fine as the schedule: 'Y-m-d' for a daily job. In UTC, no hour occurs twice. To run a job manually, pass its name.
$run = $argv[1] ?? gmdate('Y-m-d H:i');

// Longer than the delay of the latest host, and longer than each part: every refresh restarts it.
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
    // Not done: a host that starts later can try. Without the release, the run is skipped, as after a kill.
    $lock->release();
    throw $failure;
}
echo "$run: done\n";
