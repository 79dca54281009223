/* Near caches: 2 processes of one host and 1 of another read, rebuild and change a key. Each host has a near cache,
 * each process an object cache. P1 to P3. */
/* SPDX-License-Identifier: MIT */
#include "plain/asking.h"
#include "plain/wakeups.h"
#include "plain/families/families.h"
#include "plain/near_host.h"
#include "plain/versions.h"

#include "../../../../src/core/bytes.h"

#include <stdlib.h>

enum { PROCESSES = 3, ROUNDS = 5, SCRIPT_MAX = 4 };
enum {
	TTL_MS = 400,
	LEASE_MS = 100,
	WAIT_MS = 100,
	COMPUTE_MS = 20,
	NEAR_MS = 100,
	OTHERS_MS = 30
};

typedef enum action {
	NOTHING,
	READ,
	TAKE,
	TAKE_MANY,
	RECALL,
	GET,
	REMEMBER,
	EARLY,
	SET,
	DELETE,
	EXPIRE,
	TOUCH
} action;

typedef struct program {
	bool has_prior;
	action steps[PROCESSES][SCRIPT_MAX];
} program;

/* The first 2 clients are of one host. */
static const program programs[] = {
	{true, {{READ, READ}, {SET, TAKE}}},
	{true, {{READ, RECALL, RECALL}, {DELETE, READ}}},
	{true, {{TAKE, TAKE}, {SET, READ}}},
	{true, {{READ, READ}, {NOTHING}, {SET, READ}}},
	{true, {{GET, READ}, {EXPIRE, READ}}},
	{true, {{REMEMBER, RECALL}, {EARLY, READ}}},
	{false, {{REMEMBER, READ}, {SET, RECALL}, {REMEMBER}}},
};

typedef struct process {
	mcp_store *store;
	mcp_cache_statistics statistics;
	mcp_near_host host;
	mcp_near near;
	bool has_memo;
	mcp_near_read memo;
	uint64_t memo_hash, memo_soft_ms;
	unsigned changed; /* newest version made by the current operation; 0: none */
} process;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	unsigned value_count;
	plain_versions versions;
	unsigned floors[PLAIN_HOSTS]; /* older versions: replaced by returned calls of this host */
	process processes[PROCESSES];
} state;

/* --- checks --- */

/* Checks the shown value, which was judged `since_ms` ago. */
static void check_shown(plain_client *client, uint64_t hash, uint64_t since_ms, unsigned floor) {
	plain_versions_check(&state.versions, client, hash, NEAR_MS + since_ms, floor);
}

/* Checks the envelope of a value from the near cache (P3). */
static void check_near(plain_client *client, const mcp_cache_entry *entry, uint64_t since_ms,
	unsigned floor) {
	const mcp_envelope *envelope = &entry->envelope;
	if (entry->verdict != MCP_VERDICT_FRESH ||
		envelope->soft_ms + since_ms <= mcp_wall_ms(&client->environment) || envelope->has_claim ||
		envelope->has_failure) {
		plain_fail(client->world, "P3", "client %u is shown near what is not fresh and free",
			client->index);
		return;
	}
	check_shown(client, plain_versions_hash(entry), since_ms, floor);
}

/* --- actions of clients --- */

static mcp_cache cache_of(plain_client *client) {
	process *self = &state.processes[client->index];
	self->changed = 0; /* left by an operation that was killed and never returned */
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
	unsigned *floor = &state.floors[plain_host_of(client)];
	process *self = &state.processes[client->index];
	*floor = self->changed > *floor ? self->changed : *floor;
	self->changed = 0;
}

static void note(plain_client *client, const mcp_cache_entry *entry, uint64_t near_hits,
	unsigned floor) {
	process *self = &state.processes[client->index];
	plain_trace(client->world, "client %u: verdict %d%s", client->index, (int)entry->verdict,
		self->statistics.counts[MCP_COUNT_NEAR_HITS] > near_hits ? ", near" : "");
	if (self->statistics.counts[MCP_COUNT_NEAR_HITS] > near_hits) {
		check_near(client, entry, 0, floor);
	}
	self->has_memo = self->near.near_read.may_be_kept;
	if (self->has_memo) {
		self->memo = self->near.near_read;
		self->memo_hash = plain_versions_hash(entry);
		self->memo_soft_ms = entry->envelope.soft_ms;
	}
}

