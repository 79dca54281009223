/* Everything that is counted, a line each, and the letters of the trace. Where something is counted, kept or shown goes
 * by these tables: an object's statistics, the memory that processes share, Metrics::read(), prometheus() and legend(), by
 * legend() OpenTelemetry's meter, the dashboard and mctop, and by tools/gen-stubs the types of what read() and
 * Cache::stats() answer. A new count is a line here, and a call where it happens. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_COUNTS_H
#define MCP_CORE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Why somebody looks at a count. */
typedef enum mcp_count_kind {
	MCP_COUNT_IS_WORK,
	MCP_COUNT_IS_ANSWER,  /* what a read came to: each read counts once among them */
	MCP_COUNT_IS_TROUBLE, /* where it grows something is wrong, or could be better */
	MCP_COUNT_IS_TIMED, /* what the histogram beside it has, too: prometheus() shows that instead */
	MCP_COUNT_IS_PEAK,  /* the largest there was, which is not added up */
} mcp_count_kind;

/* A unit of counts that are milliseconds here, and shown as seconds. */
#define MCP_SECONDS "s"

/* clang-format off */

/* COUNT(its name here, its key in Metrics::read() and its part of names elsewhere, its key in Cache::stats(), its kind, what
 * is counted, help). NULL: it is not shown there.
 *
 * Those of a cache are in parts, in the order of read(); the memory and Cache::stats() have the parts in other orders. */

/* To a caller of the object a near hit is a hit: Cache::stats() adds them to these. */
#define MCP_COUNTS_OF_HITS(COUNT) \
	COUNT(HITS, "hits", "hits", ANSWER, "read", "Fresh values served from memcached.")

#define MCP_COUNTS_OF_NEAR(COUNT) \
	COUNT(NEAR_HITS, "near_hits", "near", ANSWER, "read", "Fresh values served from this host's memory.") \
	COUNT(NEAR_SHARED, NULL, "near_shared", WORK, "read", "Of the near hits, those out of the memory that processes share.")

#define MCP_COUNTS_OF_READS(COUNT) \
	COUNT(STALE, "stale", "stale", ANSWER, "read", "Old values served.") \
	COUNT(MISSES, "misses", "misses", ANSWER, "read", "Reads that found no value.") \
	COUNT(ELECTIONS, "elections", "elected", ANSWER, "read", "Reads whose caller was told to rebuild the value.") \
	COUNT(BUSY, NULL, "busy", WORK, "read", "Of the old values, those that another caller was rebuilding.") \
	COUNT(WAITED, NULL, "waited", WORK, "pause", "Pauses spent waiting for another caller's value.") \
	COUNT(TAKEOVERS, "takeovers", NULL, TROUBLE, "election", "Elections after a claim had run out, or the wait for it.") \
	COUNT(WAITS, "waits", NULL, WORK, "wait", "Reads that paused for another caller's value.") \
	COUNT(WAIT_MS, "wait_seconds", NULL, WORK, MCP_SECONDS, "Time paused for other callers' values.") \
	COUNT(EARLY, "early", "early", WORK, "election", "Elections before the end of the TTL.") \
	COUNT(AFTER_RESPONSE, "after_response", "after_response", WORK, "computation", "Rebuilds done after the response was sent.") \
	COUNT(STORED, "stored", "stored", WORK, "value", "Values stored.") \
	COUNT(DISCARDED, "discarded", "discarded", TROUBLE, "value", "Results that were no longer wanted when they were computed.") \
	COUNT(CHANGED, "changed", "changed", WORK, "value", "Values that a guarded Cache did not store, because their keys had changed since the look.") \
	COUNT(UNSTORABLE, "unstorable", "unstorable", TROUBLE, "value", "Results that no server takes.") \
	COUNT(UNREADABLE, "unreadable", "unreadable", TROUBLE, "value", "Values that could not be read: foreign, corrupt, or of unknown classes.") \
	COUNT(FORGED, "forged", "forged", TROUBLE, "value", "Values without the signature they should have.")

