/* The faulty store: passes every call on to a store in memory, unless the test wants it otherwise. */
/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "../../src/core/bytes.h"
#include "../../src/store/store.h"
#include "../../src/store/memory/store_memory.h"

#include <assert.h>
#include <stdlib.h>

typedef struct world_store {
	mcp_store base;
	test_world *world;
} world_store;

/* The passage of the call that is being made. */
typedef struct passage {
	mcp_store *to;
	bool is_made;
	bool is_answered;
	bool is_torn;
	mcp_status status; /* when it is not answered */
} passage;

static void run_hook(test_world *world) {
	if (world->before_call == NULL || world->is_in_hook) {
		return;
	}
	world->is_in_hook = true;
	world->before_call(world, world->calls);
	world->is_in_hook = false;
}

static world_fault next_fault(test_world *world) {
	if (world->is_in_hook) {
		return WORLD_SOUND;
	}
	world->calls++;
	run_hook(world);
	return world->calls == world->fault_at ? world->fault : WORLD_SOUND;
}

static passage pass(mcp_store *store, mcp_status silence) {
	test_world *world = ((world_store *)store)->world;
	world_fault fault = next_fault(world);
	bool was_down = world->is_down && !world->is_in_hook;
	bool goes_down = fault == WORLD_DOWN || fault == WORLD_DOWN_AFTER;
	world->is_down = world->is_down || goes_down;
	if (was_down || fault == WORLD_DOWN) {
		return (passage){.to = world->memory, .status = MCP_UNREACHABLE};
	}
	if (fault == WORLD_KEPT_BACK) {
		world->breaks++;
		return (passage){.to = world->memory, .status = MCP_EXISTS};
	}
	return (passage){
		.to = world->memory,
		.is_made = fault != WORLD_REQUEST_LOST && fault != WORLD_REFUSED,
		.is_answered = fault == WORLD_SOUND || fault == WORLD_TORN,
		.is_torn = fault == WORLD_TORN,
		.status = fault == WORLD_REFUSED || fault == WORLD_REFUSED_AFTER ? MCP_REFUSED : silence,
	};
}

enum {
	TORN_KEYS_MAX = 8,
	TORN_VALUE_MAX = 256,
};

/* Says whether increments alone have made one of the other. */
static bool is_counted_on(const mcp_op *before, const mcp_op *after) {
	uint64_t number;
	return before->status == MCP_OK && after->status == MCP_OK &&
		before->item.flags == after->item.flags &&
		mcp_decimal_parse_u64(before->item.value, &number) &&
		mcp_decimal_parse_u64(after->item.value, &number);
}

static void get_torn(test_world *world, mcp_op *const *ops, size_t count) {
	static char values[TORN_KEYS_MAX][TORN_VALUE_MAX];
	mcp_op after[TORN_KEYS_MAX];
	assert(count <= TORN_KEYS_MAX);
	mcp_store_run(world->memory, ops, count);
	for (size_t i = 0; i < count; i++) {
		after[i] = *ops[i];
		if (ops[i]->status == MCP_OK) {
			mcp_bytes *value = &ops[i]->item.value;
			assert(value->length <= TORN_VALUE_MAX);
			memcpy(values[i], value->data, value->length);
			*value = mcp_bytes_of(values[i], value->length);
		}
	}
	world->is_in_hook = true;
	world->in_between(world);
	world->is_in_hook = false;
	mcp_store_run_all(world->memory, after, count);
	for (size_t i = 0; i < count; i++) {
		if (is_counted_on(ops[i], &after[i])) {
			ops[i]->item.cas = after[i].item.cas;
		}
	}
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	passage way = pass(store, MCP_TIMEOUT);
	return way.is_answered ? mcp_store_get(way.to, key, item) : way.status;
}

static void get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	passage way = pass(store, MCP_TIMEOUT);
	if (way.is_torn) {
		get_torn(((world_store *)store)->world, ops, count);
		return;
	}
	mcp_store_run(way.to, ops, count);
	if (!way.is_answered) {
		/* The first answers had come: a part of the truth is the worst that can be told. */
		ops[count - 1]->status = way.status;
	}
}

static mcp_status ttl_left(mcp_store *store, mcp_op *op) {
	if (!((world_store *)store)->world->tells_ttl_left) {
		return MCP_UNSUPPORTED;
	}
	passage way = pass(store, MCP_TIMEOUT);
	return way.is_answered ? mcp_store_change(way.to, op) : way.status;
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	if (op->verb == MCP_OP_TTL_LEFT) {
		return ttl_left(store, op);
	}
	assert(op->expects.cas != 0 || !mcp_op_compares(op));
	passage way = pass(store, MCP_UNKNOWN);
	mcp_status status = way.is_made ? mcp_store_change(way.to, op) : way.status;
	return way.is_answered ? status : way.status;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	if (((world_store *)store)->world->tells_no_start) {
		return MCP_UNSUPPORTED;
	}
	passage way = pass(store, MCP_TIMEOUT);
	return way.is_answered ? mcp_store_started_us(way.to, key, started) : way.status;
}

static uint64_t breaks(mcp_store *store) {
	return ((world_store *)store)->world->breaks;
}

/* The verbs that the patterns tested here call; the others are not there to be called. */
/* Leaves it to world_close. */
static void stay(mcp_store *store) {
}

