/* Wake-ups: 3 processes of one host and 1 of another wait for 1 or 2 values, compute them, change them, crash, and
 * are interrupted, with wake-up words that can be corrupted. W1, W2, W3 and W5 for events that wake all waiting
 * processes. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/waking.h"

#include "plain/asking.h"
#include "plain/wakeups.h"
#include "plain/families/families.h"
#include "plain/near_host.h"

#include <stdlib.h>

enum { STORM = 150 };

typedef struct program {
	waking_action steps[PROCESSES][SCRIPT_MAX];
} program;

/* The last client is of another host. */
static const program programs[] = {
	{{{REMEMBER}, {REMEMBER}}},
	{{{REMEMBER}, {REMEMBER}, {REMEMBER}}},
	{{{REMEMBER}, {SET}, {REMEMBER}}},
	{{{SLOWLY}, {REMEMBER, DELETE}}},
	{{{STRICTLY, STRICTLY}, {EXPIRE, STRICTLY}}},
	{{{REMEMBER}, {REMEMBER}, {NOTHING}, {REMEMBER}}},
};

static waking_state *const state = &plain_waking_state;

static waking_process *process_of(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return &state->processes[client->index];
}

/* Signals occasionally, when polled. */
static bool is_interrupted(const mcp_environment *environment) {
	waking_process *self = process_of(environment);
	const plain_client *client = environment->context;
	if (self->may_be_signalled && !client->world->is_quiet &&
		sim_chance(client->world->choices, 3)) {
		self->is_signalled = true;
	}
	return self->is_signalled;
}

/* Corrupts the memory, or wakes continuously. */
static void be_hostile(plain_client *client) {
	sim_choices *choices = client->world->choices;
	if (sim_chance(choices, 50)) {
		uint64_t random = client->environment.random_u64(&client->environment);
		plain_bells_spoil(plain_host_of(client), random);
		return;
	}
	plain_bells_storm(client, STORM);
}

static void act_at_random(plain_client *client) {
	static const waking_action often[] = {REMEMBER, REMEMBER, REMEMBER, REMEMBER, SLOWLY, SLOWLY,
		STRICTLY, STRICTLY, BOTH, BOTH, SET, DELETE, EXPIRE};
	sim_choices *choices = client->world->choices;
	if (client->index == 0 && sim_chance(choices, 4)) {
		be_hostile(client);
		return;
	}
	unsigned key = sim_chance(choices, 25) ? 1 : 0;
	plain_waking_act(client, key, often[sim_choose(choices, sizeof(often) / sizeof(often[0]))]);
	if (sim_chance(choices, 30)) {
		static const uint32_t naps_ms[] = {1, COMPUTE_MS, TTL_MS};
		plain_sleep(client, naps_ms[sim_choose(choices, 3)]);
	}
}

static void run(plain_client *client) {
	for (unsigned i = 0; i < SCRIPT_MAX; i++) {
		plain_waking_act(client, 0, programs[client->world->variant - 1].steps[client->index][i]);
	}
}

static void prepare(plain_world *world) {
	for (unsigned i = 0; i < PROCESSES; i++) {
		free(state->processes[i].store);
	}
	memset(state, 0, sizeof(*state));
	plain_hosts_prepare();
	state->keys[0] = plain_key(&state->buffers[0], MCP_SPACE_CACHE, "k");
	state->keys[1] = plain_key(&state->buffers[1], MCP_SPACE_CACHE, "l");
	bool is_long = world->variant == 0 && sim_chance(world->choices, 30);
	state->wait_ms = is_long ? LONG_WAIT_MS : WAIT_MS;
	bool are_signalled = world->variant == 0 && sim_chance(world->choices, 30);
	for (unsigned i = 0; i < PROCESSES; i++) {
		plain_client *client = &world->clients[i];
		state->processes[i].store = plain_host_ringing_store(client, &client->door.store);
		state->processes[i].may_be_signalled = are_signalled;
		client->environment.is_interrupted = is_interrupted;
	}
	if (world->variant == 5) {
		world->is_quiet = true;
		plain_waking_act(&world->clients[0], 0, SET);
		world->is_quiet = false;
	}
}

/* Records each change that processes can wait for. A claim is not such a change. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (sim_verb_is_read(request->verb) || status != MCP_OK) {
		return;
	}
	for (unsigned key = 0; key < KEYS; key++) {
		if (!sim_request_is_for(request, &state->keys[key])) {
			continue;
		}
		state->versions[key]++;
		if (!request->is_late) {
			state->processes[request->client].wrote[key] = state->versions[key];
		}
	}
}

static void lost(plain_world *world) {
	for (unsigned key = 0; key < KEYS; key++) {
		state->versions[key]++;
	}
}

/* True if the stored value is fresh. */
static bool is_fresh(plain_world *world, unsigned key) {
	mcp_item item;
	mcp_envelope envelope;
	mcp_bytes payload;
	return plain_peek(world, &state->keys[key], &item) == MCP_OK &&
		mcp_envelope_decode(item.value, item.flags, state->keys[key].fingerprint, &envelope,
			&payload) &&
		envelope.has_value && envelope.soft_ms > mcp_wall_ms(&world->clients[0].environment);
}

/* No process of the host continues to sleep after the write of the current value has returned (W1). */
static void check(plain_world *world) {
	for (unsigned i = 0; i < NEIGHBOURS; i++) {
		unsigned key = state->processes[i].awaits;
		bool is_told = state->told[key] == state->versions[key] && state->told[key] > 0;
		if (is_told && !plain_bells_are_spoilt() && plain_bells_sleeps(&world->clients[i]) &&
			is_fresh(world, key)) {
			plain_fail(world, "W1", "client %u sleeps on, and its value is there", i);
		}
	}
}

/* A late process gets a value or computes it. */
static void finish(plain_world *world) {
	mcp_cache cache = plain_waking_cache(&world->clients[0]);
	mcp_remember wishes = plain_asking(TTL_MS, WAIT_MS);
	mcp_cache_entry entry;
	state->processes[0].is_signalled = state->processes[0].may_be_signalled = false;
	mcp_cache_remember(&cache, &state->keys[0], &wishes, &entry);
	if (entry.verdict == MCP_VERDICT_MISS && entry.trouble != MCP_PAUSED) {
		plain_fail(world, "liveness", "there is neither a value nor a turn");
	}
}

const plain_family plain_waking = {
	.client_count = PROCESSES,
	.neighbours = NEIGHBOURS,
	PLAIN_ITEMS("k", "l"),
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
