<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Reports statistics about the memcached use of the processes on this host.
 *
 * Counts are kept in shared memory (`mcpatterns.shared_memory`), without a lock or a round trip. All processes that use
 * the same shared memory read the same numbers. Without shared memory, each process has its own numbers, and `shared`
 * is false. Counts of a killed process are kept. If `mcpatterns.metrics` is off, counting is disabled and all results
 * are empty. No method uses the network.
 *
 * A group contains the counts of all Caches with the same prefix. Calls to counters, locks and tags are not counted in
 * groups. Calls through a memory:// Pool are counted in groups, but not for a server. See docs/classes/metrics.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 * @phpstan-type MetricsGroup array{group: string, is_other: bool, COUNTS_OF_CACHES, compute_times: non-empty-list<int>}
 * @phpstan-type MetricsServer array{server: string, COUNTS_OF_SERVERS, is_open: bool, open_since: float|null, last_error: array{message: string, at: float}|null, last_used: float, seconds: float, round_trips: non-empty-list<int>}
 * @phpstan-type MetricsSample array{at: float, COUNTS_OF_CACHES, COUNTS_OF_LOCKS, COUNTS_OF_SERVERS, sessions: array{COUNTS_OF_SESSIONS}}
 * @phpstan-type MetricsLock array{lock: string, COUNTS_OF_LOCKS}
 * @phpstan-type MetricsSession array{prefix: string, COUNTS_OF_SESSIONS}
 * @phpstan-type MetricsRebuild array{key: string, group: string, count: int, seconds: float}
 * @phpstan-type MetricsReading array{enabled: bool, shared: bool, since: float, now: float, processes: int, COUNTS_OF_HOST, bounds: array{compute_times: non-empty-list<float>, round_trips: non-empty-list<float>}, groups: list<MetricsGroup>, servers: list<MetricsServer>, locks: list<MetricsLock>, sessions: list<MetricsSession>, rebuilds: list<MetricsRebuild>}
 * @phpstan-type MetricsLegend array{counts: list<array{of: 'cache'|'host'|'lock'|'server'|'session', name: string, kind: 'answer'|'peak'|'timed'|'trouble'|'work', unit: string, help: string}>, letters: list<array{letter: string, word: string, help: string}>}
 * @phpstan-type MetricsEvent array{at: float, letter: string, group: string, key: string, pid: int}
 */
final class Metrics
{
    private function __construct() {}

    /**
     * Returns all numbers since reset(), or since the shared memory was created.
     *
     * Times are seconds. `since` and `now` are Unix times by Clock::now(). `processes` is the number of running
     * processes that have counted anything. Other processes count during the read, so one number can include a call
     * that another number does not include.
     *
     * `compute_times` and `round_trips` are histograms, and `bounds` contains their limits. `rebuilds` contains at most
     * 32 keys that were rebuilt in the last minute (to within 5 s), the most expensive keys first. See
     * docs/classes/metrics.md#numbers for the lists, and docs/spec/metrics.md for the meaning of each count.
     *
     * @phpstan-return MetricsReading
     */
    public static function read(): array {}

    /**
     * Returns samples of past totals of all groups, locks, servers and sessions, oldest first.
     *
     * There is a sample for every 2 s of the last 2 minutes, and for every minute of the hour before that. The activity
     * between two samples is their difference. Times without activity, and times before the last reset(), have no
     * samples. The names are those of read(). Session counts are in the array `sessions`.
     *
     * A sample is taken at the first request in a 2 s interval, before this request counts anything, and by read() and
     * history(). If the next sample is late, the activity occurred soon after the earlier sample.
     *
     * @phpstan-return list<MetricsSample>
     */
    public static function history(): array {}

    /**
     * Returns descriptions of the counts and event codes, for programs that display all of them.
     *
     * `counts` are in the order of read(). `of` names the list that contains them ("cache": the list `groups`). `kind`
     * is "answer" for the result of a read (each read has exactly one), and "trouble" if growth indicates a problem.
     * `kind` is "timed" if read() also has a histogram, "peak" for a maximum, and otherwise "work".
     *
     * `unit` is the unit in the singular, or "s" for seconds. `help` is a sentence.
     *
     * `letters` are the event codes of trace(). `word` is a short name, and `help` continues a sentence, as in "H: a
     * fresh value was served". Other versions can have more counts and codes.
     *
     * @phpstan-return MetricsLegend
     */
    public static function legend(): array {}

    /**
     * Returns the numbers of read() in Prometheus' text exposition format 0.0.4.
     *
     * Send the text with the Content-Type "text/plain; version=0.0.4; charset=utf-8". All names begin with mcpatterns_.
     * `rebuilds` are omitted, because keys would create too many labels.
     */
    public static function prometheus(): string {}

    /**
     * Returns the latest events, oldest first.
     *
     * The trace keeps the last 4,096 events of all groups together. An event contains its Unix time (to the
     * millisecond), event code (`letter`), group, key and process id. The key is truncated after 40 bytes, and does not
     * include the prefixes of the Pool and the Cache. An event that is being written is omitted.
     *
     * legend() and docs/spec/metrics.md#event-codes list the event codes.
     *
     * @param string|null $group Prefix of a Cache. null: all groups.
     * @param int $last Maximum number of returned events, 1 to 4096.
     *
     * @phpstan-return list<MetricsEvent>
     *
     * @throws \ValueError if $last is out of range.
     */
    public static function trace(?string $group = null, int $last = 200): array {}

    /**
     * Resets all numbers to 0 and empties the trace, for all processes that use the same shared memory.
     *
     * Increments by other processes at the same moment can be kept or lost.
     */
    public static function reset(): void {}
}
