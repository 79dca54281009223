/* Counter near the largest integer: clients increment beyond it concurrently, and rejected increments are undone in
 * any order. K3, as far as counter.c guarantees it. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/families.h"

#include "../../../../src/core/bytes.h"
#include "patterns/counter/counter.h"

enum { COUNTS_MAX = 16, ROUNDS = 3, STEPS_OF_ONE = 3 };

/* Whether an increment is in the sum. */
typedef enum fate { NEVER, SURELY, PERHAPS } fate;

/* The initial number, and the clients' increments. */
typedef struct program {
	int64_t start;
	int64_t by[STEPS_OF_ONE];
	unsigned client_count;
	bool may_end_beyond; /* rejected increments can cancel out */
	bool may_stop;       /* a decrement can stop at 0, which makes every sum wrong */
} program;

static const program programs[] = {
	/* 2 concurrent increments wrap, and so do 4. */
	{100, {INT64_MAX, INT64_MAX, 3}, 4, false, false},
	{INT64_MAX - 20, {3, 7, 20}, 4, false, false},
	{INT64_MAX - 20, {15, 20, -10}, 4, true, false},
	{0, {INT64_MAX, INT64_MAX / 2 + 1, 3}, 4, true, false},
	/* An amount that is subtracted from a temporary overflow must not be subtracted from less than that. */
	{100, {INT64_MAX, -200, 0}, 2, false, true},
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_counter counters[PLAIN_CLIENTS_MAX];
	const program *program;
	unsigned count;
	int64_t by[COUNTS_MAX];
	fate counted[COUNTS_MAX];
} state;

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.key = plain_key(&state.buffer, MCP_SPACE_COUNTER, "views");
	unsigned chosen =
		world->variant == 0 ? sim_choose(world->choices, PROGRAMS) : world->variant - 1;
	state.program = &programs[chosen];
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state.counters[i] = (mcp_counter){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.wait_ms = 2500,
		};
	}
	mcp_counter first = state.counters[0];
	first.store = world->memory;
	mcp_counter_set(&first, state.program->start);
}

static void count(plain_client *client, int64_t by) {
	if (state.count == COUNTS_MAX) {
		return;
	}
	/* The state that a killed client leaves. */
	unsigned index = state.count++;
	state.by[index] = by;
	state.counted[index] = PERHAPS;
	int64_t number = 0;
	mcp_status status = mcp_counter_add(&state.counters[client->index], by, &number);
	plain_trace(client->world, "client %u: counts %lld -> %d, %lld", client->index, (long long)by,
		(int)status, (long long)number);
	state.counted[index] = status == MCP_OK ? SURELY : status == MCP_UNKNOWN ? PERHAPS : NEVER;
	if (number < 0) {
		plain_fail(client->world, "K3", "client %u is shown a wrap", client->index);
	}
}

static void act(plain_client *client) {
	unsigned clients = state.program->client_count;
	if (client->index < clients) {
		unsigned step =
			clients == 2 ? client->index : sim_choose(client->world->choices, STEPS_OF_ONE);
		count(client, state.program->by[step]);
	}
}

/* Program of the search: one increment per client. 2 would make too many runs. */
static void run(plain_client *client) {
	if (client->index < state.program->client_count) {
		count(client, state.program->by[client->index % STEPS_OF_ONE]);
	}
}

/* True if the sum, modulo 2^64, is that of all certain increments and some of the uncertain ones. */
static bool is_sum(uint64_t sum) {
	uint64_t known = (uint64_t)state.program->start;
	unsigned unknown_count = 0;
	uint64_t unknown[COUNTS_MAX];
	for (unsigned i = 0; i < state.count; i++) {
		known += state.counted[i] == SURELY ? (uint64_t)state.by[i] : 0;
		if (state.counted[i] == PERHAPS) {
			unknown[unknown_count++] = (uint64_t)state.by[i];
		}
	}
	for (unsigned some = 0; some < 1u << unknown_count; some++) {
		uint64_t tried = known;
		for (unsigned i = 0; i < unknown_count; i++) {
			tried += (some >> i & 1) != 0 ? unknown[i] : 0;
		}
		if (tried == sum) {
			return true;
		}
	}
	return false;
}

static void finish(plain_world *world) {
	mcp_item item;
	if (world->has_lost || plain_peek(world, &state.key, &item) != MCP_OK) {
		return;
	}
	uint64_t sum;
	if (!mcp_decimal_parse_u64(item.value, &sum)) {
		plain_fail(world, "K3", "it is no number any more");
		return;
	}
	bool is_all_known = true;
	for (unsigned i = 0; i < state.count; i++) {
		is_all_known = is_all_known && state.counted[i] != PERHAPS;
	}
	if (!state.program->may_stop && !is_sum(sum)) {
		plain_fail(world, "K3", "%llu is not what was accepted", (unsigned long long)sum);
	}
	if (!state.program->may_end_beyond && is_all_known && sum > INT64_MAX) {
		plain_fail(world, "K3", "%llu is beyond", (unsigned long long)sum);
	}
}

const plain_family plain_counter_limit = {
	.client_count = 4,
	PLAIN_ITEMS("views"),
	PLAIN_JUMPS(1000),
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.finish = finish,
};
