/* Waking: three processes of one host and one of another wait for a value, make it, change it, die, and are interrupted, by
 * bells whose memory may be spoilt. W1, W2, W3 and W5 for what all who wait are woken for. */
/* SPDX-License-Identifier: MIT */
#include "plain/asking.h"
#include "plain/bells.h"
#include "plain/families/families.h"
#include "plain/near_host.h"

#include "core/decimal.h"

#include <stdlib.h>

enum { PROCESSES = 4, NEIGHBOURS = 3, ROUNDS = 3, SCRIPT_MAX = 2 };
enum {
	TTL_MS = 4000,
	LEASE_MS = 500,
	WAIT_MS = 300,
	LONG_WAIT_MS = 3000,
	COMPUTE_MS = 40,
	LONG_COMPUTE_MS = 250
};
/* Those of a wait by the clock, and those that an unlucky one makes of as many rings as may come. */
enum { LOOKS_MAX = 75, LONG_LOOKS_MAX = 150, STORM = 150 };

typedef enum action { NOTHING, REMEMBER, SLOWLY, STRICTLY, SET, DELETE, EXPIRE } action;

typedef struct program {
	action steps[PROCESSES][SCRIPT_MAX];
} program;

/* The last one is of another host. */
static const program programs[] = {
	{{{REMEMBER}, {REMEMBER}}},
	{{{REMEMBER}, {REMEMBER}, {REMEMBER}}},
	{{{REMEMBER}, {SET}, {REMEMBER}}},
	{{{SLOWLY}, {REMEMBER, DELETE}}},
	{{{STRICTLY, STRICTLY}, {EXPIRE, STRICTLY}}},
	{{{REMEMBER}, {REMEMBER}, {NOTHING}, {REMEMBER}}},
};

typedef struct process {
	mcp_store *store;
	mcp_cache_statistics statistics;
	unsigned wrote; /* the last version that the operation under way has made; 0: none */
	bool is_signalled, may_be_signalled;
} process;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	unsigned value_count;
	uint32_t wait_ms;
	unsigned version; /* of the item: raised by each write that takes effect, and by a loss */
	unsigned told;    /* the version whose write has returned to a process of the first host */
	process processes[PROCESSES];
} state;

static process *process_of(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return &state.processes[client->index];
}

/* Signals now and then, while it is looked for. */
static bool is_interrupted(const mcp_environment *environment) {
	process *self = process_of(environment);
	const plain_client *client = environment->context;
	if (self->may_be_signalled && !client->world->is_quiet &&
		sim_chance(client->world->choices, 3)) {
		self->is_signalled = true;
	}
	return self->is_signalled;
}

static mcp_cache cache_of(plain_client *client) {
	process *self = &state.processes[client->index];
	return (mcp_cache){
		.store = self->store,
		.environment = &client->environment,
		.statistics = &self->statistics,
		.lease_ms = LEASE_MS,
	};
}

static void begin_operation(plain_client *client) {
	state.processes[client->index].wrote = 0;
}

/* Ends it: whatever it wrote last was rung for. */
static void end_operation(plain_client *client) {
	unsigned wrote = state.processes[client->index].wrote;
	if (wrote != 0 && plain_host_of(client) == 0) {
		state.told = wrote;
	}
}

static mcp_cache_value new_value(char *digits) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(state.value_count++, digits)),
		.compute_ms = COMPUTE_MS,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
}

/* Stores what it was elected for, or gives up. */
static void compute(plain_client *client, const mcp_cache *cache, const mcp_claim *claim,
	uint32_t compute_ms) {
	sim_choices *choices = client->world->choices;
	plain_sleep(client, compute_ms);
	begin_operation(client);
	if (client->world->variant == 0 && sim_chance(choices, 15)) {
		mcp_cache_abandon(cache, &state.key, claim, sim_chance(choices, 50));
	} else {
		char digits[MCP_DECIMAL_MAX_LENGTH];
		mcp_cache_value value = new_value(digits);
		mcp_cache_publish(cache, &state.key, claim, &value);
	}
	end_operation(client);
}

/* Waits on after a signal, or leaves by its handler. */
static bool goes_on(plain_client *client, process *self) {
	self->is_signalled = false;
	plain_give_way(client);
	return !sim_chance(client->world->choices, 30);
}

static void remember(plain_client *client, bool serves_stale, uint32_t compute_ms) {
	mcp_cache cache = cache_of(client);
	process *self = &state.processes[client->index];
	mcp_remember wishes = plain_asking(TTL_MS, state.wait_ms);
	mcp_pauses pauses = {.has_begun = false};
	wishes.pauses = &pauses;
	wishes.serve_stale = serves_stale;
	mcp_cache_entry entry;
	begin_operation(client);
	plain_bells_wait(client, true);
	unsigned reads = client->reads;
	do {
		mcp_cache_remember(&cache, &state.key, &wishes, &entry);
	} while (entry.trouble == MCP_INTERRUPTED && goes_on(client, self));
	plain_bells_wait(client, false);
	end_operation(client);
	plain_trace(client->world, "client %u: verdict %d after %u looks, %u rings", client->index,
		(int)entry.verdict, client->reads - reads, pauses.rings);
	unsigned looks_max = state.wait_ms == WAIT_MS ? LOOKS_MAX : LONG_LOOKS_MAX;
	if (client->reads - reads > looks_max) {
		plain_fail(client->world, "W5", "client %u has looked %u times", client->index,
			client->reads - reads);
	}
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		compute(client, &cache, &entry.claim, compute_ms);
	}
}

