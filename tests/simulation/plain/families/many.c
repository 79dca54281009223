/* Batch writes and single writes over the built-in transport. 2 processes of one host and 1 of another set, delete
 * and rebuild keys in batches. Others write, rebuild and read them, also from near caches. Connections break at any
 * byte of a batch and while idle. C1, C3, C13, P1 and P2. */
/* SPDX-License-Identifier: MIT */
#include "plain/asking.h"
#include "plain/families/families.h"
#include "plain/families/many_batches.h"
#include "plain/near_host.h"
#include "plain/stream.h"
#include "plain/versions.h"

#include "../../../../src/core/bytes.h"
#include "store/server/connection.h"
#include "store/wire/direct/wire_direct.h"

#include <stdlib.h>

enum { PROCESSES = 3, KEYS = MANY_KEYS, ROUNDS = 4, SCRIPT_MAX = 3 };
enum { TTL_MS = 400, LEASE_MS = 100, WAIT_MS = 100, COMPUTE_MS = 20, NEAR_MS = 100 };
enum { TIMEOUT_MS = 60, RETRY_AFTER_MS = 30 };

typedef enum action { NOTHING, SET_MANY, DELETE_MANY, READ, REMEMBER, REMEMBER_MANY } action;

typedef struct program {
	bool has_prior;
	action steps[PROCESSES][SCRIPT_MAX];
} program;

/* The first 2 clients are of one host. Batches have 2 keys here. Single operations use the second key. */
static const program programs[] = {
	{true, {{SET_MANY}, {READ, READ}}},
	{true, {{DELETE_MANY, READ}, {NOTHING}, {READ}}},
	{false, {{SET_MANY}, {REMEMBER}}},
	{true, {{DELETE_MANY}, {NOTHING}, {SET_MANY}}},
	{false, {{REMEMBER_MANY}, {REMEMBER_MANY}}},
	{false, {{REMEMBER_MANY}, {NOTHING}, {SET_MANY}}},
	{false, {{REMEMBER_MANY}}},
};
/* In this program, the process sets the keys that it has claimed before it stores its results. */
enum { SETS_WHAT_IT_CLAIMED = 7 };

typedef struct process {
	mcp_store *store;
	mcp_cache_statistics statistics;
	mcp_near_host host;
	mcp_near near;
	unsigned changed[KEYS]; /* newest version made by the current operation; 0: none */
	/* For each key, in the current operation: */
	bool has_claimed[KEYS];    /* by its own write */
	unsigned replaced[KEYS];   /* number of replacements of the key when that write took effect */
	unsigned base[KEYS];       /* the same for the item that its computation is based on */
	uint64_t publishing[KEYS]; /* the number that it computes; 0: none */
	bool has_stored[KEYS];     /* that number */
} process;

static struct {
	mcp_key_buffer buffers[KEYS];
	mcp_key keys[KEYS];
	plain_versions versions[KEYS];
	unsigned replaced[KEYS];            /* by batches */
	unsigned floors[PLAIN_HOSTS][KEYS]; /* older ones: replaced by its returned calls */
	process processes[PROCESSES];
} state;

static const char *const items[KEYS] = {"k0", "k1", "k2"};

/* --- actions of clients --- */

static mcp_cache cache_of(plain_client *client) {
	process *self = &state.processes[client->index];
	self->host = plain_near_host(client, NEAR_MS);
	self->near = (mcp_near){.host = &self->host};
	return (mcp_cache){
		.store = self->store,
		.environment = &client->environment,
		.statistics = &self->statistics,
		.lease_ms = LEASE_MS,
		.near = &self->near,
	};
}

/* Ends the operation when its changes have returned, with or without a reply. A later change belongs to no
 * operation. */
static void end_operation(plain_client *client) {
	unsigned *floors = state.floors[plain_host_of(client)];
	process *self = &state.processes[client->index];
	for (unsigned key = 0; key < KEYS; key++) {
		floors[key] = self->changed[key] > floors[key] ? self->changed[key] : floors[key];
		self->changed[key] = 0;
	}
	memset(self->has_claimed, 0, sizeof(self->has_claimed));
	memset(self->publishing, 0, sizeof(self->publishing));
	memset(self->has_stored, 0, sizeof(self->has_stored));
}

