/* Tables of all counts and of the event codes of the trace, one line each. The tables are used by the statistics of an
 * object, the shared memory, Metrics::read(), prometheus() and legend(). OpenTelemetry's meter, the dashboard and mctop
 * use legend(). tools/gen-stubs derives the return types of read() and Cache::stats(). A new count needs a line here,
 * and a call that counts, such as mcp_meter_tally. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_COUNTS_H
#define MCP_CORE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Purpose of a count. */
typedef enum mcp_count_kind {
	MCP_COUNT_IS_WORK,
	MCP_COUNT_IS_ANSWER,  /* result of a read: each read counts in exactly one count of this kind */
	MCP_COUNT_IS_TROUBLE, /* growth indicates a problem or a possible improvement */
	MCP_COUNT_IS_TIMED,   /* also in a histogram, which prometheus() shows instead */
	MCP_COUNT_IS_PEAK,    /* maximum, not a sum */
} mcp_count_kind;

/* Unit of counts that are stored in milliseconds and shown in seconds. */
#define MCP_SECONDS "s"

/* clang-format off */

/* COUNT(symbol, key in Metrics::read() and part of other names, key in Cache::stats(), kind, unit, help). NULL: not
 * shown there.
 *
 * The counts of a cache are in groups, in the order of read(). The shared memory and Cache::stats() have other
 * orders. */

/* For a caller of the object, a near hit is a hit: Cache::stats() adds near hits to the hits. */
#define MCP_COUNTS_OF_HITS(COUNT) \
	COUNT(HITS, "hits", "hits", ANSWER, "read", "Fresh values served from memcached.")

#define MCP_COUNTS_OF_NEAR(COUNT) \
	COUNT(NEAR_HITS, "near_hits", "near", ANSWER, "read", "Fresh values served from this host's memory.") \
	COUNT(NEAR_SHARED, NULL, "near_shared", WORK, "read", "Near hits served from the memory that processes share.")

#define MCP_COUNTS_OF_READS(COUNT) \
	COUNT(STALE, "stale", "stale", ANSWER, "read", "Stale values served.") \
	COUNT(MISSES, "misses", "misses", ANSWER, "read", "Reads without a value to serve.") \
	COUNT(ELECTIONS, "elections", "elected", ANSWER, "read", "Reads whose caller was elected to rebuild the value.") \
	COUNT(BUSY, NULL, "busy", WORK, "read", "Stale values served while another caller rebuilt them.") \
	COUNT(WAITED, NULL, "waited", WORK, "pause", "Pauses while waiting for another caller's value.") \
	COUNT(TAKEOVERS, "takeovers", NULL, TROUBLE, "election", "Elections after a claim expired, or after the wait for it ended.") \
	COUNT(WAITS, "waits", NULL, WORK, "wait", "Reads that waited for another caller's value.") \
	COUNT(WAIT_MS, "wait_seconds", NULL, WORK, MCP_SECONDS, "Time spent waiting for other callers' values.") \
	COUNT(EARLY, "early", "early", WORK, "election", "Elections before the end of the TTL.") \
	COUNT(AFTER_RESPONSE, "after_response", "after_response", WORK, "computation", "Rebuilds after the response was sent.") \
	COUNT(STORED, "stored", "stored", WORK, "value", "Values stored.") \
	COUNT(DISCARDED, "discarded", "discarded", TROUBLE, "value", "Results discarded because their key had changed during the computation.") \
	COUNT(CHANGED, "changed", "changed", WORK, "value", "Values that a guarded Cache did not store because their keys had changed since the read.") \
	COUNT(UNSTORABLE, "unstorable", "unstorable", TROUBLE, "value", "Results that no server accepts.") \
	COUNT(UNREADABLE, "unreadable", "unreadable", TROUBLE, "value", "Values that could not be read: from another client, corrupt, or of unknown classes.") \
	COUNT(FORGED, "forged", "forged", TROUBLE, "value", "Values without a valid signature.")

#define MCP_COUNTS_OF_GIVING_UP(COUNT) \
	COUNT(GAVE_UP, "gave_up", "gave_up", TROUBLE, "change", "Changes abandoned after too many conflicts with other clients.") \
	COUNT(UNCACHED, "uncached", NULL, TROUBLE, "value", "Computed values that no server accepted or confirmed.")

#define MCP_COUNTS_OF_ERRORS(COUNT) \
	COUNT(ERRORS, "errors", "errors", TROUBLE, "error", "Calls without a reply in time.")