#define MCP_COUNTS_OF_GIVING_UP(COUNT) \
	COUNT(GAVE_UP, "gave_up", "gave_up", TROUBLE, "change", "Changes given up because others kept coming first.") \
	COUNT(UNCACHED, "uncached", NULL, TROUBLE, "value", "Values computed and not stored, because no server took or confirmed them.")

#define MCP_COUNTS_OF_ERRORS(COUNT) \
	COUNT(ERRORS, "errors", "errors", TROUBLE, "error", "Calls that no server answered in time.")

#define MCP_COUNTS_OF_COMPUTING(COUNT) \
	COUNT(COMPUTATIONS, "computations", NULL, TIMED, "computation", "Values that were computed to be stored.") \
	COUNT(COMPUTE_MS, "compute_seconds", "compute_seconds", TIMED, MCP_SECONDS, "Time spent computing values.") \
	COUNT(SAVED_MS, "saved_seconds", "saved_seconds", WORK, MCP_SECONDS, "Compute time of the values served, which was not spent again.")

/* Those of Audits, which compute anew what was served, and compare. */
#define MCP_COUNTS_OF_AUDITS(COUNT) \
	COUNT(AUDITED, "audit_checked", "audit_checked", WORK, "value", "Values served that an Audit has computed anew and compared.") \
	COUNT(AUDIT_DIFFERENT, "audit_different", "audit_different", TROUBLE, "value", "Of those, values that differed from what was computed.") \
	COUNT(AUDIT_STILL_STORED, "audit_still_stored", "audit_still_stored", WORK, "value", "Of the different ones, values that stood there still: nothing had invalidated them.") \
	COUNT(AUDIT_INCONCLUSIVE, "audit_inconclusive", "audit_inconclusive", WORK, "check", "Checks that came to nothing, because the value had been changed, was gone or being computed.") \
	COUNT(AUDIT_FAILED, "audit_failed", "audit_failed", TROUBLE, "check", "Checks that failed, because the computation or the comparison did.") \
	COUNT(AUDIT_MS, "audit_seconds", "audit_seconds", WORK, MCP_SECONDS, "Time spent computing and comparing for Audits.") \
	COUNT(AUDIT_OLDEST_MS, "audit_oldest_seconds", "audit_oldest_seconds", PEAK, MCP_SECONDS, "The greatest age of a value that differed: for so long one can have been wrong.")

#define MCP_COUNTS_OF_SERVERS(COUNT) \
	COUNT(CALLS, "calls", NULL, WORK, "call", "Requests sent.") \
	COUNT(TIMEOUTS, "timeouts", NULL, TROUBLE, "call", "Requests that were not answered in time.") \
	COUNT(FAILURES, "failures", NULL, TROUBLE, "call", "Requests without a proper answer, timeouts included.") \
	COUNT(BREAKER_OPENINGS, "breaker_openings", NULL, TROUBLE, "opening", "How often a process began to leave the server alone.") \
	COUNT(WHEN_DOWN, "when_down", NULL, TROUBLE, "answer", "Answers that objects gave in the server's place (whenDown, quiet).")

#define MCP_COUNTS_OF_LOCKS(COUNT) \
	COUNT(ACQUISITIONS, "acquisitions", NULL, WORK, "lock", "Locks acquired.") \
	COUNT(CONTENTION, "contention", NULL, WORK, "lock", "Attempts that found the lock taken.") \
	COUNT(LOSSES, "losses", NULL, TROUBLE, "lock", "Locks that ran out, or were taken away, before their release.")

