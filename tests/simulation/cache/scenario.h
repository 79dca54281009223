/* A run as plain data: tasks and faults with their times. A seed makes a scenario, and shrinking removes parts of
 * it. Equal scenarios make equal runs. */
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

/* A client's program over the pattern's functions. */
typedef enum sim_program {
	SIM_DO_READ,
	SIM_DO_READ_MANY, /* all keys, then elections for the expired ones */
	SIM_DO_GET,       /* lookup; if elected, then `follow` */
	SIM_DO_REMEMBER,  /* like get, but waits for others and elects on a cold key, too */
	SIM_DO_REMEMBER_MANY,
	SIM_DO_SET,
	SIM_DO_ADD,
	SIM_DO_REPLACE,
	SIM_DO_UPDATE, /* read, compute, update; repeated after a change */
	SIM_DO_DELETE,
	SIM_DO_EXPIRE,
	SIM_DO_TOUCH,
	SIM_DO_PULL,
	SIM_DO_INCREMENT,
	SIM_DO_PROBE,      /* after all faults: the key must become fresh (see liveness.c) */
	SIM_DO_TAKE_OVER,  /* next to a probe: elected in turn, equally slow */
	SIM_DO_INVALIDATE, /* the task's tags, strictly if the task is strict */
} sim_program;

/* The step of an elected client after computing. */
typedef enum sim_follow {
	SIM_THEN_PUBLISH,
	SIM_THEN_SET,
	SIM_THEN_ABANDON,
	SIM_THEN_FAIL,
	SIM_THEN_MARK,   /* the result cannot be stored */
	SIM_THEN_FORGET, /* ends without releasing the claim */
	SIM_THEN_REARM,  /* renews, computes and publishes, as after the response */
} sim_follow;

typedef enum sim_value_kind {
	SIM_TEXT,
	SIM_EMPTY,
	SIM_INTEGER, /* far from 0, different for every write */
	SIM_NUMBER,  /* the task's own, possibly small or negative */
} sim_value_kind;

typedef struct sim_task {
	sim_program program;
	uint8_t client;
	uint8_t key;
	sim_follow follow;
	sim_value_kind value_kind;
	bool waits_for_new;  /* remember's stale: false */
	bool is_early;       /* remember's early refresh */
	bool is_strict;      /* strict object (C16) */
	bool has_initial;    /* increment: starts at its number (I8) */
	bool is_forced;      /* remember's force */
	bool nests;          /* its computation remembers the other key */
	bool is_distrusting; /* cannot decode the first value it gets (texts only) */
	int64_t by;          /* increment */
	int64_t number;
	uint32_t start_ms; /* earliest start */
	uint32_t compute_ms;
	uint8_t through; /* tags of its view, or tags to invalidate, one bit each */
	mcp_lifetime lifetime;
} sim_task;

typedef struct sim_fault {
	sim_fault_kind kind;
	uint8_t client;
	uint8_t server;    /* timed faults, except clock changes */
	uint8_t item;      /* evict, garble */
	uint16_t call;     /* number of the client's call */
	uint32_t at_ms;    /* timed faults */
	int32_t amount_ms; /* duration, or change of the clock */
} sim_fault;

struct sim_judge;

typedef struct sim_scenario {
	uint64_t seed;
	unsigned server_count; /* 0 means 1 */
	bool fails_over;       /* with failover */
	unsigned copies;       /* number of copies; 0 means 1 */
	/* The rules of the run (judge.h); NULL: those for one server. */
	const struct sim_judge *judge;
	uint32_t lease_ms, wait_ms, timeout_ms, retry_after_ms;
	uint32_t leases_ms[SIM_CLIENTS_MAX]; /* shorter leases of clients; 0: the common one */
	bool lease_is_fitted;
	bool reads_foreign; /* by every client, with this grace period */
	uint64_t foreign_grace_ms;
	bool is_flat;  /* messages take no time unless delayed */
	bool is_exact; /* items expire at exactly the requested millisecond */
	bool is_wild;  /* clocks may differ by more than C1 allows */
	int32_t skews_ms[SIM_CLIENTS_MAX];
	unsigned client_count, key_count;
	uint8_t probe_key;
	unsigned probers;    /* clients next to the probe that take over its claim */
	bool kills_at_probe; /* kills active clients at the end of the faults */
	uint32_t ends_at_ms; /* end of faults, start of the probe; 0: when all are done */
	unsigned task_count, fault_count;
	sim_task tasks[SIM_TASKS_MAX];
	sim_fault faults[SIM_FAULTS_MAX];
} sim_scenario;

/* Makes the scenario of a seed. */
void sim_scenario_make(sim_scenario *scenario, uint64_t seed);

#endif