static void look_by(plain_client *client, const mcp_cache *cache, bool elects) {
	mcp_cache_entry entry;
	uint64_t near_hits = cache->statistics->counts[MCP_COUNT_NEAR_HITS];
	unsigned floor = state.floors[plain_host_of(client)];
	(elects ? mcp_cache_get : mcp_cache_peek)(cache, &state.key, &entry);
	note(client, &entry, near_hits, floor);
	end_operation(client);
}

static void near_read(plain_client *client, bool elects) {
	mcp_cache cache = cache_of(client);
	look_by(client, &cache, elects);
}

/* The opened value matches its envelope, and counts like a judged reply. */
static void check_opened(plain_client *client, const mcp_near_found *found, uint64_t since_ms) {
	process *self = &state.processes[client->index];
	char *copy = self->host.copy;
	mcp_cache_entry entry = {.verdict = MCP_VERDICT_FRESH};
	mcp_bytes item = mcp_bytes_of(copy, found->item.value.length);
	bool is_whole = mcp_near_place_copy(&found->place, 0, item.length, copy) &&
		mcp_envelope_decode(item, found->item.flags, state.key.fingerprint, &entry.envelope,
			&entry.stored);
	mcp_near_facts facts = mcp_near_facts_of(&entry.envelope);
	if (!is_whole || memcmp(&facts, &found->item.facts, sizeof(facts)) != 0 ||
		entry.stored.data != copy + found->item.payload_at) {
		plain_fail(client->world, "P3", "client %u takes what its envelope does not say",
			client->index);
		return;
	}
	check_near(client, &entry, since_ms, state.floors[plain_host_of(client)]);
	self->has_memo = true;
	self->memo = found->near_read;
	self->memo_hash = plain_versions_hash(&entry);
	self->memo_soft_ms = entry.envelope.soft_ms;
}

/* Takes a string from the near cache like a Cache, or reads. Among many keys, it uses clocks that were read at the
 * beginning of the call, before the other keys: the shown value is not older than that. */
static void take(plain_client *client, bool is_among_many) {
	mcp_cache cache = cache_of(client);
	mcp_near_found found;
	const mcp_near_moment began = mcp_near_moment_now(&client->environment);
	if (is_among_many) {
		plain_sleep(client, OTHERS_MS);
	}
	const mcp_near_moment *now = is_among_many ? &began : NULL;
	if (mcp_cache_near_open(cache.near->host, &state.key, now, &cache.near->near_read, &found)) {
		plain_trace(client->world, "client %u takes", client->index);
		uint64_t since_ms = mcp_monotonic_ms(&client->environment) - began.monotonic_ms;
		check_opened(client, &found, is_among_many ? since_ms : 0);
		return;
	}
	cache.near->has_looked = true;
	look_by(client, &cache, false);
}

/* Serves from the object cache if it is valid, otherwise reads. */
static void recall(plain_client *client) {
	process *self = &state.processes[client->index];
	uint64_t now_ms = mcp_monotonic_ms(&client->environment);
	bool counts = self->has_memo && mcp_wall_ms(&client->environment) < self->memo_soft_ms &&
		mcp_near_read_is_valid(self->host.changes, NEAR_MS, &self->memo, now_ms);
	if (counts) {
		check_shown(client, self->memo_hash, 0, state.floors[plain_host_of(client)]);
	} else {
		near_read(client, false);
	}
}

static mcp_cache_value new_value(char *digits) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(state.value_count++, digits)),
		.compute_ms = COMPUTE_MS,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
}

