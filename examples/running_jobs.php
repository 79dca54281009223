<?php
/* The running jobs of all hosts with their progress:
 *
 *     php -d mcpatterns.servers=10.0.0.5:11211 running_jobs.php run import-17 4     a job of four parts
 *     php -d mcpatterns.servers=10.0.0.5:11211 running_jobs.php                     lists the running jobs
 *
 * A job that was killed is listed until its row expires, a minute after its last report. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Pool, Table};

function running_jobs(): Table
{
    return new Table(Pool::default(), 'running-jobs', ttl: 60);
}

function run_job(string $name, int $parts): void
{
    $jobs = running_jobs();
    for ($part = 0; $part < $parts; $part++) {
        $jobs->put($name, ['host' => gethostname(), 'since' => time(), 'done' => $part / $parts]);
        show_jobs($jobs); // a real job would do its work here
    }
    $jobs->delete($name);
}

function show_jobs(Table $jobs): void
{
    foreach ($jobs->rows() as $name => $job) {
        /** @var array{host: string, since: int, done: float} $job */
        printf("%s: %d %% done\n", $name, 100 * $job['done']);
    }
}

match ($argv[1] ?? 'list') {
    'run' => run_job($argv[2], (int) ($argv[3] ?? 4)),
    'begin' => running_jobs()->put($argv[2], ['host' => gethostname(), 'since' => time(), 'done' => 0]),
    default => show_jobs(running_jobs()),
};