#define MCP_COUNTS_OF_COMPUTING(COUNT) \
	COUNT(COMPUTATIONS, "computations", NULL, TIMED, "computation", "Values computed in order to be stored.") \
	COUNT(COMPUTE_MS, "compute_seconds", "compute_seconds", TIMED, MCP_SECONDS, "Time spent computing values.") \
	COUNT(SAVED_MS, "saved_seconds", "saved_seconds", WORK, MCP_SECONDS, "Compute time saved by serving stored values.")

/* Audits recompute served values and compare the results with these values. */
#define MCP_COUNTS_OF_AUDITS(COUNT) \
	COUNT(AUDITED, "audit_checked", "audit_checked", WORK, "value", "Served values that an Audit recomputed and compared.") \
	COUNT(AUDIT_DIFFERENT, "audit_different", "audit_different", TROUBLE, "value", "Audited values that differed from the recomputed value.") \
	COUNT(AUDIT_STILL_STORED, "audit_still_stored", "audit_still_stored", WORK, "value", "Different values that were still stored: nothing had invalidated them.") \
	COUNT(AUDIT_INCONCLUSIVE, "audit_inconclusive", "audit_inconclusive", WORK, "check", "Checks without a result: the value had changed, was missing, or was being rebuilt.") \
	COUNT(AUDIT_FAILED, "audit_failed", "audit_failed", TROUBLE, "check", "Checks whose computation or comparison failed.") \
	COUNT(AUDIT_MS, "audit_seconds", "audit_seconds", WORK, MCP_SECONDS, "Time spent computing and comparing for Audits.") \
	COUNT(AUDIT_OLDEST_MS, "audit_oldest_seconds", "audit_oldest_seconds", PEAK, MCP_SECONDS, "Greatest age of a different value: a value might have been wrong for this long.")

#define MCP_COUNTS_OF_SERVERS(COUNT) \
	COUNT(CALLS, "calls", NULL, WORK, "call", "Requests sent.") \
	COUNT(TIMEOUTS, "timeouts", NULL, TROUBLE, "call", "Requests without a reply in time.") \
	COUNT(FAILURES, "failures", NULL, TROUBLE, "call", "Requests without a valid reply, including timeouts.") \
	COUNT(BREAKER_OPENINGS, "breaker_openings", NULL, TROUBLE, "opening", "Times that a process opened the circuit breaker of the server.") \
	COUNT(WHEN_DOWN, "when_down", NULL, TROUBLE, "answer", "Results that objects returned without the server (whenDown, quiet).")

#define MCP_COUNTS_OF_LOCKS(COUNT) \
	COUNT(ACQUISITIONS, "acquisitions", NULL, WORK, "lock", "Locks acquired.") \
	COUNT(CONTENTION, "contention", NULL, WORK, "lock", "Attempts while the lock was held.") \
	COUNT(LOSSES, "losses", NULL, TROUBLE, "lock", "Locks that expired or were deleted before their release.")

#define MCP_COUNTS_OF_SESSIONS(COUNT) \
	COUNT(SESSION_STARTS, "starts", NULL, WORK, "start", "Session starts, including those that failed.") \
	COUNT(SESSION_WAITS, "waits", NULL, WORK, "wait", "Starts that waited for another request's lock.") \
	COUNT(SESSION_WAIT_MS, "wait_seconds", NULL, WORK, MCP_SECONDS, "Time that starts waited for other requests' locks.") \
	COUNT(SESSION_TAKEOVERS, "takeovers", NULL, TROUBLE, "start", "Starts that took over the lock after its holder's lease expired.") \
	COUNT(SESSION_LATE, "late", NULL, TROUBLE, "write", "Writes with a lock that found another request's change: the lock had expired or was deleted.") \
	COUNT(SESSION_MERGES, "merges", NULL, WORK, "write", "Writes that were merged with the data of another request.") \
	COUNT(SESSION_CONFLICTS, "conflicts", NULL, TROUBLE, "key", "Keys changed by 2 concurrent requests: the later value was stored.") \
	COUNT(SESSION_DROPPED, "dropped", NULL, WORK, "write", "Writes that were dropped because their session had been destroyed.") \
	COUNT(SESSION_STORED_AGAIN, "stored_again", NULL, TROUBLE, "session", "Sessions that the server had lost and the request stored again.") \
	COUNT(SESSION_REFUSED, "refused", NULL, TROUBLE, "session", "Sessions that were rejected and not changed: too large, not mergeable, or in another format.") \
	COUNT(SESSION_FAILURES, "failures", NULL, TROUBLE, "failure", "Starts, writes and destroys that failed: no reply, wait timed out, or session lost.")

#define MCP_COUNTS_OF_HOST(COUNT) \
	COUNT(TRACE_FAILURES, "trace_failures", NULL, TROUBLE, "write", "Failed writes to the trace file.")

