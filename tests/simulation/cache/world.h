/* A simulated world: servers, clients, messages, one clock, and all observations. Contains the time-driven
 * scheduler. explore.c drives the same steps by choices. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "world/door.h"
#include "world/fiber.h"
#include "world/report.h"
#include "cache/history.h"

#include "patterns/copies/copies.h"

/* Start of wall clocks (November 2023), so that no time is near 0. */
#define SIM_EPOCH_MS 1700000000000u
/* Start of the world's clock, time 0 of a scenario. */
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
	SIM_SENDING,  /* a request is on its way */
	SIM_REPLYING, /* a reply is on its way */
	SIM_SLEEPING,
} sim_phase;

/* A store call in progress. */
typedef struct sim_call {
	unsigned count, next; /* requests, and the number that the server has seen */
	sim_request requests[SIM_BATCH_MAX];
	sim_answer answers[SIM_BATCH_MAX];
	uint64_t deadline_ms;
	mcp_status failure; /* unless MCP_OK: the client's result instead of replies, */
	unsigned answered;  /* from this request on */
	bool is_reply_lost, is_killed_before, is_killed_after;
	uint32_t reply_delay_ms, stop_ms;
} sim_call;

/* A server from the perspective of a client: a store of store.h. */
typedef struct sim_member {
	sim_door door; /* must be first: a door is converted to its member */
	sim_client *client;
	unsigned index;
	uint32_t generation;       /* of the connected server; UINT32_MAX: not connected */
	uint64_t shunned_until_ms; /* the circuit breaker */
	uint64_t cut_until_ms;     /* no data passes */
	uint64_t failures;         /* calls without a reply, each of which closed the connection */
	/* Items with a write of unknown outcome that this operation has not read again. */
	uint16_t unsettled;
	/* Returned views. The older half is overwritten, as in a real store. */
	unsigned view, handed_out;
	char views[2][SIM_BATCH_MAX][SIM_VALUE_MAX];
} sim_member;

/* The newest version of a key on a server since it last had no item of the key, or accepted an older one. */
typedef struct sim_memory {
	uint32_t life; /* incremented at each restart of this record */
	bool has_version;
	sim_version newest;
	uint64_t end_ms; /* of the newest version */
} sim_memory;

/* A copy in the state that a beginning read must find. */
typedef struct sim_compared {
	uint8_t server;
	bool is_there;
	bool decides; /* a value that the client trusts: later copies need no request */
	bool is_away; /* as far as the client knows */
	uint64_t outages;
	uint64_t cas;
	sim_memory memory;
} sim_compared;

/* A read that began while copy 0 was suspect to its client (D4). */
typedef struct sim_comparison {
	bool is_due;
	sim_compared copies[SIM_SERVERS_MAX];
} sim_comparison;

/* The tags of a view, with their memory. */
typedef struct sim_view {
	mcp_cache_tags tags;
	uint64_t fingerprints[SIM_TAGS_MAX], numbers[SIM_TAGS_MAX];
} sim_view;

struct sim_client {
	sim_member members[SIM_SERVERS_MAX];
	mcp_store *store;   /* the only member, or the cluster of all */
	mcp_store *cluster; /* that cluster; owned; NULL with one server */
	/* With failover, all owned: the cluster then consists of marked stores, which wrap the members. */
	struct mcp_server_health *known;
	mcp_store *marked[SIM_SERVERS_MAX];
	mcp_store *failover;
	mcp_copies *copies; /* owned; NULL: 1 copy */
	mcp_environment environment;
	mcp_cache cache;
	sim_view view; /* the cache's current view, if it has tags */
	mcp_cache_statistics statistics;
	sim_world *world;
	sim_fiber fiber;
	unsigned index;
	sim_phase phase;
	uint64_t due_ms;
	uint64_t paused_ms; /* by its own clock only, see sim_world_sleep */
	uint64_t random;
	int64_t skew_ms;
	unsigned calls;
	sim_task probe;                   /* instead of tasks, after the faults */
	unsigned task;                    /* the current one; the world's task_count: none left */
	int16_t entry;                    /* the current operation; -1: none */
	bool is_at_many;                  /* one operation per key is in progress: */
	int16_t entries[SIM_KEYS_MAX];    /* these; a write belongs to the operation of its key */
	uint64_t looked_ms[SIM_KEYS_MAX]; /* wall clock of the last read of each key */
	uint8_t begun;                    /* number of operations so far */
	uint8_t process;                  /* number of crashes so far */
	uint64_t observed;                /* hash of all observations, which determine its state */
	sim_call call;
	sim_comparison comparisons[SIM_KEYS_MAX]; /* of copies, for its current reads */
	bool has_blind_count;                     /* an increment without a reply, in this operation */
};

/* An election, for the checks of single steps (checks.c). */
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
	const sim_entry *last_side_writer; /* created a side key */
} sim_register;