static const mcp_store_operations operations = {
	.get = get,
	.get_many = get_many,
	.change = change_one,
	.started_us = started_us,
	.breaks = breaks,
	.free = stay,
};

void world_prove(test_world *world) {
	static mcp_store_operations proving;
	proving = operations;
	proving.proves = true;
	world->store->operations = &proving;
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	test_world *world = ((world_store *)store)->world;
	passage made = pass(store, MCP_UNKNOWN);
	size_t written = 0;
	while (written < count && !mcp_op_is_read(&steps[written])) {
		written++;
	}
	if (made.is_made) {
		mcp_store_steps(made.to, steps, written);
		if (world->in_between != NULL) {
			world->in_between(world);
		}
		mcp_store_steps(made.to, steps + written, count - written);
	}
	for (size_t i = written; i < count; i++) {
		steps[i].proof = steps[i].read; /* the memory's proofs are of one name */
	}
	for (size_t i = 0; i < count && !made.is_answered; i++) {
		bool is_unknown = made.status == MCP_UNKNOWN && mcp_op_is_read(&steps[i]);
		steps[i].status = is_unknown ? MCP_TIMEOUT : made.status;
	}
}

void world_take_steps(test_world *world) {
	static mcp_store_operations stepping;
	stepping = *world->store->operations;
	stepping.steps = carry_out;
	world->store->operations = &stepping;
}

static test_world *world_of(const mcp_environment *environment) {
	return environment->context;
}

static uint64_t wall_ms(const mcp_environment *environment) {
	const test_world *world = world_of(environment);
	return (uint64_t)((int64_t)world->wall_ms + world->ahead_ms);
}

static uint64_t memory_wall_ms(const mcp_environment *environment) {
	return world_of(environment)->wall_ms;
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	return world_of(environment)->monotonic_ms;
}

/* Draws by Marsaglia's xorshift, multiplied as in Vigna's xorshift64*. */
static uint64_t random_u64(const mcp_environment *environment) {
	test_world *world = world_of(environment);
	world->random ^= world->random >> 12;
	world->random ^= world->random << 25;
	world->random ^= world->random >> 27;
	return world->random * 0x2545F4914F6CDD1Dull;
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	test_world *world = world_of(environment);
	world_pass(world, duration_ms);
	world->sleeps++;
	if (world->after_sleep != NULL && !world->is_in_hook) {
		world->is_in_hook = true;
		world->after_sleep(world, world->sleeps);
		world->is_in_hook = false;
	}
}

void world_open(test_world *world) {
	*world = (test_world){
		.wall_ms = WORLD_START_MS,
		.monotonic_ms = 5000,
		.random = 88172645463325252ull,
	};
	world->environment = (mcp_environment){
		.wall_ms = wall_ms,
		.monotonic_ms = monotonic_ms,
		.random_u64 = random_u64,
		.sleep_ms = sleep_ms,
		.context = world,
	};
	world->of_memory = world->environment;
	world->of_memory.wall_ms = memory_wall_ms;
	world->memory = mcp_store_memory_create("memory://world", &world->of_memory);
	world->faulty = malloc(sizeof(*world->faulty));
	assert(world->memory != NULL && world->faulty != NULL);
	*world->faulty = (world_store){{&operations, "memory://world", NULL}, world};
	world->store = &world->faulty->base;
}

void world_close(test_world *world) {
	mcp_store_free(world->memory);
	free(world->faulty);
}

void world_pass(test_world *world, uint64_t duration_ms) {
	world->wall_ms += duration_ms;
	world->monotonic_ms += duration_ms;
}

void world_watch(test_world *world, unsigned fault_at, world_fault fault) {
	world->calls = 0;
	world->sleeps = 0;
	world->fault_at = fault_at;
	world->fault = fault;
	world->is_down = false;
}

mcp_key world_key(mcp_key_buffer *buffer, mcp_key_space space, const char *name) {
	mcp_key_parts parts = {.space = space, .name = mcp_bytes_text(name)};
	return mcp_key_make(buffer, &parts);
}

static mcp_key raw_key(const char *wire) {
	mcp_bytes bytes = mcp_bytes_text(wire);
	return (mcp_key){.wire = bytes, .route = bytes};
}

void world_put(test_world *world, const char *wire, const char *value, uint64_t ttl_ms) {
	mcp_key key = raw_key(wire);
	mcp_record record = {.body = mcp_bytes_text(value), .ttl_ms = ttl_ms};
	mcp_status status = mcp_store_set(world->memory, &key, &record);
	assert(status == MCP_OK);
}

const char *world_peek(test_world *world, const char *wire) {
	static char text[256];
	mcp_key key = raw_key(wire);
	mcp_item item;
	if (mcp_store_get(world->memory, &key, &item) != MCP_OK || item.value.length >= sizeof(text)) {
		return NULL;
	}
	memcpy(text, item.value.data, item.value.length);
	text[item.value.length] = '\0';
	return text;
}

void world_remove(test_world *world, const char *wire) {
	mcp_key key = raw_key(wire);
	mcp_store_memory_evict(world->memory, &key);
}

void world_restart(test_world *world) {
	mcp_store_memory_restart(world->memory);
}
