/* Handover: processes of one host, and one of another, wait for 2 locks with a common wake-up word, or for a
 * semaphore with 2 permits. They acquire, release, try once, find no server, crash, and run signal handlers, which
 * can take long and throw. W1, W2, W3 and W5 for events that wake one process. */
/* SPDX-License-Identifier: MIT */
#include "plain/wakeups.h"
#include "plain/families/families.h"
#include "plain/near_host.h"

#include "patterns/lock/semaphore.h"

#include <stdlib.h>

enum { PROCESSES = 4, NEIGHBOURS = 3, LOCKS = 2, ROUNDS = 3, SCRIPT_MAX = 2 };
/* Instead of a lock's number: any permit. */
enum { ANY = LOCKS };
enum { TTL_MS = 5000, WAIT_MS = 400, HOLD_MS = 30, LOOKS_MAX = 120, STORM = 150 };

typedef enum action { NOTHING, WAIT, WAIT_OTHER, TRY } action;

static const action programs[][PROCESSES][SCRIPT_MAX] = {
	{{TRY}, {WAIT}, {WAIT}},
	{{TRY}, {WAIT}, {TRY, WAIT}},
	{{TRY, TRY}, {WAIT_OTHER}, {WAIT, WAIT_OTHER}},
	{{TRY}, {WAIT}, {WAIT}, {WAIT}},
};

typedef struct process {
	mcp_store *store;
	mcp_hold hold;
	char owner[2];
	uint32_t permit;
	int busy_with;      /* the lock of the current operation; ANY; -1: none */
	unsigned gave_back; /* number of the change that this release was */
	bool is_signalled, may_be_signalled;
	bool runs_a_handler; /* during its wait: it does not check the lock meanwhile */
} process;

static struct {
	mcp_key_buffer buffer, buffers[LOCKS];
	bool is_semaphore; /* the locks are its permits */
	mcp_key semaphore, keys[LOCKS];
	unsigned changes[LOCKS];
	bool was_given_back
		[LOCKS]; /* by a process of the first host whose call has returned, and unchanged since */
	bool was_killed; /* a process that can have been the woken one */
	process processes[PROCESSES];
} state;

/* Signals occasionally, when polled. */
static bool is_interrupted(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	process *self = &state.processes[client->index];
	if (self->may_be_signalled && !client->world->is_quiet &&
		sim_chance(client->world->choices, 4)) {
		self->is_signalled = true;
	}
	return self->is_signalled;
}