struct sim_world {
	sim_scenario *scenario; /* borrowed */
	uint64_t now_ms;
	uint32_t step;
	unsigned server_count;
	uint64_t down_until_ms[SIM_SERVERS_MAX], frozen_until_ms[SIM_SERVERS_MAX];
	uint64_t full_until_ms[SIM_SERVERS_MAX];
	bool
		is_choosing; /* driven by choices: nothing takes time, and CAS values are independent of the order */
	bool tears;      /* the next increment gives its CAS value to a concurrent reader */
	bool is_probing; /* the faults have ended, */
	bool is_quiet;   /* and only the probe is left */
	bool has_clock_moves;
	unsigned faults_done; /* timed faults, in their order */
	unsigned late_count;
	unsigned entry_count;
	uint64_t ended_hash; /* of the ended operations, independent of their order */
	unsigned client_count;
	uint32_t moment; /* number of beginnings, ends and faults */
	uint64_t call_count;
	/* Lost side keys, for documented exceptions: when each was last lost, and whether a frozen one was ever lost,
	 * whose number other clients may still have. */
	uint32_t side_lost[SIM_KEYS_MAX];
	bool has_lost_frozen[SIM_KEYS_MAX];
	sim_log log;
	mcp_environment environment; /* of the servers' stores */
	sim_server servers[SIM_SERVERS_MAX];
	sim_memory memories[SIM_SERVERS_MAX][SIM_KEYS_MAX]; /* if copies are kept */
	/* Names that belong to no cache key, in the order of their first use: items SIM_OF_KEYS and above. */
	char others[SIM_OTHERS_MAX][SIM_NAME_MAX];
	sim_register seen;
	sim_request late[SIM_LATE_MAX]; /* their clients no longer get a reply */
	uint8_t fault_order[SIM_FAULTS_MAX];
	unsigned timed_count;
	sim_entry entries[SIM_ENTRIES_MAX];
	sim_client clients[SIM_CLIENTS_MAX];
};

/* Prepares a world at time 0 with idle clients. Can be called repeatedly. */
void sim_world_prepare(sim_world *world, sim_scenario *scenario);

/* Runs the scenario to its end, liveness probe included. */
void sim_world_run(sim_world *world);

/* Executes all events in the order of time, up to that time. */
void sim_world_run_until(sim_world *world, uint64_t end_ms);

#define sim_world_fail(world, ...) sim_log_fail(&(world)->log, __VA_ARGS__)
#define sim_trace_world(world, ...) sim_log_trace(&(world)->log, "-- " __VA_ARGS__)

static inline bool sim_world_has_failed(const sim_world *world) {
	return world->log.violated != NULL;
}

/* --- for the schedulers --- */

/* Starts the client's remaining tasks on a new fiber, up to its first store call or pause. */
void sim_world_start_client(sim_world *world, sim_client *client);
void sim_world_start_probe(sim_world *world, sim_client *client);
/* Executes the client's next event: a request arrives, a reply arrives, or a pause ends. */
void sim_world_advance(sim_world *world, sim_client *client);
/* True if the next event can tear a reply. memcached also writes the CAS value of an increment into the previous
 * item (do_add_delta). A reader that holds this item, and has not yet read the CAS value, gets the previous number
 * with the new CAS value. */
bool sim_world_may_tear(const sim_world *world, const sim_client *client);
/* True if its next event is a reply that another client's event can tear. */
bool sim_world_may_be_torn(const sim_client *client);
/* Adds the replies of the current call so far to a hash. */
uint64_t sim_call_hash(const sim_client *client, uint64_t hash);
void sim_world_land_late(sim_world *world, unsigned index);
void sim_world_strike(sim_world *world, const sim_fault *fault);
void sim_world_kill(sim_world *world, sim_client *client);
/* Detaches the current request from its client. It will be executed at `due_ms`. */
void sim_world_detach(sim_world *world, sim_client *client, uint64_t due_ms);
/* Leaves the client without a reply. It learns this at `due_ms`. */
void sim_world_leave_unanswered(sim_world *world, sim_client *client, uint64_t due_ms);
/* Advances the clock, and lets items expire. */
void sim_world_move_time(sim_world *world, uint64_t to_ms);

/* --- for the clients' store and environment (client.c) --- */

/* Sends the client's complete call, and returns with its replies. */
void sim_world_call(sim_client *client);
/* Sleeps. If choices drive the world, a pause changes only this client's monotonic clock, so that other clients do
 * not observe the order of pauses. */
void sim_world_sleep(sim_client *client, uint64_t until_ms);

static inline uint64_t sim_wall_ms(const sim_client *client) {
	return (uint64_t)((int64_t)(SIM_EPOCH_MS + client->world->now_ms) + client->skew_ms);
}

/* Returns the server of the current call. */
static inline sim_member *sim_called(sim_client *client) {
	return &client->members[client->call.requests[0].server];
}

static inline sim_entry *sim_current_entry(const sim_client *client) {
	return client->entry < 0 ? NULL : &client->world->entries[client->entry];
}

/* Records the client's wall clock for its current operation. */
void sim_client_note_wall(sim_client *client);

/* Continues with another key of a read of many, for which the previous key's clock reading can count. */
void sim_client_turn_to(sim_client *client, unsigned key);

#endif