static void note(plain_client *client, unsigned key, const mcp_cache_entry *entry, unsigned floor,
	uint64_t near_hits) {
	bool is_near =
		state.processes[client->index].statistics.counts[MCP_COUNT_NEAR_HITS] > near_hits;
	plain_trace(client->world, "client %u: %s: verdict %d%s", client->index, items[key],
		(int)entry->verdict, is_near ? ", near" : "");
	if (is_near) {
		plain_versions_check(&state.versions[key], client, plain_versions_hash(entry), NEAR_MS,
			floor);
	}
}

static void look(plain_client *client, unsigned key) {
	mcp_cache cache = cache_of(client);
	mcp_cache_entry entry;
	uint64_t near_hits = cache.statistics->counts[MCP_COUNT_NEAR_HITS];
	unsigned floor = state.floors[plain_host_of(client)][key];
	mcp_cache_peek(&cache, &state.keys[key], &entry);
	note(client, key, &entry, floor, near_hits);
	end_operation(client);
}

/* Begins to compute under its claim or, after a timeout (C4), under another caller's claim that it has read. In the
 * latter case its own late and replaced claim is not the basis. */
static void begin_computing(const plain_client *client, unsigned key, const mcp_claim *claim) {
	process *self = &state.processes[client->index];
	bool is_own = self->has_claimed[key] && !claim->is_overdue;
	self->base[key] = is_own ? self->replaced[key] : state.replaced[key];
}

static mcp_cache_value compute(const plain_client *client, unsigned key, char *digits) {
	mcp_cache_value value = many_new_value(digits);
	state.processes[client->index].publishing[key] = many_last_number();
	return value;
}

static void publish(plain_client *client, const mcp_cache *cache, unsigned key,
	const mcp_cache_entry *entry) {
	mcp_claim claim = entry->claim;
	begin_computing(client, key, &claim);
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = compute(client, key, digits);
	mcp_cache_publish(cache, &state.keys[key], &claim, &value);
}

static void remember(plain_client *client, unsigned key) {
	mcp_cache cache = cache_of(client);
	mcp_remember wishes = plain_asking(TTL_MS, WAIT_MS);
	mcp_cache_entry entry;
	uint64_t near_hits = cache.statistics->counts[MCP_COUNT_NEAR_HITS];
	unsigned floor = state.floors[plain_host_of(client)][key];
	mcp_cache_remember(&cache, &state.keys[key], &wishes, &entry);
	note(client, key, &entry, floor, near_hits);
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		publish(client, &cache, key, &entry);
	}
	end_operation(client);
}

/* A client uses a claim only if its own write made it, unless the claim is overdue (C1). */
static void check_claim(plain_client *client, unsigned key, const mcp_claim *claim) {
	if (!claim->is_overdue && !state.processes[client->index].has_claimed[key]) {
		plain_fail(client->world, "C1", "client %u believes in a claim on %s that it has not made",
			client->index, items[key]);
	}
}

/* A result is reported as stored only if it was, and as rejected only if it was not (C13). */
static void check_result(plain_client *client, unsigned key, mcp_status told) {
	bool has_stored = state.processes[client->index].has_stored[key];
	plain_trace(client->world, "client %u is told %d of its result of %s", client->index, (int)told,
		items[key]);
	if ((told == MCP_OK && !has_stored) || (told == MCP_NOT_STORED && has_stored)) {
		plain_fail(client->world, "C13", "client %u is told %d of its result of %s, and it was %s",
			client->index, (int)told, items[key], has_stored ? "stored" : "not stored");
	}
}

typedef struct remembering {
	unsigned count;
	unsigned which[KEYS];
	mcp_claim claims[KEYS];
} remembering;

/* Computes for all claims, and publishes the results together. */
static void publish_many(plain_client *client, const mcp_cache *cache, const remembering *elected) {
	mcp_cache_result results[KEYS];
	char digits[KEYS][MCP_DECIMAL_MAX_LENGTH];
	for (unsigned i = 0; i < elected->count; i++) {
		begin_computing(client, elected->which[i], &elected->claims[i]);
	}
	plain_sleep(client, COMPUTE_MS);
	if (client->world->variant == SETS_WHAT_IT_CLAIMED) {
		many_batches_send(client, cache, &(many_batch){false, 0, 2});
	}
	for (unsigned i = 0; i < elected->count; i++) {
		unsigned key = elected->which[i];
		results[i].key = state.keys[key];
		results[i].claim = &elected->claims[i];
		results[i].value = compute(client, key, digits[i]);
	}
	mcp_cache_publish_many(cache, results, elected->count);
	for (unsigned i = 0; i < elected->count; i++) {
		check_result(client, elected->which[i], results[i].status);
	}
}

