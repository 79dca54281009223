<?php
/* The errors of a whole site in one place. A handler appends errors of all hosts. These commands show them on any host:
 *
 *     php -d mcpatterns.servers=10.0.0.5:11211 error_log.php last         the last 20, newest first
 *     php -d mcpatterns.servers=10.0.0.5:11211 error_log.php follow       tail -f over all hosts, until Ctrl-C
 *     php -d mcpatterns.servers=10.0.0.5:11211 error_log.php fail "..."   causes an error
 *
 * Reporting an error must not cause another error: if memcached is down, the error only goes to PHP's error log. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{EventLog, Exception, Pool};

/** Keeps errors for an hour, in slots of five minutes. */
function error_log_of_site(): EventLog
{
    return new EventLog(Pool::default(), 'site-errors', age: 3600, slots: 12);
}

/** Call this when the application starts. */
function report_errors_to_site(): void
{
    set_error_handler(function (int $level, string $message, string $file, int $line): bool {
        try {
            error_log_of_site()->append(['host' => gethostname(), 'message' => $message, 'where' => basename($file) . ":$line"]);
        } catch (Exception) {
            return false;
        }
        return true;
    });
}

function show(float $time, mixed $event): void
{
    /** @var array{host: string, message: string, where: string} $event */
    printf("%s %s: %s (%s)\n", gmdate('H:i:s', (int) $time), $event['host'], $event['message'], $event['where']);
}

/** Follows the log for the given number of rounds, or forever. */
function follow(EventLog $log, int $rounds): void
{
    for ($cursor = null; $rounds !== 0; $rounds--) {
        foreach ($log->since($cursor, 1000, $lost) as [$time, $event]) {
            show($time, $event);
        }
        if ($lost > 0) {
            echo "-- some events are lost\n";
        }
        $rounds === 1 || sleep(1);
    }
}

switch ($argv[1] ?? 'last') {
    case 'last':
        foreach (error_log_of_site()->last(20) as [$time, $event]) {
            show($time, $event);
        }
        break;
    case 'follow':
        follow(error_log_of_site(), (int) ($argv[2] ?? -1));
        break;
    case 'fail':
        report_errors_to_site();
        trigger_error($argv[2] ?? 'something went wrong', E_USER_WARNING);
}
