/* One simulated world: servers, clients, the messages between them, one clock, and everything that
 * was seen. The time-driven scheduler is here; explore.c drives the same steps by choices. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "world/door.h"
#include "world/fiber.h"
#include "cache/history.h"

#include "patterns/copies/copies.h"

#include <stdio.h>

/* Wall clocks start here (in November 2023), so that no time is near zero. */
#define SIM_EPOCH_MS 1700000000000u
/* And the world's own clock here, a scenario's time 0. */
#define SIM_START_MS 1000

enum {
	SIM_BATCH_MAX = SIM_ITEMS_MAX,
	SIM_LATE_MAX = 16,
	SIM_REGISTER_MAX = 128,
	SIM_CALLS_PER_OPERATION_MAX = 400,
	SIM_STEPS_MAX = 20000,
};

typedef struct sim_world sim_world;
typedef struct sim_client sim_client;

typedef enum sim_phase {
	SIM_DONE,
	SIM_SENDING,  /* a request is on its way to the server */
	SIM_REPLYING, /* an answer is on its way back */
	SIM_SLEEPING,
} sim_phase;

/* A store call that is under way. */
typedef struct sim_call {
	unsigned count, next; /* requests, and how many of them the server has seen */
	sim_request requests[SIM_BATCH_MAX];
	sim_answer answers[SIM_BATCH_MAX];
	uint64_t deadline_ms;
	mcp_status failure; /* other than MCP_OK: what the client is told instead of the answers ... */
	unsigned answered;  /* ... from this one of its requests on */
	bool is_reply_lost, is_killed_before, is_killed_after;
	uint32_t reply_delay_ms, stop_ms;
} sim_call;

/* One server as one client reaches it: a store of store.h. */
typedef struct sim_member {
	sim_door door; /* first: a door is its member */
	sim_client *client;
	unsigned index;
	uint32_t generation;       /* of the server that it is connected to; UINT32_MAX: to none */
	uint64_t shunned_until_ms; /* its own circuit breaker */
	uint64_t cut_until_ms;     /* nothing comes through */
	uint64_t failures;         /* calls without an answer: each closed the connection */
	/* Items with a write of unknown outcome that this operation has not re-read. */
	uint16_t unsettled;
	/* Views that reads have handed out: the older half is scribbled over, as a real store would. */
	unsigned view, handed_out;
	char views[2][SIM_BATCH_MAX][SIM_VALUE_MAX];
} sim_member;

/* The newest version of a key that one server has had since it last had nothing of the key, or took an older one. */
typedef struct sim_memory {
	uint32_t life; /* one more whenever it begins anew */
	bool has_version;
	sim_version newest;
	uint64_t end_ms; /* of that one */
} sim_memory;

/* One copy as a look that begins has to find it. */
typedef struct sim_compared {
	uint8_t server;
	bool is_there;
	bool decides; /* a value that the client believes: copies behind it need not be asked */
	bool is_away; /* as far as the client knows */
	uint64_t outages;
	uint64_t cas;
	sim_memory memory;
} sim_compared;

/* A look that began while copy 0 was suspect to its client (D4). */
typedef struct sim_comparison {
	bool is_due;
	sim_compared copies[SIM_SERVERS_MAX];
} sim_comparison;

/* A view's tags, in memory of their own. */
typedef struct sim_view {
	mcp_cache_tags tags;
	uint64_t fingerprints[SIM_TAGS_MAX], numbers[SIM_TAGS_MAX];
} sim_view;

struct sim_client {
	sim_member members[SIM_SERVERS_MAX];
	mcp_store *store;   /* the only member, or a cluster of them all ... */
	mcp_store *cluster; /* ... which is this; owned, NULL when there is one server */
	/* With failover, all owned: the cluster is of marked stores then, which stand before the members. */
	struct mcp_server_health *known;
	mcp_store *marked[SIM_SERVERS_MAX];
	mcp_store *failover;
	mcp_copies *copies; /* owned; NULL: its cache keeps one */
	mcp_environment environment;
	mcp_cache cache;
	sim_view view; /* that the cache has at present, when it has tags */
	mcp_cache_statistics statistics;
	sim_world *world;
	sim_fiber fiber;
	unsigned index;
	sim_phase phase;
	uint64_t due_ms;
	uint64_t paused_ms; /* by its own clock alone, see sim_world_sleep */
	uint64_t random;
	int64_t skew_ms;
	unsigned calls;
	sim_task probe;                   /* instead of tasks, when the faults have ended */
	unsigned task;                    /* the one it is at; the world's task_count: none left */
	int16_t entry;                    /* the operation it is in; -1: none */
	bool is_at_many;                  /* it is in one for each key, ... */
	int16_t entries[SIM_KEYS_MAX];    /* ... these; a write belongs to its key's */
	uint64_t looked_ms[SIM_KEYS_MAX]; /* by its wall clock, at each key last */
	uint8_t begun;                    /* its operations so far */
	uint8_t process;                  /* deaths so far */
	uint64_t observed;                /* hash of all it has seen: what its state is a function of */
	sim_call call;
	sim_comparison comparisons[SIM_KEYS_MAX]; /* of copies, by its looks under way */
	bool has_blind_count; /* an increment without an answer, in this operation */
};

/* A request whose client hears nothing of it any more. */
typedef struct sim_late {
	sim_request request;
	uint64_t due_ms;
	uint8_t client, process;
	int16_t entry;
} sim_late;

typedef struct sim_failure {
	const char *invariant; /* NULL: none yet */
	char text[400];
} sim_failure;

/* An election that the checks of single steps remember (checks.c). */
typedef struct sim_election {
	uint64_t epoch, token;
	uint32_t number;
	uint8_t key;
} sim_election;

