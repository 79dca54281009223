<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * What this host's processes have done with memcached: counted in memory that they share, without a lock and without a
 * round trip, while it happens.
 *
 * A group is a Cache's prefix: at most 128, those after them together as the group that is_other. Counters, locks and
 * tags are no reads of a Cache and count in no group. Calls through a memory:// Pool count in groups, and as no server's.
 *
 * All processes that share the memory (those of one php-fpm; with mcpatterns.shared_memory_path those of all that name the
 * same file) count and read the same numbers; where there is none each process has its own, and shared is false. A process that is
 * killed leaves what it has counted. With mcpatterns.metrics off nothing is counted, and everything here is empty. No method
 * asks a server. See docs/classes/metrics.md.
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
     * All numbers since reset() or since the memory was made; times in seconds. They are read while others count, so that
     * two of them may be one call apart.
     *
     * since, now: Unix times, by Clock::now(). processes: those alive that have counted. trace_failures: what the file of
     * mcpatterns.trace_file was not told.
     *
     * Of a group, what its reads were answered: hits (fresh, from memcached), near_hits (fresh, from this host's memory), stale (an old value), misses
     * (nothing), elections (this caller was told to rebuild); one read counts once among these. takeovers: elections after a
     * claim had run out, and computations of callers that had waited too long. waits: reads that paused for another
     * caller's value, and wait_seconds altogether. early: elections before the end of the TTL. after_response: rebuilds done
     * then. stored: values stored, by all methods. discarded: computed, but what it descended from was gone. changed: not stored by a guarded
     * Cache, as the key had changed since the look. unstorable: no server takes it.
     * unreadable: foreign, corrupt, or of classes that are not there. forged: not signed right. gave_up: changes that others kept coming
     * before. uncached: computed by remember() and rememberMany(), and not stored for want of a server, so that the next caller computes, too.
     * errors: calls that no server answered in time. computations and compute_seconds: what was computed to be stored;
     * compute_times is how many of them took at most as long as the bound in bounds['compute_times'] at the same
     * place, and longer than the one before; the last one counts what took longer than all bounds. saved_seconds: the compute time of the
     * values served, without which it would have been spent again.
     *
     * Of a server, by its address: calls (requests sent), timeouts, failures (timeouts and whatever else kept an answer away), breaker_openings
     * (a process began to leave it alone), when_down (answers that objects gave in its place, as `whenDown` and `quiet` have
     * them), is_open (at least one leaves it alone now), open_since (when that began, null if it is not), last_error (what a call failed of last, and
     * when, as Pool::lastErrors() has it, null if none did), last_used (when a call that was sent to it was seen last: it was not used since), and of one call in 64, which is timed, round_trips by
     * bounds['round_trips'], and their seconds altogether. At most 63, then those after them as "other".
     *
     * Of a lock or semaphore, by its name: acquisitions, contention (an acquire() that found it taken), losses (run
     * out, evicted or taken away before its release). At most 255, then those after them as "other".
     *
     * Of sessions, by the prefix of their keys (mcpatterns.session_prefix, or that of a SessionHandler's Pool): starts, those in vain
     * included; waits (starts that waited for another request's lock) and wait_seconds altogether; takeovers (of a lock whose holder's time
     * was over); late (writes by lock that found another request's change in their place); merges and conflicts (keys that two requests had
     * changed side by side); dropped (writes of sessions that had been destroyed); stored_again (the server had lost them); refused (too large, not
     * to be merged, or in another format: they stay as they were); failures (no answer, waited in vain, or the session was lost). At
     * most 31, then those after them as "other".
     *
     * rebuilds: the keys that cost most computing in the last minute (to five seconds), dearest first, at most 32: how
     * often, and how many seconds. Keys are cut after 56 bytes. Exact while no more than 64 different keys are computed in five seconds.
     *
     * @return array
     * @phpstan-return MetricsReading
     */
    public static function read(): array {}

    /**
     * How all groups, locks and servers together stood, and all sessions, oldest first: every two seconds of the last two minutes, and every minute of the
     * hour before, as far as anything was done then, and not before the last reset(). The names are those of read(), those of sessions in an array
     * of their own; what was done between two samples is their difference.
     *
     * A sample is taken before the first request of its two seconds does anything, or at a call of read() or history(), by
     * whichever process comes first. Where the next one is late, nothing was begun in between: what was done came soon after the first.
     *
     * @return array
     * @phpstan-return list<MetricsSample>
     */
    public static function history(): array {}

    /**
     * What there is to be read, for programs that show it: the counts in read() that it is of ("cache": a group), in their order, and the letters
     * of trace(). Another version may have more.
     *
     * kind: "answer" (what a read came to: each counts once among these), "trouble" (where it grows something is wrong, or could be
     * better), "timed" (a histogram of read() has it, too), or "work". unit: what is counted, in the singular, or "s". help: a sentence; a
     * letter's follows it, as "H: a fresh value was served" does. word: a letter in a word or two.
     *
     * @return array
     * @phpstan-return MetricsLegend
     */
    public static function legend(): array {}

    /**
     * The same numbers in Prometheus's text exposition format 0.0.4, as a scraper wants them: send it with the Content-Type
     * "text/plain; version=0.0.4; charset=utf-8". All names begin with mcpatterns_. Without rebuilds, for keys are no labels.
     */
    public static function prometheus(): string {}

    /**
     * What happened last, oldest first: at most $last of the last 4096 events, of one group or (null) of all. Each has its time (Unix
     * time, to the millisecond), its letter, group, key (cut after 40 bytes, without the Pool's prefix and the Cache's) and process.
     *
     * The letters: H a fresh value was served; h one out of this host's memory; S an old one; M there was none, or an old one to be rebuilt; E as M, of a fresh one; L a claim was tried; B somebody else has it; W stored; U a claim was given back; R a result was
     * refused; w a pause of waiting; T as M, for a tag was invalidated; X a server failed; C computed, and no server is there to keep it; D a value that was served
     * differs from what an Audit has computed. An event that is just being written is left out, never shown in part. $last below 1 or above 4096: ValueError.
     *
     * @return array
     * @phpstan-return list<MetricsEvent>
     */
    public static function trace(?string $group = null, int $last = 200): array {}

    /**
     * Begins anew, for all processes that share the memory: every number is 0 and the trace is empty. What others count at
     * the very moment may count or not.
     */
    public static function reset(): void {}
}