/* Reads all keys of the batch once, without waiting. */
static void remember_many(plain_client *client, many_batch batch) {
	mcp_cache cache = cache_of(client);
	cache.near = NULL;
	mcp_key keys[KEYS], scratch[2 * KEYS];
	mcp_cache_entry entries[KEYS];
	mcp_op replies[2 * KEYS];
	mcp_key_buffer buffers[KEYS];
	mcp_next_action steps[KEYS];
	mcp_remember wishes = plain_asking(TTL_MS, 0);
	remembering elected = {.count = 0};
	for (unsigned i = 0; i < batch.count; i++) {
		keys[i] = state.keys[(batch.first + i) % KEYS];
	}
	mcp_cache_batch looked = {keys, batch.count, entries, replies, scratch, buffers, NULL, NULL};
	mcp_cache_remember_many(&cache, &looked, &wishes, NULL, true, steps);
	for (unsigned i = 0; i < batch.count; i++) {
		unsigned key = (batch.first + i) % KEYS;
		if (steps[i] == MCP_REMEMBER_DONE && entries[i].verdict == MCP_VERDICT_ELECTED) {
			check_claim(client, key, &entries[i].claim);
			elected.which[elected.count] = key;
			elected.claims[elected.count++] = entries[i].claim;
		}
	}
	if (elected.count > 0) {
		publish_many(client, &cache, &elected);
	}
	end_operation(client);
}

static void write_many(plain_client *client, many_batch batch) {
	mcp_cache cache = cache_of(client);
	cache.near = NULL;
	many_batches_send(client, &cache, &batch);
	end_operation(client);
}

static many_batch batch_of(const plain_client *client, bool deletes) {
	sim_choices *choices = client->world->choices;
	if (client->world->variant != 0) {
		return (many_batch){deletes, 0, 2};
	}
	unsigned first = sim_choose(choices, KEYS);
	return (many_batch){deletes, first, 1 + sim_choose(choices, KEYS)};
}

static bool has_room(void) {
	bool has = many_batches_have_room();
	for (unsigned key = 0; key < KEYS; key++) {
		has = has && plain_versions_have_room(&state.versions[key]);
	}
	return has;
}

static void act(plain_client *client, action wanted) {
	sim_choices *choices = client->world->choices;
	unsigned key = client->world->variant != 0 ? 1 : sim_choose(choices, KEYS);
	if (!has_room()) {
		return;
	}
	switch (wanted) {
		case SET_MANY:
		case DELETE_MANY:
			write_many(client, batch_of(client, wanted == DELETE_MANY));
			break;
		case READ:
			look(client, key);
			break;
		case REMEMBER:
			remember(client, key);
			break;
		case REMEMBER_MANY:
			remember_many(client, batch_of(client, false));
			break;
		default:
			break;
	}
}

/* --- the family --- */

static void check(plain_world *world) {
	for (unsigned key = 0; key < KEYS; key++) {
		plain_versions_note_loss(&state.versions[key], world, &state.keys[key]);
	}
}

static void connect(plain_world *world, unsigned index) {
	plain_client *client = &world->clients[index];
	char host[] = {(char)('0' + index), 0};
	mcp_wire_settings settings = {
		.host = host,
		.port = 1,
		.connect_timeout_ms = TIMEOUT_MS,
		.timeout_ms = TIMEOUT_MS,
	};
	mcp_wire *wire = mcp_wire_direct_create(&settings, &client->environment);
	mcp_store *store = mcp_connection_create(wire, &settings, RETRY_AFTER_MS, &client->environment);
	state.processes[index].store = plain_host_store(client, store);
}