#define MCP_COUNTS_OF_SESSIONS(COUNT) \
	COUNT(SESSION_STARTS, "starts", NULL, WORK, "start", "Starts of sessions, those in vain included.") \
	COUNT(SESSION_WAITS, "waits", NULL, WORK, "wait", "Starts that waited for another request's lock.") \
	COUNT(SESSION_WAIT_MS, "wait_seconds", NULL, WORK, MCP_SECONDS, "Time that starts waited for other requests' locks.") \
	COUNT(SESSION_TAKEOVERS, "takeovers", NULL, TROUBLE, "start", "Starts that took the lock over from a holder whose time was over.") \
	COUNT(SESSION_LATE, "late", NULL, TROUBLE, "write", "Writes by lock that found another request's change in their place: their lock was over, or gone.") \
	COUNT(SESSION_MERGES, "merges", NULL, WORK, "write", "Writes that were merged with what another request had stored.") \
	COUNT(SESSION_CONFLICTS, "conflicts", NULL, TROUBLE, "key", "Keys that two requests had changed side by side: the later one's value stays.") \
	COUNT(SESSION_DROPPED, "dropped", NULL, WORK, "write", "Writes that were dropped, because their session had been destroyed.") \
	COUNT(SESSION_STORED_AGAIN, "stored_again", NULL, TROUBLE, "session", "Sessions that the server had lost, and the request stored again.") \
	COUNT(SESSION_REFUSED, "refused", NULL, TROUBLE, "session", "Sessions refused, and left as they were: too large, not to be merged, or in another format.") \
	COUNT(SESSION_FAILURES, "failures", NULL, TROUBLE, "failure", "Starts, writes and destroys that failed: no answer, waited in vain, or the session was lost.")

#define MCP_COUNTS_OF_HOST(COUNT) \
	COUNT(TRACE_FAILURES, "trace_failures", NULL, TROUBLE, "write", "Writes of the trace's file that failed.")

/* LETTER(its name here, itself, a word for it, help). */
#define MCP_LETTERS(LETTER) \
	LETTER(FRESH, 'H', "fresh", "a fresh value from memcached was served") \
	LETTER(NEAR, 'h', "near", "a fresh value from this host's memory was served") \
	LETTER(OLD, 'S', "old", "an old value was served") \
	LETTER(MISS, 'M', "none", "there was no value, or an old one to be rebuilt") \
	LETTER(OUTDATED_BY_TAG, 'T', "tag", "to be rebuilt, because a tag was invalidated") \
	LETTER(EARLY, 'E', "early", "fresh, and to be rebuilt: early, or by force") \
	LETTER(CLAIM, 'L', "claims", "a claim was tried") \
	LETTER(BUSY, 'B', "busy", "somebody else has the claim") \
	LETTER(WAITED, 'w', "waits", "a pause of waiting") \
	LETTER(STORED, 'W', "written", "a value was stored") \
	LETTER(DISCARDED, 'R', "discarded", "a result was discarded: its key had changed meanwhile") \
	LETTER(GIVEN_BACK, 'U', "given back", "a claim was given back") \
	LETTER(FAILED, 'X', "server failed", "a server failed") \
	LETTER(UNCACHED, 'C', "computed for want of a server", "computed, and no server is there to keep it") \
	LETTER(DIFFERENT, 'D', "different", "a value that was served differs from what an Audit has computed")

/* clang-format on */

#define MCP_COUNT_NAME(symbol, name, own, kind, unit, help) MCP_COUNT_##symbol,
/* A cache's counts. Those of every hit stand at the beginning, in one cache line. */
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

/* A line of the tables, as it is shown. */
typedef struct mcp_count {
	unsigned which;   /* its place in memory */
	const char *name; /* NULL: only Cache::stats() has it */
	const char *own;  /* its name there; NULL: that has it not */
	mcp_count_kind kind;
	const char *unit;
	const char *help;
} mcp_count;

typedef struct mcp_counts {
	const mcp_count *rows;
	size_t length;
} mcp_counts;

extern const mcp_counts mcp_counts_of_caches;
extern const mcp_counts mcp_counts_of_objects; /* the same in the order of Cache::stats() */
extern const mcp_counts mcp_counts_of_servers;
extern const mcp_counts mcp_counts_of_locks;
extern const mcp_counts mcp_counts_of_sessions;
extern const mcp_counts mcp_counts_of_host;

/* Hashes which count stands where in memory: a build with other tables has another. */
uint64_t mcp_counts_fingerprint(void);

/* Says whether it counts milliseconds, shown as seconds. */
static inline bool mcp_count_is_time(const mcp_count *count) {
	return strcmp(count->unit, MCP_SECONDS) == 0;
}

typedef struct mcp_letter_row {
	char letter;
	const char *word;
	const char *help;
} mcp_letter_row;

/* The last one has the letter '\0'. */
extern const mcp_letter_row mcp_letter_rows[];

#endif
