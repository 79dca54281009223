/* The writes of batches, as the server and as their callers know them. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/many_batches.h"

#include "../../../../src/core/bytes.h"
#include "plain/stream.h"

enum { BATCHES_MAX = 24, TTL_MS = 400, COMPUTE_MS = 20 };

typedef struct write {
	unsigned carried_out;
	bool has_returned;
	mcp_status told;
} write;

static struct {
	const mcp_key *keys;
	const char *const *names;
	uint64_t numbers; /* used so far */
	unsigned count;
	write of[BATCHES_MAX][MANY_KEYS];
} batches;

void many_batches_prepare(const mcp_key *keys, const char *const *names) {
	memset(&batches, 0, sizeof(batches));
	batches.keys = keys;
	batches.names = names;
}

bool many_batches_have_room(void) {
	return batches.count < BATCHES_MAX;
}

/* --- checks --- */

static bool may_have_happened(mcp_status told) {
	return told == MCP_OK || told == MCP_UNKNOWN;
}

/* A write is executed at most once, and never if its result says that it did not happen (C13). */
static void check_carried_out(plain_world *world, const write *one, unsigned key) {
	if (one->carried_out > 1) {
		plain_fail(world, "C13", "a write of %s is carried out twice", batches.names[key]);
	} else if (one->has_returned && !may_have_happened(one->told)) {
		plain_fail(world, "C13", "a write of %s is carried out, and its caller was told %d",
			batches.names[key], (int)one->told);
	}
}

/* Results are true (C13): done means executed, not done means not executed, and unknown needs a fault. No write
 * stays unsent because its connection had ended. */
static void check_told(plain_client *client, const write *one, unsigned key) {
	plain_world *world = client->world;
	if (world->is_quiet) {
		if (one->told != MCP_OK) {
			plain_fail(world, "liveness", "client %u is told %d of %s at the end", client->index,
				(int)one->told, batches.names[key]);
		}
		return;
	}
	if (one->told == MCP_UNSUPPORTED) {
		plain_fail(world, "C13", "client %u is told that %s cannot be written", client->index,
			batches.names[key]);
	} else if (one->told == MCP_OK && one->carried_out == 0) {
		plain_fail(world, "C13", "client %u is told that %s was written, and it was not",
			client->index, batches.names[key]);
	} else if (one->told == MCP_UNKNOWN && plain_stream_was_sound(client)) {
		plain_fail(world, "C13",
			"client %u does not know what became of %s, and nothing went wrong", client->index,
			batches.names[key]);
	}
	if (one->carried_out > 0) {
		check_carried_out(world, one, key);
	}
}

void many_batches_note(plain_world *world, int number, unsigned key) {
	write *one = &batches.of[number][key];
	one->carried_out++;
	check_carried_out(world, one, key);
}

/* --- requests --- */

mcp_cache_value many_new_value(char *digits) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(++batches.numbers, digits)),
		.compute_ms = COMPUTE_MS,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
}

uint64_t many_last_number(void) {
	return batches.numbers;
}

static void set_many(const mcp_cache *cache, const unsigned *which, unsigned count,
	mcp_status *statuses) {
	mcp_cache_setting settings[MANY_KEYS];
	char digits[MANY_KEYS][MCP_DECIMAL_MAX_LENGTH];
	for (unsigned i = 0; i < count; i++) {
		settings[i] = (mcp_cache_setting){
			.key = batches.keys[which[i]],
			.value = many_new_value(digits[i]),
		};
	}
	mcp_cache_set_many(cache, settings, count);
	for (unsigned i = 0; i < count; i++) {
		statuses[i] = settings[i].status;
	}
}

static void delete_many(const mcp_cache *cache, const unsigned *which, unsigned count,
	mcp_status *statuses) {
	mcp_key keys[MANY_KEYS];
	for (unsigned i = 0; i < count; i++) {
		keys[i] = batches.keys[which[i]];
	}
	mcp_cache_delete_many(cache, keys, count, statuses);
}

static mcp_status write_one(const mcp_cache *cache, const many_batch *batch) {
	const mcp_key *key = &batches.keys[batch->first];
	char digits[MCP_DECIMAL_MAX_LENGTH];
	if (batch->deletes) {
		return mcp_cache_delete(cache, key);
	}
	mcp_cache_value value = many_new_value(digits);
	return mcp_cache_set(cache, key, &value);
}

static void write_all(const mcp_cache *cache, const many_batch *batch, const unsigned *which,
	mcp_status *statuses) {
	if (batch->count == 1) {
		statuses[0] = write_one(cache, batch);
	} else {
		(batch->deletes ? delete_many : set_many)(cache, which, batch->count, statuses);
	}
}

void many_batches_send(plain_client *client, const mcp_cache *cache, const many_batch *batch) {
	write *writes = batches.of[batches.count];
	unsigned which[MANY_KEYS];
	mcp_status statuses[MANY_KEYS];
	for (unsigned i = 0; i < batch->count; i++) {
		which[i] = (batch->first + i) % MANY_KEYS;
	}
	client->operation = (int)batches.count++;
	plain_stream_watch(client);
	write_all(cache, batch, which, statuses);
	for (unsigned i = 0; i < batch->count; i++) {
		write *one = &writes[which[i]];
		one->told = statuses[i];
		one->has_returned = true;
		plain_trace(client->world, "client %u is told %d of %s", client->index, (int)one->told,
			batches.names[which[i]]);
		check_told(client, one, which[i]);
	}
	client->operation = -1;
}
