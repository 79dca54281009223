/* Everything the lower layers may want from the outside world: clocks, randomness, sleep.
 * Production passes the system's; the simulator and the tests pass their own. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ENVIRONMENT_H
#define MCP_CORE_ENVIRONMENT_H

#include "atomics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mcp_environment mcp_environment;

/* The end of a sleep on a word that other processes may change. */
typedef enum mcp_doze {
	MCP_DOZE_WOKEN, /* or it was not begun, as the word had changed */
	MCP_DOZE_OVER,  /* its time has come, or it is interrupted */
	MCP_DOZE_NONE,  /* the system does not do it: there was no sleep */
} mcp_doze;

/* The bytes that servers' answers may take. */
typedef struct mcp_answer_room {
	size_t of_item; /* one item, as it is announced */
	size_t of_call; /* all that one server answers to one call */
} mcp_answer_room;

struct mcp_environment {
	/* Unix time in milliseconds: for an expiry that hosts share, never for waiting. */
	uint64_t (*wall_ms)(const mcp_environment *environment);
	/* The wall clock at less cost, and early: a few milliseconds ahead of it, so that nothing is taken for fresh
	 * that is not. NULL: there is none. */
	uint64_t (*early_wall_ms)(const mcp_environment *environment);
	/* Milliseconds that only grow, also while the machine sleeps: for deadlines and waiting, never
	 * shared between hosts. */
	uint64_t (*monotonic_ms)(const mcp_environment *environment);
	/* The monotonic clock, to measure with. NULL: milliseconds must do. */
	uint64_t (*monotonic_ns)(const mcp_environment *environment);
	/* Unpredictable, and different in every process also after a fork: tokens are made of it. */
	uint64_t (*random_u64)(const mcp_environment *environment);
	/* A new epoch for a value of the key with this fingerprint (core/envelope/envelope.h), behind what is known of the
	 * key where its versions must have an order (patterns/copies/copies.h). NULL: random. */
	uint64_t (*epoch_u64)(const mcp_environment *environment, uint64_t key_fingerprint);
	/* May end early once `is_interrupted` answers true. */
	void (*sleep_ms)(const mcp_environment *environment, uint32_t duration_ms);
	/* Sleep that other processes of this host end (core/waking/wakeups.h). The clock that they have in common, in
	 * milliseconds, by which `doze` ends; 0: nothing is shared with them now. NULL, as the next two then: it never is. */
	uint64_t (*bell_ms)(const mcp_environment *environment);
	/* Sleeps until `end_ms` while the word is `noted`, unless it is woken by one of its bits. May end early once
	 * `is_interrupted` answers true. */
	mcp_doze (*doze)(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t noted,
		uint32_t bits, uint64_t end_ms);
	/* Wakes those who sleep on the word with one of these bits, or one of them. */
	void (*wake)(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
		bool wakes_one);
	/* Whether the caller of a pattern has something to run before it waits on: a signal's handler, which
	 * must not run inside of a pattern. True until the caller has run it. NULL: never. */
	bool (*is_interrupted)(const mcp_environment *environment);
	/* The signals that would end the process, having no handler: bit n - 1 for signal n. They may do so in
	 * the middle of a call; all others wait until it is over. NULL: none. */
	uint64_t (*deadly_signals)(const mcp_environment *environment);
	/* NULL: whatever there is memory for. */
	mcp_answer_room (*answer_room)(const mcp_environment *environment);
	/* The seconds without traffic after which a connection's other side is asked whether it is still there; 0, or NULL:
	 * never. */
	uint32_t (*keepalive_s)(const mcp_environment *environment);
	void *context;
	/* Where calls are counted; NULL: nowhere. */
	struct mcp_metrics *metrics;
};

#define MCP_NS_PER_MS 1000000u

/* Rounds up: whatever was done took at least one. */
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