static void prepare(plain_world *world) {
	plain_stream_prepare(world);
	for (unsigned i = 0; i < PROCESSES; i++) {
		if (state.processes[i].store != NULL) {
			mcp_store_free(state.processes[i].store);
		}
	}
	memset(&state, 0, sizeof(state));
	plain_hosts_prepare();
	for (unsigned i = 0; i < PROCESSES; i++) {
		connect(world, i);
	}
	for (unsigned key = 0; key < KEYS; key++) {
		state.keys[key] = plain_key(&state.buffers[key], MCP_SPACE_CACHE, items[key]);
		plain_versions_note(&state.versions[key], world, &state.keys[key]);
	}
	many_batches_prepare(state.keys, items);
	bool has_prior = world->variant == 0 ? sim_chance(world->choices, 70)
										 : programs[world->variant - 1].has_prior;
	if (has_prior) {
		world->is_quiet = true;
		write_many(&world->clients[0], (many_batch){false, 0, KEYS});
		check(world);
		world->is_quiet = false;
	}
}

static void act_at_random(plain_client *client) {
	static const action often[] = {SET_MANY, SET_MANY, SET_MANY, DELETE_MANY, READ, READ, READ,
		READ, REMEMBER, REMEMBER, REMEMBER_MANY, REMEMBER_MANY, REMEMBER_MANY};
	sim_choices *choices = client->world->choices;
	act(client, often[sim_choose(choices, sizeof(often) / sizeof(often[0]))]);
	if (sim_chance(choices, 30)) {
		plain_sleep(client, 1 + sim_choose(choices, NEAR_MS));
	}
}

static void run(plain_client *client) {
	for (unsigned i = 0; i < SCRIPT_MAX; i++) {
		act(client, programs[client->world->variant - 1].steps[client->index][i]);
	}
}

/* A result descends from the item of its claim (C3). A batch write since then does not. */
static void check_descent(plain_world *world, process *self, unsigned client, unsigned key) {
	mcp_item item;
	mcp_envelope envelope;
	mcp_bytes payload;
	uint64_t number = 0;
	if (plain_peek(world, &state.keys[key], &item) != MCP_OK ||
		!mcp_envelope_decode(item.value, item.flags, state.keys[key].fingerprint, &envelope,
			&payload)) {
		plain_fail(world, "C9", "client %u leaves what is no envelope", client);
		return;
	}
	mcp_decimal_scan_u64(payload.data, payload.data + payload.length, &number);
	if (envelope.has_value && self->publishing[key] != 0 && number == self->publishing[key]) {
		self->has_stored[key] = true;
		if (state.replaced[key] != self->base[key]) {
			plain_fail(world, "C3", "client %u stores its result over a batch's write of %s",
				client, items[key]);
		}
	} else if (envelope.has_claim) {
		self->replaced[key] = state.replaced[key];
		self->has_claimed[key] = true;
	}
}

static unsigned key_of(const sim_request *request) {
	for (unsigned key = 0; key < KEYS; key++) {
		if (sim_request_is_for(request, &state.keys[key])) {
			return key;
		}
	}
	abort();
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	unsigned key = key_of(request);
	process *self = &state.processes[request->client];
	if (status == MCP_OK) {
		unsigned version = plain_versions_note(&state.versions[key], world, &state.keys[key]);
		self->changed[key] = request->is_late ? self->changed[key] : version;
	}
	if (request->operation >= 0) {
		state.replaced[key] += status == MCP_OK;
		many_batches_note(world, request->operation, key);
	} else if (status == MCP_OK && request->verb != MCP_OP_DELETE_IF) {
		check_descent(world, self, request->client, key);
	}
}

/* When no fault is left, each surviving client sees the others' values and stores a whole batch. */
static void finish(plain_world *world) {
	plain_pass(world, RETRY_AFTER_MS);
	for (unsigned i = 0; i < PROCESSES && world->log.violated == NULL; i++) {
		plain_client *client = &world->clients[i];
		for (unsigned key = 0; key < KEYS && !client->is_dead; key++) {
			look(client, key);
		}
		if (!client->is_dead && many_batches_have_room()) {
			write_many(client, (many_batch){false, 0, KEYS});
		}
	}
}

const plain_family plain_many = {
	.client_count = PROCESSES,
	.items = items,
	.item_count = KEYS,
	PLAIN_JUMPS(TIMEOUT_MS, NEAR_MS, TTL_MS),
	.asks_for_proofs = true,
	.prepare = prepare,
	.act = act_at_random,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.check = check,
	.finish = finish,
};