static mcp_lock lock_of(plain_client *client, unsigned number) {
	process *self = &state.processes[client->index];
	self->owner[0] = (char)('a' + client->index);
	return (mcp_lock){
		.store = self->store,
		.environment = &client->environment,
		.key = number == ANY ? &state.semaphore : &state.keys[number],
		.owner = mcp_bytes_of(self->owner, 1),
		.ttl_ms = TTL_MS,
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
}

static mcp_status acquire_permit(process *self, const mcp_lock *lock, uint64_t wait_ms) {
	mcp_semaphore semaphore = {*lock, LOCKS};
	mcp_key keys[LOCKS];
	mcp_key_buffer buffers[LOCKS];
	mcp_op replies[LOCKS];
	uint32_t free_ones[LOCKS];
	mcp_semaphore_scratch scratch = {keys, buffers, replies, free_ones};
	return mcp_semaphore_acquire(&semaphore, &scratch, &self->hold, &self->permit, wait_ms);
}

static mcp_status acquire_once(process *self, const mcp_lock *lock, uint64_t wait_ms) {
	return state.is_semaphore ? acquire_permit(self, lock, wait_ms)
							  : mcp_lock_acquire(lock, &self->hold, wait_ms);
}

/* Runs a signal handler. Returns true if its process continues to wait. */
static bool handle(plain_client *client, process *self) {
	sim_choices *choices = client->world->choices;
	self->is_signalled = false;
	self->runs_a_handler = true;
	if (sim_chance(choices, 30)) {
		plain_sleep(client, HOLD_MS);
	} else {
		plain_give_way(client);
	}
	self->runs_a_handler = false;
	return !sim_chance(choices, 40);
}

static mcp_status acquire(plain_client *client, unsigned number, uint64_t wait_ms) {
	process *self = &state.processes[client->index];
	mcp_lock lock = lock_of(client, number);
	mcp_pauses pauses = {.has_begun = false};
	mcp_status status;
	unsigned reads = client->reads;
	lock.pauses = &pauses;
	self->busy_with = (int)number;
	plain_bells_wait(client, wait_ms > 0);
	do {
		status = acquire_once(self, &lock, wait_ms);
	} while (status == MCP_INTERRUPTED && handle(client, self));
	plain_bells_wait(client, false);
	self->busy_with = -1;
	plain_trace(client->world, "client %u: acquire -> %d, %u rings", client->index, (int)status,
		pauses.rings);
	if (client->reads - reads > LOOKS_MAX) {
		plain_fail(client->world, "W5", "client %u has looked %u times", client->index,
			client->reads - reads);
	}
	return status;
}

static void release(plain_client *client, unsigned number) {
	process *self = &state.processes[client->index];
	mcp_lock lock = lock_of(client, number);
	self->busy_with = (int)number;
	self->gave_back = 0;
	mcp_lock_release(&lock, &self->hold);
	self->busy_with = -1;
	bool is_last = self->gave_back != 0 && self->gave_back == state.changes[number];
	if (is_last && plain_host_of(client) == 0) {
		state.was_given_back[number] = true;
	}
}

/* Holds the lock for a while if it is acquired. */
static void work(plain_client *client, unsigned number, uint64_t wait_ms, uint32_t hold_ms) {
	const process *self = &state.processes[client->index];
	number = state.is_semaphore ? ANY : number;
	if (acquire(client, number, wait_ms) == MCP_OK) {
		plain_sleep(client, hold_ms);
	}
	release(client, number == ANY ? self->permit : number);
}

static void act_at_random(plain_client *client) {
	static const uint32_t oldest_claim_ms[] = {0, 1, HOLD_MS, 3 * HOLD_MS};
	sim_choices *choices = client->world->choices;
	if (client->index == 0 && sim_chance(choices, 4) && !plain_bells_are_spoilt()) {
		plain_bells_storm(client, STORM);
		return;
	}
	unsigned number = sim_chance(choices, 30) ? 1 : 0;
	uint64_t wait_ms = sim_chance(choices, 25) ? 0 : WAIT_MS;
	work(client, number, wait_ms, oldest_claim_ms[sim_choose(choices, 4)]);
	if (sim_chance(choices, 20)) {
		plain_sleep(client, sim_chance(choices, 20) ? 2000 : 1);
	}
}

static void run(plain_client *client) {
	for (unsigned i = 0; i < SCRIPT_MAX; i++) {
		switch (programs[client->world->variant - 1][client->index][i]) {
			case WAIT:
				work(client, 0, WAIT_MS, 1);
				break;
			case WAIT_OTHER:
				work(client, 1, WAIT_MS, 1);
				break;
			case TRY:
				work(client, 0, 0, HOLD_MS);
				break;
			default:
				break;
		}
	}
}

static void prepare(plain_world *world) {
	static const char *const names[LOCKS] = {"job", "other"};
	for (unsigned i = 0; i < PROCESSES; i++) {
		free(state.processes[i].store);
	}
	memset(&state, 0, sizeof(state));
	plain_hosts_prepare();
	bool are_signalled = world->variant == 0 && sim_chance(world->choices, 40);
	state.is_semaphore = world->variant == 0 && sim_chance(world->choices, 30);
	state.semaphore = plain_key(&state.buffer, MCP_SPACE_SEMAPHORE, "job");
	for (unsigned i = 0; i < LOCKS; i++) {
		state.keys[i] = state.is_semaphore
			? mcp_semaphore_permit_key(&state.buffers[i], &state.semaphore, i)
			: plain_key(&state.buffers[i], MCP_SPACE_LOCK, names[i]);
	}
	for (unsigned i = 0; i < PROCESSES; i++) {
		plain_client *client = &world->clients[i];
		state.processes[i].store = plain_host_ringing_store(client, &client->door.store);
		state.processes[i].may_be_signalled = are_signalled;
		state.processes[i].busy_with = -1;
		client->environment.is_interrupted = is_interrupted;
	}
	mcp_wakeup_slot one = mcp_store_bell(state.processes[0].store, &state.keys[0]);
	mcp_wakeup_slot other = mcp_store_bell(state.processes[0].store, &state.keys[1]);
	if (one.bell != other.bell || (world->family->neighbours > 0 && one.bell == NULL)) {
		abort();
	}
}

/* Records that a lock was acquired or changed after a release. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	for (unsigned i = 0; i < LOCKS && status == MCP_OK; i++) {
		if (sim_request_is_for(request, &state.keys[i])) {
			state.was_given_back[i] = false;
			state.changes[i]++;
			bool is_release = request->verb == MCP_OP_DELETE_IF && !request->is_late;
			state.processes[request->client].gave_back = is_release ? state.changes[i] : 0;
		}
	}
}

static void lost(plain_world *world) {
	memset(state.was_given_back, 0, sizeof(state.was_given_back));
}

static bool is_busy_with(const process *self, int number) {
	return self->busy_with == number || self->busy_with == ANY;
}

/* True if a process of the host is about to check the lock or to wake another process, or sleeps for a short time
 * without a wake-up. */
static bool is_looked_after(const plain_world *world, int number) {
	for (unsigned i = 0; i < NEIGHBOURS; i++) {
		const plain_client *client = &world->clients[i];
		const process *self = &state.processes[i];
		bool is_awake = !self->runs_a_handler && !plain_bells_sleeps(client);
		if (is_busy_with(self, number) && is_awake) {
			return true;
		}
	}
	return false;
}

/* A released lock does not stay unnoticed while a process sleeps for it (W1). */
static void check(plain_world *world) {
	for (unsigned i = 0; i < PROCESSES; i++) {
		state.was_killed = state.was_killed || world->clients[i].is_dead;
	}
	for (int number = 0; number < LOCKS; number++) {
		if (!state.was_given_back[number] || state.was_killed || plain_bells_are_spoilt() ||
			is_looked_after(world, number)) {
			continue;
		}
		for (unsigned i = 0; i < NEIGHBOURS; i++) {
			if (is_busy_with(&state.processes[i], number) &&
				plain_bells_sleeps(&world->clients[i])) {
				plain_fail(world, "W1", "client %u sleeps on, and the lock is free", i);
			}
		}
	}
}

static void finish(plain_world *world) {
	plain_client *client = &world->clients[0];
	plain_pass(world, TTL_MS + 2 * MCP_LOCK_SKEW_MS);
	state.processes[0].hold = (mcp_hold){0};
	state.processes[0].is_signalled = state.processes[0].may_be_signalled = false;
	mcp_lock lock = lock_of(client, state.is_semaphore ? ANY : 0);
	if (acquire_once(&state.processes[0], &lock, WAIT_MS) != MCP_OK) {
		plain_fail(world, "liveness", "it cannot be had at the last holder's TTL and skew");
	}
}

const plain_family plain_handover = {
	.client_count = PROCESSES,
	.neighbours = NEIGHBOURS,
	PLAIN_ITEMS("lock:job", "lock:other", "semaphore:job:0", "semaphore:job:1"),
	PLAIN_JUMPS(20, 1100, 2000),
	.asks_for_proofs = true,
	.prepare = prepare,
	.act = act_at_random,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.lost = lost,
	.check = check,
	.finish = finish,
};
