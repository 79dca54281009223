<?php
/* At most three workers run at a time, over all hosts. Each uses a directory named after its permit's number.
 *
 *     php workers_with_permits.php /tmp/exports
 *
 * Cron starts it on every host. If three workers are already running, it exits immediately. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{LockLostException, Pool, Semaphore, ServerException};

[, $folder] = $argv;

$workers = new Semaphore(Pool::default(), 'exports', permits: 3, ttl: 30);

/** Writes two parts of a file, in a directory that no other worker uses meanwhile. */
function export(Semaphore $held, string $folder): void
{
    $mine = "$folder/worker-{$held->permit()}";
    @mkdir($mine);
    foreach (['first', 'second'] as $part) {
        file_put_contents("$mine/$part", date('c'));
        // A worker that runs longer than the TTL must refresh its permit.
        if (!$held->refresh()) {
            throw new LockLostException('the permit was lost');
        }
    }
    echo "worker {$held->permit()} has written ", count(glob("$mine/*") ?: []), " parts\n";
}

try {
    if ($workers->acquire()) {
        $workers->run(fn (Semaphore $held) => export($held, $folder));
        $workers->release();
    } else {
        echo "three are at work\n";
    }
} catch (ServerException $failure) {
    // It is unknown whether three workers are running. The next minute's start tries again.
    echo "not now\n";
}
