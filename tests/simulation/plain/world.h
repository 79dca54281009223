/* A world for the patterns whose items are plain: a memcached in memory, clients that run the patterns'
 * own code as coroutines, and every step and fault a choice. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_WORLD_H
#define PLAIN_WORLD_H

#include "world/choices.h"
#include "world/door.h"
#include "world/fiber.h"

#include <stdio.h>

enum {
	PLAIN_CLIENTS_MAX = 4,
	PLAIN_LATE_MAX = 8,
	PLAIN_STEPS_MAX = 3000,
	PLAIN_MANY_MAX = 32,
};

typedef enum plain_fault {
	PLAIN_SOUND,
	PLAIN_LOSE_REQUEST,
	PLAIN_LOSE_REPLY,
	PLAIN_DELAY_REQUEST, /* the client hears nothing, and the effect comes at any time later */
	PLAIN_REFUSE,        /* nothing was sent, and the client knows */
	PLAIN_STOP_AFTER,    /* the process stands still before it sees the answer */
	PLAIN_KILL_BEFORE,
	PLAIN_KILL_AFTER, /* the effect happened */
	PLAIN_NO_MEMORY,  /* the server answers that it has none for it */
	PLAIN_FAULTS
} plain_fault;

typedef struct plain_world plain_world;

typedef enum plain_phase {
	PLAIN_IDLE,
	PLAIN_CALLING,
	PLAIN_SLEEPING,
	PLAIN_BETWEEN, /* two of its own steps, where others may come */
} plain_phase;

typedef struct plain_client {
	sim_door door;       /* first: a door is its client */
	sim_request request; /* of the call that it is in */
	mcp_environment environment;
	plain_world *world;
	sim_fiber fiber;
	unsigned index;
	plain_phase phase;
	bool is_dead;
	uint64_t died_ms;
	const void *dozes_on; /* the word that it sleeps on; NULL: by the clock alone */
	uint32_t dozes_for;   /* its bits */
	bool is_rung;         /* while it dozes: it was woken, and has not gone on yet */
	unsigned reads;       /* so far */
	bool is_slow; /* others come between a value's call and what its process makes of the answer */
	bool is_giving_up; /* what it sends now is to come later, if at all */
	plain_fault fault; /* of the call it is in */
	sim_verb verb;
	bool was_answered; /* its last call */
	uint64_t due_ms;
	uint64_t random;
	uint64_t slept_ms;   /* altogether */
	unsigned generation; /* of the server that it is connected to */
	uint64_t
		connection; /* another after each restart that was noticed and each call without an answer */
	unsigned unanswered; /* calls without an answer, refused ones too */
	unsigned refused;    /* as the server had no memory */
	uint64_t shunned_until_ms;
	uint64_t wall_ahead_ms;      /* of the slowest clock; less than the family's skew */
	unsigned insisted;           /* mcp_bypass, since it last had an answer */
	int operation;               /* of the family's: what it is doing; -1: nothing */
	char view[2][SIM_BYTES_MAX]; /* the older one is scribbled over, as a real store would */
	unsigned view_index;
	char many[PLAIN_MANY_MAX][SIM_BYTES_MAX]; /* the views of the last read of many */
} plain_client;

/* One of the patterns, with what its clients do and what must hold. */
typedef struct plain_family {
	const char *name;
	unsigned client_count;
	unsigned neighbours;      /* the clients of the first host, where there are two; 0: two */
	const char *const *items; /* what may be evicted */
	unsigned item_count;
	const uint32_t *jumps_ms; /* how far a clock may jump */
	unsigned jump_count;
	uint32_t
		skew_ms; /* hosts' wall clocks differ by less, are set, and all put forward; 0: one clock */
	uint32_t item_max;   /* bytes that nothing can be appended beyond; 0: the server's own limit */
	bool has_late_clock; /* the server's clock stands still, for PLAIN_LATE_MAX_MS at most */
	bool has_dead_clock; /* in some runs for longer */
	bool asks_for_proofs;
	bool may_lack_memory; /* the server, in some runs, for what it is to store */
	bool reads_apart;     /* others may come between two keys of one read */
	void (*prepare)(plain_world *world);
	/* On the client's fiber: by a seed one round of anything, of `rounds`; the search's program, `world->variant`. */
	void (*act)(plain_client *client);
	unsigned rounds;
	void (*run)(plain_client *client);
	/* After a request took effect; `before` is what was there (status MCP_OK when anything). This and the next two: NULL
	 * if there is nothing to be done. */
	void (*effect)(plain_world *world, const sim_request *request, mcp_status status,
		const mcp_reply *before);
	void (*lost)(plain_world *world);  /* before an eviction or a restart */
	void (*check)(plain_world *world); /* after each step */
	/* When nothing is under way; calls are sound and direct then. */
	void (*finish)(plain_world *world);
} plain_family;

#define PLAIN_LIST(list, count, type, ...) \
	.list = (type const[]){__VA_ARGS__}, .count = sizeof((type const[]){__VA_ARGS__}) / sizeof(type)
#define PLAIN_JUMPS(...) PLAIN_LIST(jumps_ms, jump_count, uint32_t, __VA_ARGS__)
#define PLAIN_ITEMS(...) PLAIN_LIST(items, item_count, char const *, __VA_ARGS__)

struct plain_world {
	const plain_family *family;
	unsigned variant; /* the program of a search, from 1 on; 0: by a seed */
	sim_choices *choices;
	unsigned fault_budget;
	bool is_quiet;
	bool proves;         /* its clients' transport knows what a write has left */
	bool shuns;          /* a server that did not answer is left alone for a second */
	bool tells_no_start; /* the server, as one behind a proxy */
	bool may_lack_memory;
	bool has_lost; /* an eviction or a restart has happened */
	bool
		has_skipped; /* the server's clock has gone on by two seconds at once: it does so twice an hour */
	uint64_t now_ms;
	uint64_t wall_ahead_ms;     /* all wall clocks have been set forward by so much */
	uint64_t clock_stood_at_ms; /* since when the server's clock stands still; 0: it runs */
	uint64_t late_max_ms;
	unsigned generation;
	unsigned steps;
	mcp_environment environment;
	mcp_store *memory;
	unsigned late_count;
	sim_request late[PLAIN_LATE_MAX];
	const char *violated; /* NULL: nothing yet */
	char text[300];
	FILE *trace; /* NULL: silent */
	plain_client clients[PLAIN_CLIENTS_MAX];
};

#define PLAIN_EPOCH_MS 1800000000000ull
/* A lock asks memcached for a minute more than its TTL, so that it is safe while the server's clock is a minute late. */
enum { PLAIN_LATE_MAX_MS = 58000, PLAIN_DEAD_FOR_MS = 70000 };

/* Runs one whole run. */
void plain_world_run(plain_world *world, const plain_family *family, unsigned variant,
	sim_choices *choices, unsigned fault_budget);

/* Notes the first violation; the run ends there. */
void plain_fail(plain_world *world, const char *invariant, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void plain_trace(plain_world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lets others come between two steps of the client. */
void plain_give_way(plain_client *client);
/* Returns the client that runs; NULL: none, or all is quiet. */
plain_client *plain_running(void);

/* Lets a client pause, for families; the next ones: time passing when all is quiet; what is stored now. */
void plain_sleep(plain_client *client, uint32_t duration_ms);
void plain_pass(plain_world *world, uint64_t duration_ms);
mcp_status plain_peek(plain_world *world, const mcp_key *key, mcp_item *item);

#endif
