/* A world for patterns with plain items: a memcached in memory, clients that run the patterns' code as coroutines,
 * and a choice for every step and fault. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_WORLD_H
#define PLAIN_WORLD_H

#include "world/choices.h"
#include "world/door.h"
#include "world/fiber.h"
#include "world/report.h"

enum {
	PLAIN_CLIENTS_MAX = 4,
	PLAIN_LATE_MAX = 8,
	PLAIN_STEPS_MAX = 3000,
	PLAIN_MANY_MAX = 32,
};

typedef struct plain_world plain_world;

typedef enum plain_phase {
	PLAIN_IDLE,
	PLAIN_CALLING,
	PLAIN_SLEEPING,
	PLAIN_BETWEEN, /* between 2 of its own steps */
} plain_phase;

typedef struct plain_client {
	sim_door door;       /* must be first: a door is converted to its client */
	sim_request request; /* of the current call */
	mcp_environment environment;
	plain_world *world;
	sim_fiber fiber;
	unsigned index;
	plain_phase phase;
	bool is_dead;
	uint64_t died_ms;
	const void *dozes_on; /* the word that it sleeps on; NULL: by the clock only */
	uint32_t dozes_for;   /* bits of the word */
	bool is_rung;         /* it was woken and has not continued yet */
	unsigned reads;       /* number so far */
	bool is_slow;         /* other clients run between an effect and the handling of the reply */
	bool is_giving_up;    /* its current requests are late or lost */
	bool has_late_write;  /* its next request is late, in addition to the run's faults */
	uint32_t batch; /* number of the steps that it gives up, kept as their serial number; 0: none */
	uint8_t place;  /* index of the step, kept as its item */
	sim_fault_kind fault; /* of the current call */
	mcp_op_verb verb;
	bool was_answered; /* the last call */
	uint64_t due_ms;
	uint64_t random;
	uint64_t slept_ms;   /* in total */
	unsigned generation; /* of the connected server */
	uint64_t connection; /* changes with each noticed restart and each call without a reply */
	bool has_broken_off; /* a write has met a restart, and no item was read since */
	unsigned unanswered; /* calls without a reply, rejected ones included */
	unsigned refused;    /* because the server had no memory */
	uint64_t shunned_until_ms;
	uint64_t wall_ahead_ms;      /* of the slowest clock; less than the family's skew */
	bool was_set;                /* its clock, since a judge has cleared this */
	uint64_t patient_until_ms;   /* end of its wait */
	unsigned late_sleeps;        /* begun after that */
	unsigned insisted;           /* mcp_bypass, since its last reply */
	int operation;               /* of the family: current operation; -1: none */
	char view[2][SIM_BYTES_MAX]; /* the older one is overwritten, as in a real store */
	unsigned view_index;
	char many[PLAIN_MANY_MAX][SIM_BYTES_MAX]; /* views of the last read of many */
} plain_client;

/* A pattern, with its clients' actions and checks. */
typedef struct plain_family {
	unsigned client_count;
	unsigned neighbours;      /* number of clients of the first host; 0: 2 */
	const char *const *items; /* items that can be evicted */
	unsigned item_count;
	const uint32_t *jumps_ms; /* possible changes of a clock */
	unsigned jump_count;
	uint32_t
		skew_ms; /* wall clocks of hosts differ by less, are set, and corrected; 0: one clock */
	uint32_t item_max;   /* limit for appends in bytes; 0: the server's own */
	bool has_late_clock; /* the server's clock stops, for up to PLAIN_LATE_MAX_MS */
	bool has_dead_clock; /* longer in some runs */
	bool asks_for_proofs;
	bool lands_in_order;  /* late steps are the first ones of their batch, in order */
	bool may_lack_memory; /* in some runs, the server has no memory for stores */
	bool reads_apart;     /* other clients run between 2 keys of a read */
	void (*prepare)(plain_world *world);
	/* On the client's fiber. act: one of `rounds` random rounds of a seed. run: the search's program
	 * `world->variant`. */
	void (*act)(plain_client *client);
	unsigned rounds;
	void (*run)(plain_client *client);
	/* After a request took effect. `before`: the previous item (status MCP_OK if it existed). This and the next 2
	 * can be NULL. */
	void (*effect)(plain_world *world, const sim_request *request, mcp_status status,
		const mcp_op *before);
	void (*lost)(plain_world *world);  /* before an eviction or a restart */
	void (*check)(plain_world *world); /* after each step */
	/* When nothing is in progress. Calls have no faults and are immediate. */
	void (*finish)(plain_world *world);
} plain_family;

#define PLAIN_LIST(list, count, type, ...) \
	.list = (type const[]){__VA_ARGS__}, .count = sizeof((type const[]){__VA_ARGS__}) / sizeof(type)
#define PLAIN_JUMPS(...) PLAIN_LIST(jumps_ms, jump_count, uint32_t, __VA_ARGS__)
#define PLAIN_ITEMS(...) PLAIN_LIST(items, item_count, char const *, __VA_ARGS__)

struct plain_world {
	const plain_family *family;
	unsigned variant; /* program of a search, from 1; 0: a seed */
	sim_choices *choices;
	unsigned fault_budget;
	bool is_quiet;
	bool proves;         /* its clients' transport has proofs of writes */
	bool shuns;          /* a circuit breaker is open for 1 s after a call without a reply */
	bool tells_no_start; /* the server reports no start, like one behind a proxy */
	bool may_lack_memory;
	bool has_lost;    /* by an eviction or a restart */
	bool has_skipped; /* the server's clock has skipped 2 s, as it does twice an hour */
	uint64_t now_ms;
	uint64_t wall_ahead_ms;     /* change of all wall clocks */
	uint64_t clock_stood_at_ms; /* since when the server's clock is stopped; 0: it runs */
	uint64_t late_max_ms;
	unsigned generation;
	unsigned steps;
	mcp_environment environment;
	mcp_store *memory;
	unsigned late_count;
	sim_request late[PLAIN_LATE_MAX];
	sim_log log;
	plain_client clients[PLAIN_CLIENTS_MAX];
};

#define PLAIN_EPOCH_MS 1800000000000ull
/* A lock requests a TTL 1 minute longer than its own, to be safe if the server's clock is up to 1 minute late. */
enum { PLAIN_LATE_MAX_MS = 58000, PLAIN_DEAD_FOR_MS = 70000 };

void plain_world_run(plain_world *world, const plain_family *family, unsigned variant,
	sim_choices *choices, unsigned fault_budget);

#define plain_fail(world, ...) sim_log_fail(&(world)->log, __VA_ARGS__)
#define plain_trace(world, ...) sim_log_trace(&(world)->log, __VA_ARGS__)

/* Lets other clients run between 2 steps of the client. */
void plain_give_way(plain_client *client);
/* Returns the running client. NULL: none, or everything is quiet. */
plain_client *plain_running(void);

/* For families: pause a client; let time pass when everything is quiet; read an item without a client. */
void plain_sleep(plain_client *client, uint32_t duration_ms);
void plain_pass(plain_world *world, uint64_t duration_ms);
mcp_status plain_peek(plain_world *world, const mcp_key *key, mcp_item *item);

#endif