static void remember(plain_client *client, double early) {
	mcp_cache cache = cache_of(client);
	mcp_remember wishes = plain_asking(TTL_MS, WAIT_MS);
	wishes.early = early;
	mcp_cache_entry entry;
	uint64_t near_hits = cache.statistics->counts[MCP_COUNT_NEAR_HITS];
	unsigned floor = state.floors[plain_host_of(client)];
	plain_bells_wait(client, true);
	mcp_cache_remember(&cache, &state.key, &wishes, &entry);
	plain_bells_wait(client, false);
	note(client, &entry, near_hits, floor);
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		mcp_claim claim = entry.claim;
		plain_sleep(client, COMPUTE_MS);
		char digits[MCP_DECIMAL_MAX_LENGTH];
		mcp_cache_value value = new_value(digits);
		mcp_cache_publish(&cache, &state.key, &claim, &value);
	}
	end_operation(client);
}

static void change(plain_client *client, action wanted) {
	mcp_cache cache = cache_of(client);
	cache.near = NULL;
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = new_value(digits);
	mcp_status status;
	if (wanted == SET) {
		status = mcp_cache_set(&cache, &state.key, &value);
	} else if (wanted == DELETE) {
		status = mcp_cache_delete(&cache, &state.key);
	} else if (wanted == EXPIRE) {
		status = mcp_cache_expire(&cache, &state.key);
	} else {
		status = mcp_cache_touch(&cache, &state.key, value.lifetime);
	}
	plain_trace(client->world, "client %u changes: %d", client->index, (int)status);
	end_operation(client);
}

static void act(plain_client *client, action wanted) {
	if (!plain_versions_have_room(&state.versions)) {
		return;
	}
	switch (wanted) {
		case NOTHING:
			break;
		case READ:
		case GET:
			near_read(client, wanted == GET);
			break;
		case TAKE:
		case TAKE_MANY:
			take(client, wanted == TAKE_MANY);
			break;
		case RECALL:
			recall(client);
			break;
		case REMEMBER:
		case EARLY:
			remember(client, wanted == EARLY ? 10 : 0);
			break;
		default:
			change(client, wanted);
			break;
	}
}

/* --- the family --- */

static void prepare(plain_world *world) {
	for (unsigned i = 0; i < PROCESSES; i++) {
		free(state.processes[i].store);
	}
	memset(&state, 0, sizeof(state));
	plain_hosts_prepare();
	state.key = plain_key(&state.buffer, MCP_SPACE_CACHE, "k");
	for (unsigned i = 0; i < PROCESSES; i++) {
		plain_client *client = &world->clients[i];
		client->is_slow = true;
		state.processes[i].store = plain_host_ringing_store(client, &client->door.store);
	}
	plain_versions_note(&state.versions, world, &state.key);
	bool has_prior = world->variant == 0 ? sim_chance(world->choices, 70)
										 : programs[world->variant - 1].has_prior;
	if (has_prior) {
		world->is_quiet = true;
		change(&world->clients[0], SET);
		plain_versions_note(&state.versions, world, &state.key);
		world->is_quiet = false;
	}
}

static void act_at_random(plain_client *client) {
	static const action often[] = {READ, READ, TAKE, TAKE_MANY, RECALL, RECALL, RECALL, GET, GET,
		REMEMBER, REMEMBER, EARLY, SET, DELETE, EXPIRE, TOUCH};
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

/* Records the current item as a new version after a write. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (request->verb == MCP_OP_GET || request->verb == MCP_OP_PING || status != MCP_OK) {
		return;
	}
	unsigned version = plain_versions_note(&state.versions, world, &state.key);
	if (!request->is_late) {
		state.processes[request->client].changed = version;
	}
}

static void check(plain_world *world) {
	plain_versions_note_loss(&state.versions, world, &state.key);
}

/* A process of each host that has seen nothing yet reads at the end. */
static void finish(plain_world *world) {
	for (unsigned i = 0; i < PROCESSES && world->log.violated == NULL; i++) {
		near_read(&world->clients[i], false);
		recall(&world->clients[i]);
	}
}

const plain_family plain_near = {
	.client_count = PROCESSES,
	PLAIN_ITEMS("k"),
	PLAIN_JUMPS(NEAR_MS / 2, NEAR_MS, TTL_MS),
	.prepare = prepare,
	.act = act_at_random,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.check = check,
	.finish = finish,
};