/* LETTER(symbol, event code, short name, help). */
#define MCP_LETTERS(LETTER) \
	LETTER(FRESH, 'H', "fresh", "a fresh value from memcached was served") \
	LETTER(NEAR, 'h', "near", "a fresh value from this host's memory was served") \
	LETTER(OLD, 'S', "stale", "a stale value was served") \
	LETTER(MISS, 'M', "miss", "no value exists, or a stale value must be rebuilt") \
	LETTER(OUTDATED_BY_TAG, 'T', "tag", "the value must be rebuilt because a tag was invalidated") \
	LETTER(EARLY, 'E', "early", "a fresh value is rebuilt: early, or by force") \
	LETTER(CLAIM, 'L', "claims", "a claim was attempted") \
	LETTER(BUSY, 'B', "busy", "another caller holds the claim") \
	LETTER(WAITED, 'w', "waits", "a pause while waiting") \
	LETTER(STORED, 'W', "written", "a value was stored") \
	LETTER(DISCARDED, 'R', "discarded", "a result was discarded: its key had changed meanwhile") \
	LETTER(GIVEN_BACK, 'U', "released", "a claim was released") \
	LETTER(FAILED, 'X', "server failed", "a server failed") \
	LETTER(UNCACHED, 'C', "uncached", "computed, and no server can store it") \
	LETTER(DIFFERENT, 'D', "different", "a served value differs from the value that an Audit computed")

/* clang-format on */

#define MCP_COUNT_NAME(symbol, name, own, kind, unit, help) MCP_COUNT_##symbol,
/* Counts of a cache. The counts that hits increment are first, in one cache line. */
typedef enum mcp_count_of_cache {
	MCP_COUNTS_OF_COMPUTING(MCP_COUNT_NAME) MCP_COUNTS_OF_HITS(MCP_COUNT_NAME)
		MCP_COUNTS_OF_NEAR(MCP_COUNT_NAME) MCP_COUNTS_OF_READS(MCP_COUNT_NAME)
			MCP_COUNTS_OF_GIVING_UP(MCP_COUNT_NAME) MCP_COUNTS_OF_ERRORS(MCP_COUNT_NAME)
				MCP_COUNTS_OF_AUDITS(MCP_COUNT_NAME) MCP_CACHE_COUNTS
} mcp_count_of_cache;
typedef enum mcp_count_of_server {
	MCP_COUNTS_OF_SERVERS(MCP_COUNT_NAME) MCP_SERVER_COUNTS
} mcp_count_of_server;
typedef enum mcp_count_of_lock {
	MCP_COUNTS_OF_LOCKS(MCP_COUNT_NAME) MCP_LOCK_COUNTS
} mcp_count_of_lock;
typedef enum mcp_count_of_session {
	MCP_COUNTS_OF_SESSIONS(MCP_COUNT_NAME) MCP_SESSION_COUNTS
} mcp_count_of_session;
typedef enum mcp_count_of_host {
	MCP_COUNTS_OF_HOST(MCP_COUNT_NAME) MCP_HOST_COUNTS
} mcp_count_of_host;
#undef MCP_COUNT_NAME

#define MCP_TRACE_NAME(symbol, letter, word, help) MCP_TRACE_##symbol = letter,
typedef enum mcp_trace_code { MCP_LETTERS(MCP_TRACE_NAME) } mcp_trace_code;
#undef MCP_TRACE_NAME

/* A line of the tables. */
typedef struct mcp_count {
	unsigned which;   /* index in the record */
	const char *name; /* NULL: only in Cache::stats() */
	const char *own;  /* key in Cache::stats(); NULL: not shown there */
	mcp_count_kind kind;
	const char *unit;
	const char *help;
} mcp_count;

typedef struct mcp_counts {
	const mcp_count *rows;
	size_t length;
} mcp_counts;

extern const mcp_counts mcp_counts_of_caches;
extern const mcp_counts mcp_counts_of_objects; /* caches, in the order of Cache::stats() */
extern const mcp_counts mcp_counts_of_servers;
extern const mcp_counts mcp_counts_of_locks;
extern const mcp_counts mcp_counts_of_sessions;
extern const mcp_counts mcp_counts_of_host;

/* Hash of the layout of the counts: a build with different tables has a different hash. */
uint64_t mcp_counts_fingerprint(void);

/* True for a count in milliseconds, which is shown in seconds. */
static inline bool mcp_count_is_time(const mcp_count *count) {
	return strcmp(count->unit, MCP_SECONDS) == 0;
}

typedef struct mcp_letter_row {
	char letter;
	const char *word;
	const char *help;
} mcp_letter_row;

/* The last row has the event code '\0'. */
extern const mcp_letter_row mcp_letter_rows[];

#endif
