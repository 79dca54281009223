/* Access of the lower layers to the outside world: clocks, randomness, sleep. In production, these are the
 * system's; the simulator and the tests pass their own. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ENVIRONMENT_H
#define MCP_CORE_ENVIRONMENT_H

#include "atomics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mcp_environment mcp_environment;

/* How a sleep on a shared word ended. */
typedef enum mcp_doze {
	MCP_DOZE_WOKEN, /* woken, or not begun because the word had changed */
	MCP_DOZE_OVER,  /* timeout or interruption */
	MCP_DOZE_NONE,  /* not supported: there was no sleep */
} mcp_doze;

/* Limits of servers' replies, in bytes. */
typedef struct mcp_item_size_limits {
	size_t of_item; /* limit of the announced length of one item */
	size_t of_call; /* limit of all replies of one server to one call */
} mcp_item_size_limits;

/* Failures of a thread's servers. */
typedef struct mcp_failing {
	uint64_t count;   /* of calls, for their order */
	uint64_t lost_ms; /* time spent on requests that failed */
	uint64_t last_ms; /* end of the last such request */
} mcp_failing;

struct mcp_environment {
	/* Unix time in milliseconds: for expiry that hosts share, never for waiting. */
	uint64_t (*wall_ms)(const mcp_environment *environment);
	/* Cheaper wall clock, a few milliseconds ahead, so that a stale value never counts as fresh. NULL: none. */
	uint64_t (*early_wall_ms)(const mcp_environment *environment);
	/* Monotonic milliseconds that also advance during suspend: for deadlines and waiting, never shared between
	 * hosts. */
	uint64_t (*monotonic_ms)(const mcp_environment *environment);
	/* Monotonic clock for measurement. NULL: use milliseconds. */
	uint64_t (*monotonic_ns)(const mcp_environment *environment);
	/* Unpredictable, and distinct in every process, also after a fork: used for tokens. */
	uint64_t (*random_u64)(const mcp_environment *environment);
	/* New epoch for a value of the key with this fingerprint (core/envelope/envelope.h). If versions must be ordered,
	 * the new epoch is later than the known epochs (patterns/copies/copies.h). NULL: random. */
	uint64_t (*epoch_u64)(const mcp_environment *environment, uint64_t key_fingerprint);
	/* Sleep. The sleep can end early when `is_interrupted` returns true. */
	void (*sleep_ms)(const mcp_environment *environment, uint32_t duration_ms);
	/* Clock in milliseconds that the processes of this host share, for the end of `doze` (core/waking/wakeups.h). 0: no
	 * memory is shared now. NULL, together with the next two: never. */
	uint64_t (*bell_ms)(const mcp_environment *environment);
	/* Sleep until `end_ms` while the word is `noted`, unless another process wakes one of `bits`. The sleep can end
	 * early when `is_interrupted` returns true. */
	mcp_doze (*doze)(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t noted,
		uint32_t bits, uint64_t end_ms);
	/* Wake all sleepers on the word that have one of these bits, or only one of these sleepers if `wakes_one`. */
	void (*wake)(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
		bool wakes_one);
	/* Whether the pattern's caller must run other code before the wait continues, such as a signal handler, which must
	 * not run inside a pattern. True until the caller has run this code. NULL: never. */
	bool (*is_interrupted)(const mcp_environment *environment);
	/* Signals that have no handler and would end the process: bit n - 1 for signal n. These signals can end the process
	 * during a call. All other signals wait until the end of the call. NULL: none. */
	uint64_t (*deadly_signals)(const mcp_environment *environment);
	/* Limits of replies. NULL: limited only by memory. */
	mcp_item_size_limits (*item_size_limits)(const mcp_environment *environment);
	/* Seconds without traffic after which a connection sends keepalive probes; 0, or NULL: never. */
	uint32_t (*keepalive_s)(const mcp_environment *environment);
	void *context;
	/* A circuit breaker does not count the time of requests to other servers that failed. Otherwise, a call with many
	 * keys would ask a failed server again before the last server has failed, and wait once per key. NULL: it does. */
	mcp_failing *failing;
	/* Counters of calls; NULL: none. */
	struct mcp_metrics *metrics;
};

#define MCP_NS_PER_MS 1000000u

/* Rounded up: a duration above 0 is at least 1 ms. */
static inline uint64_t mcp_ns_to_ms(uint64_t ns) {
	return (ns + MCP_NS_PER_MS - 1) / MCP_NS_PER_MS;
}

static inline uint64_t mcp_wall_ms(const mcp_environment *environment) {
	return environment->wall_ms(environment);
}

static inline uint64_t mcp_early_wall_ms(const mcp_environment *environment) {
	return environment->early_wall_ms != NULL ? environment->early_wall_ms(environment)
											  : mcp_wall_ms(environment);
}

static inline uint64_t mcp_monotonic_ms(const mcp_environment *environment) {
	return environment->monotonic_ms(environment);
}

static inline uint64_t mcp_monotonic_ns(const mcp_environment *environment) {
	return environment->monotonic_ns != NULL ? environment->monotonic_ns(environment)
											 : mcp_monotonic_ms(environment) * MCP_NS_PER_MS;
}

static inline uint64_t mcp_random_u64(const mcp_environment *environment) {
	return environment->random_u64(environment);
}

/* A random number, never 0. */
static inline uint64_t mcp_random_id(const mcp_environment *environment) {
	uint64_t drawn;
	do {
		drawn = mcp_random_u64(environment);
	} while (drawn == 0);
	return drawn;
}

static inline uint64_t mcp_epoch_u64(const mcp_environment *environment, uint64_t key_fingerprint) {
	return environment->epoch_u64 != NULL ? environment->epoch_u64(environment, key_fingerprint)
										  : mcp_random_u64(environment);
}

static inline void mcp_sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	environment->sleep_ms(environment, duration_ms);
}

static inline uint64_t mcp_deadly_signals(const mcp_environment *environment) {
	return environment->deadly_signals != NULL ? environment->deadly_signals(environment) : 0;
}

static inline uint32_t mcp_keepalive_s(const mcp_environment *environment) {
	return environment->keepalive_s != NULL ? environment->keepalive_s(environment) : 0;
}

static inline bool mcp_is_interrupted(const mcp_environment *environment) {
	return environment->is_interrupted != NULL && environment->is_interrupted(environment);
}

#endif
