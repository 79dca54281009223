<?php
/* A cron job that is started on every host and must run on one of them: start it from cron everywhere.
 *
 *     * * * * *  php -d mcpatterns.servers=10.0.0.5:11211 examples/cron_job_once.php
 *
 * Who does not get the lock goes home. Who has it refreshes it while the work goes on, and stops when it was
 * lost. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Lock, LockLostException, LockTimeoutException, Pool};

/** Each part is short against the TTL. */
function parts_of_the_work(): array
{
    return ['collect', 'compute', 'send'];
}

// The TTL is how long the others stay away when this process is killed in the middle.
$lock = new Lock(Pool::default(), 'report:' . date('Y-m-d'), ttl: 30);

try {
    $done = $lock->run(function (Lock $lock): int {
        $done = 0;
        foreach (parts_of_the_work() as $part) {
            if (!$lock->refresh()) {
                break;
            }
            echo "$part\n";
            $done++;
        }
        return $done;
    });
    echo "done: $done parts\n";
} catch (LockTimeoutException) {
    echo "another host is at it\n";
} catch (LockLostException $lost) {
    echo $lost->getMessage(), "\n";
    exit(1);
}
