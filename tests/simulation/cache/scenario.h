/* A run as plain data: who does what and when, and what goes wrong. A seed stands for one; shrinking
 * takes parts out of it; the same scenario always runs the same way. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include "cache/server.h"
#include "world/random.h"

#include "patterns/cache/cache.h"

enum {
	SIM_CLIENTS_MAX = 6,
	SIM_TASKS_MAX = 40,
	SIM_FAULTS_MAX = 24,
};

/* A client's program: one of its own making over the pattern's functions. */
typedef enum sim_program {
	SIM_DO_READ,
	SIM_DO_READ_MANY, /* all keys, then the election for those past their soft end */
	SIM_DO_GET,       /* lookup, and what `follow` says when elected */
	SIM_DO_REMEMBER,  /* the same, waiting for others and electing on a cold key too */
	SIM_DO_REMEMBER_MANY,
	SIM_DO_SET,
	SIM_DO_ADD,
	SIM_DO_REPLACE,
	SIM_DO_UPDATE, /* read, compute, update; again when it changed */
	SIM_DO_DELETE,
	SIM_DO_EXPIRE,
	SIM_DO_TOUCH,
	SIM_DO_PULL,
	SIM_DO_INCREMENT,
	SIM_DO_PROBE,      /* after all faults: the key must become fresh (see liveness.c) */
	SIM_DO_TAKE_OVER,  /* beside a probe: elected in turn, and as slow */
	SIM_DO_INVALIDATE, /* the task's tags; strictly when it is strict */
} sim_program;

/* An elected client's step after computing. */
typedef enum sim_follow {
	SIM_THEN_PUBLISH,
	SIM_THEN_SET,
	SIM_THEN_ABANDON,
	SIM_THEN_FAIL,
	SIM_THEN_MARK,   /* its result cannot be stored */
	SIM_THEN_FORGET, /* goes away without giving the claim back */
	SIM_THEN_REARM,  /* re-arms, computes and publishes, as after the response */
} sim_follow;

typedef enum sim_value_kind {
	SIM_TEXT,
	SIM_EMPTY,
	SIM_INTEGER, /* far from zero, and different for every write */
	SIM_NUMBER,  /* the task's own, which may be small or negative */
} sim_value_kind;

typedef struct sim_task {
	sim_program program;
	uint8_t client;
	uint8_t key;
	sim_follow follow;
	sim_value_kind value_kind;
	bool waits_for_new; /* remember's stale: false */
	bool is_early;      /* remember's early refresh */
	bool is_strict;     /* of a strict object (C16) */
	bool has_initial;   /* increment: its number is where counting begins (I8) */
	bool is_forced;     /* remember's force */
	bool nests;         /* its computation remembers the other key */
	bool
		is_distrusting; /* cannot decode the first value it is given (text alone; numbers always decode) */
	int64_t by;         /* increment */
	int64_t number;
	uint32_t start_ms; /* not before; the client may be late */
	uint32_t compute_ms;
	uint8_t through; /* a view of these tags, a bit for each; or what to invalidate */
	mcp_lifetime lifetime;
} sim_task;

typedef enum sim_fault_kind {
	/* of one call of one client */
	SIM_LOSE_REQUEST,
	SIM_LOSE_REPLY,
	SIM_DELAY_REQUEST, /* beyond the timeout: the client hears nothing, and the effect comes later */
	SIM_DELAY_REPLY,
	SIM_STOP_BEFORE, /* the process stands still */
	SIM_STOP_AFTER,
	SIM_KILL_BEFORE,
	SIM_KILL_AFTER, /* the effect happened */
	SIM_KILL_LATE,  /* the effect is still under way */
	/* at a time */
	SIM_EVICT,
	SIM_FLUSH,
	SIM_RESTART, /* empty, and every connection breaks */
	SIM_DOWN,    /* refuses everything, and comes back with what it had */
	SIM_FREEZE,
	SIM_CUT, /* down for one client, up for the others */
	SIM_MOVE_CLOCK,
	SIM_GARBLE, /* somebody else writes under the key */
	SIM_PLAIN,  /* a client without envelopes does (C19) */
	SIM_FULL,   /* has no memory for what is to be stored */
	SIM_FAULT_KINDS
} sim_fault_kind;

static inline bool sim_fault_is_timed(sim_fault_kind kind) {
	return kind >= SIM_EVICT;
}

typedef struct sim_fault {
	sim_fault_kind kind;
	uint8_t client;
	uint8_t server;    /* timed ones, but for clocks */
	uint8_t item;      /* evict, garble */
	uint16_t call;     /* which of the client's calls */
	uint32_t at_ms;    /* timed ones */
	int32_t amount_ms; /* how long, or how far a clock moves */
} sim_fault;

struct sim_judge;

typedef struct sim_scenario {
	uint64_t seed;
	unsigned server_count; /* 0 is 1 */
	bool fails_over;       /* the servers stand in for each other */
	unsigned copies;       /* that the clients' caches keep; 0 is 1 */
	/* Who says whether the run was right (judge.h); NULL: the rules for one server. */
	const struct sim_judge *judge;
	uint32_t lease_ms, wait_ms, timeout_ms, retry_after_ms;
	uint32_t leases_ms[SIM_CLIENTS_MAX]; /* of those with a shorter one; 0: as all */
	bool lease_is_fitted;
	bool reads_foreign; /* every client does, with this grace */
	uint64_t foreign_grace_ms;
	bool is_flat;  /* messages take no time at all unless delayed */
	bool is_exact; /* items die on the very millisecond that was asked for */
	bool is_wild;  /* clocks may differ by more than C1 allows */
	int32_t skews_ms[SIM_CLIENTS_MAX];
	unsigned client_count, key_count;
	uint8_t probe_key;
	unsigned probers;    /* clients beside the probe that take over its claim */
	bool kills_at_probe; /* clients still at work when the faults end are killed */
	uint32_t ends_at_ms; /* faults end, and the probe starts; 0: when all are done */
	unsigned task_count, fault_count;
	sim_task tasks[SIM_TASKS_MAX];
	sim_fault faults[SIM_FAULTS_MAX];
} sim_scenario;

/* Makes the scenario that a seed stands for. */
void sim_scenario_make(sim_scenario *scenario, uint64_t seed);

const char *sim_fault_name(sim_fault_kind kind);

#endif