typedef struct sim_register {
	unsigned epoch_count, counter_count, election_count;
	uint64_t epochs[SIM_REGISTER_MAX];
	uint32_t counters[SIM_REGISTER_MAX];
	uint8_t counter_keys[SIM_REGISTER_MAX];
	sim_election elections[SIM_REGISTER_MAX];
	const sim_entry *last_side_writer; /* made a side key */
} sim_register;

struct sim_world {
	sim_scenario *scenario; /* borrowed */
	uint64_t now_ms;
	uint32_t step;
	uint64_t cas_ids;
	unsigned server_count;
	uint64_t down_until_ms[SIM_SERVERS_MAX], frozen_until_ms[SIM_SERVERS_MAX];
	uint64_t full_until_ms[SIM_SERVERS_MAX];
	bool
		is_choosing; /* driven by choices: nothing takes time, cas ids do not depend on the order */
	bool tears;      /* the next increment gives its cas id away to whoever is reading */
	bool is_probing; /* faults have ended ... */
	bool is_quiet;   /* ... and nobody but the probe is left */
	bool has_clock_moves;
	unsigned faults_done; /* timed ones, in their order */
	unsigned late_count;
	unsigned entry_count;
	uint64_t ended_hash; /* of the operations that have ended, in no order */
	unsigned client_count;
	uint32_t moment; /* beginnings, ends and faults, in their order */
	uint64_t call_count;
	/* Evictions of a side key, for what they allow (the docs say so): by key, when it last was lost, and whether
	 * a frozen one ever was, whose number others may still have in hand. */
	uint32_t side_lost[SIM_KEYS_MAX];
	bool has_lost_frozen[SIM_KEYS_MAX];
	sim_failure failure;
	FILE *trace; /* NULL: silent */
	sim_server servers[SIM_SERVERS_MAX];
	sim_memory memories[SIM_SERVERS_MAX][SIM_KEYS_MAX]; /* where copies are kept */
	/* Names that are no cache key's, in the order in which they were first used: items SIM_OF_KEYS ... */
	char others[SIM_OTHERS_MAX][SIM_NAME_MAX];
	sim_register seen;
	sim_late late[SIM_LATE_MAX];
	uint8_t fault_order[SIM_FAULTS_MAX];
	unsigned timed_count;
	sim_entry entries[SIM_ENTRIES_MAX];
	sim_client clients[SIM_CLIENTS_MAX];
};

/* Prepares a world at time 0 with idle clients. May be called again and again. */
void sim_world_prepare(sim_world *world, sim_scenario *scenario);

/* Runs the scenario to its end, the liveness probe included. */
void sim_world_run(sim_world *world);

/* Takes everything that is under way in the order of time, up to that time. */
void sim_world_run_until(sim_world *world, uint64_t end_ms);

/* Notes the first violation; the run ends there. */
void sim_world_fail(sim_world *world, const char *invariant, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static inline bool sim_world_has_failed(const sim_world *world) {
	return world->failure.invariant != NULL;
}

/* --- for the schedulers --- */

/* Starts the client's remaining tasks on a fresh fiber, up to its first store call or pause. */
void sim_world_start_client(sim_world *world, sim_client *client);
/* Starts its probe instead. */
void sim_world_start_probe(sim_world *world, sim_client *client);
/* Makes the client's next event: a request arrives, an answer arrives, or a pause ends. */
void sim_world_advance(sim_world *world, sim_client *client);
/* Says whether its next event can tear an answer. memcached writes an increment's cas id into the item of before it,
 * too (do_add_delta); a reader who has that one in hand, and has not come to its cas id, is told the number of before
 * with the cas id of after. */
bool sim_world_may_tear(const sim_world *world, const sim_client *client);
/* Says whether its next event is an answer that another's can tear. */
bool sim_world_may_be_torn(const sim_client *client);
/* Mixes what the call under way has been told so far into a hash. */
uint64_t sim_call_hash(const sim_client *client, uint64_t hash);
void sim_world_land_late(sim_world *world, unsigned index);
void sim_world_strike(sim_world *world, const sim_fault *fault);
void sim_world_kill(sim_world *world, sim_client *client);
/* Detaches the request under way: it leaves its client and will be executed at `due_ms`. */
void sim_world_detach(sim_world *world, sim_client *client, uint64_t due_ms);
/* Leaves the client without an answer: it will never come, and the client is told at `due_ms`. */
void sim_world_leave_unanswered(sim_world *world, sim_client *client, uint64_t due_ms);
/* Moves the clock, and lets items die on the way. */
void sim_world_move_time(sim_world *world, uint64_t to_ms);

/* --- for the clients' store and environment (client.c) --- */

/* Sends the client's call, which is complete, and comes back with its answers. */
void sim_world_call(sim_client *client);
/* Sleeps; driven by choices, a pause moves this client's monotonic clock and nothing else, so that what the
 * others see does not depend on who paused when. */
void sim_world_sleep(sim_client *client, uint64_t until_ms);

static inline uint64_t sim_wall_ms(const sim_client *client) {
	return (uint64_t)((int64_t)(SIM_EPOCH_MS + client->world->now_ms) + client->skew_ms);
}

/* Returns the server that the call under way is sent to. */
static inline sim_member *sim_called(sim_client *client) {
	return &client->members[client->call.requests[0].server];
}

static inline sim_entry *sim_current_entry(const sim_client *client) {
	return client->entry < 0 ? NULL : &client->world->entries[client->entry];
}

/* Notes what the client's wall clock shows, for the operation it is in. */
void sim_client_note_wall(sim_client *client);

/* Goes on with another key of a read of many, for which the clock may have been looked at with the key before. */
void sim_client_turn_to(sim_client *client, unsigned key);

#endif
