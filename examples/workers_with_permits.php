<?php
/* Workers of which at most three run at a time, on however many hosts; each has a directory by its permit's number.
 *
 *     php workers_with_permits.php /tmp/exports
 *
 * Started by cron on every host: those that find three at work end at once. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{LockLostException, Pool, Semaphore, ServerException};

[, $folder] = $argv;

$workers = new Semaphore(Pool::default(), 'exports', permits: 3, ttl: 30);

/** Two parts of a file, in a directory that no other worker uses meanwhile. */
function export(Semaphore $held, string $folder): void
{
    $mine = "$folder/worker-{$held->permit()}";
    @mkdir($mine);
    foreach (['first', 'second'] as $part) {
        file_put_contents("$mine/$part", date('c'));
        // Longer than the TTL may be worked only by who says in between that he is still there.
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
    // Not known whether three are at work: the next minute will tell.
    echo "not now\n";
}