static void change(plain_client *client, action wanted) {
	mcp_cache cache = cache_of(client);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = new_value(digits);
	begin_operation(client);
	if (wanted == SET) {
		mcp_cache_set(&cache, &state.key, &value);
	} else if (wanted == DELETE) {
		mcp_cache_delete(&cache, &state.key);
	} else {
		mcp_cache_expire(&cache, &state.key);
	}
	end_operation(client);
}

static void act(plain_client *client, action wanted) {
	switch (wanted) {
		case NOTHING:
			break;
		case REMEMBER:
			remember(client, true, COMPUTE_MS);
			break;
		case SLOWLY:
			remember(client, true, LONG_COMPUTE_MS);
			break;
		case STRICTLY:
			remember(client, false, COMPUTE_MS);
			break;
		default:
			change(client, wanted);
			break;
	}
}

/* Spoils the memory, or rings without end. */
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
	static const action often[] = {REMEMBER, REMEMBER, REMEMBER, REMEMBER, SLOWLY, SLOWLY, STRICTLY,
		STRICTLY, SET, DELETE, EXPIRE};
	sim_choices *choices = client->world->choices;
	if (client->index == 0 && sim_chance(choices, 4)) {
		be_hostile(client);
		return;
	}
	act(client, often[sim_choose(choices, sizeof(often) / sizeof(often[0]))]);
	if (sim_chance(choices, 30)) {
		static const uint32_t naps_ms[] = {1, COMPUTE_MS, TTL_MS};
		plain_sleep(client, naps_ms[sim_choose(choices, 3)]);
	}
}

static void run(plain_client *client) {
	for (unsigned i = 0; i < SCRIPT_MAX; i++) {
		act(client, programs[client->world->variant - 1].steps[client->index][i]);
	}
}

static void prepare(plain_world *world) {
	for (unsigned i = 0; i < PROCESSES; i++) {
		free(state.processes[i].store);
	}
	memset(&state, 0, sizeof(state));
	plain_hosts_prepare();
	state.key = plain_key(&state.buffer, MCP_SPACE_CACHE, "k");
	bool is_long = world->variant == 0 && sim_chance(world->choices, 30);
	state.wait_ms = is_long ? LONG_WAIT_MS : WAIT_MS;
	bool are_signalled = world->variant == 0 && sim_chance(world->choices, 30);
	for (unsigned i = 0; i < PROCESSES; i++) {
		plain_client *client = &world->clients[i];
		state.processes[i].store = plain_host_ringing_store(client, &client->door.store);
		state.processes[i].may_be_signalled = are_signalled;
		client->environment.is_interrupted = is_interrupted;
	}
	if (world->variant == 5) {
		world->is_quiet = true;
		change(&world->clients[0], SET);
		world->is_quiet = false;
	}
}

/* Notes each change that whoever waits may wait for: a claim is none. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_reply *before) {
	(void)before;
	(void)world;
	if (sim_verb_is_read(request->verb) || status != MCP_OK) {
		return;
	}
	state.version++;
	if (!request->is_late) {
		state.processes[request->client].wrote = state.version;
	}
}

static void lost(plain_world *world) {
	(void)world;
	state.version++;
}

/* Says whether a fresh value stands there. */
static bool is_fresh(plain_world *world) {
	mcp_item item;
	mcp_envelope envelope;
	mcp_bytes payload;
	return plain_peek(world, &state.key, &item) == MCP_OK &&
		mcp_envelope_decode(item.value, item.flags, state.key.fingerprint, &envelope, &payload) &&
		envelope.has_value && envelope.soft_ms > mcp_wall_ms(&world->clients[0].environment);
}

/* Checks by W1 that nobody of the host sleeps on, once the write of what is there has returned. */
static void check(plain_world *world) {
	if (state.told != state.version || state.told == 0 || plain_bells_are_spoilt() ||
		!is_fresh(world)) {
		return;
	}
	for (unsigned i = 0; i < NEIGHBOURS; i++) {
		if (plain_bells_sleeps(&world->clients[i])) {
			plain_fail(world, "W1", "client %u sleeps on, and its value is there", i);
		}
	}
}

/* Finishes: whoever comes last gets a value, or computes it. */
static void finish(plain_world *world) {
	mcp_cache cache = cache_of(&world->clients[0]);
	mcp_remember wishes = plain_asking(TTL_MS, WAIT_MS);
	mcp_cache_entry entry;
	state.processes[0].is_signalled = state.processes[0].may_be_signalled = false;
	mcp_cache_remember(&cache, &state.key, &wishes, &entry);
	if (entry.verdict == MCP_VERDICT_MISS && entry.trouble != MCP_PAUSED) {
		plain_fail(world, "liveness", "there is neither a value nor a turn");
	}
}

const plain_family plain_waking = {
	.name = "waking",
	.client_count = PROCESSES,
	.neighbours = NEIGHBOURS,
	PLAIN_ITEMS("k"),
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
