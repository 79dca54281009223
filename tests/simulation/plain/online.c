/* OnlineCounter: requests of a few visitors, across the ends of slots. O2 and O3: nobody counts twice in
 * a window, nobody who came is missed, and the count is of those who were counted. */
/* SPDX-License-Identifier: MIT */
#include "families.h"

#include "../../../src/patterns/online_counter.h"

enum {
	VISITORS = 3,
	SLOTS = 2,
	WINDOW_S = 4,
	SLOT_MS = 1000 * WINDOW_S / SLOTS,
	ROUNDS = 4,
	HITS_MAX = PLAIN_CLIENTS_MAX * ROUNDS,
	EFFECTS_MAX = 2 * HITS_MAX,
};

/* One call of hit(). */
typedef struct visit {
	unsigned visitor;
	uint64_t slot, ended_in;
	mcp_status status; /* MCP_UNKNOWN until it has ended: a killed client's never does */
	bool has_counted;
	unsigned effects;
} visit;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_online onlines[PLAIN_CLIENTS_MAX];
	unsigned visit_count, effect_count;
	visit visits[HITS_MAX];
	struct {
		unsigned visitor;
		uint64_t slot;
	} effects[EFFECTS_MAX]; /* what was added to slots' numbers */
} state;

static const uint32_t jumps_ms[] = {SLOT_MS / 2, SLOT_MS, 2 * SLOT_MS};
static const char *const names[VISITORS] = {"anna", "bert", "carla"};

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.key = plain_key(&state.buffer, MCP_SPACE_ONLINE, "page");
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state.onlines[i] = (mcp_online){
			.store = &world->clients[i].store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.name = mcp_bytes_of("page", 4),
			.window = {WINDOW_S, SLOTS},
		};
	}
}

static uint64_t slot_now(const plain_world *world) {
	return mcp_window_slot(&state.onlines[0].window, PLAIN_EPOCH_MS + world->now_ms);
}

static void hit(plain_client *client, unsigned visitor) {
	client->operation = (int)state.visit_count++;
	visit *made = &state.visits[client->operation];
	*made = (visit){.visitor = visitor, .slot = slot_now(client->world), .status = MCP_UNKNOWN};
	bool has_counted;
	mcp_status status = mcp_online_hit(&state.onlines[client->index],
		mcp_bytes_of(names[visitor], strlen(names[visitor])), &has_counted);
	plain_trace(client->world, "client %u: %s in slot %llu -> %d, counted %d", client->index,
		names[visitor], (unsigned long long)made->slot, (int)status, has_counted);
	client->operation = -1;
	made->ended_in = slot_now(client->world);
	made->status = status;
	made->has_counted = has_counted;
	if (has_counted && made->effects != 1) {
		plain_fail(client->world, "O2", "%s was counted %u times by the hit that says it did",
			names[visitor], made->effects);
	}
}

static void run_at_random(plain_client *client) {
	plain_choices *choices = client->world->choices;
	for (unsigned round = 0; round < ROUNDS; round++) {
		hit(client, plain_choose(choices, VISITORS));
		if (plain_chance(choices, 50)) {
			plain_sleep(client, plain_choose(choices, 2 * SLOT_MS));
		}
	}
}

/* For the search: one visitor's requests at once; the same in a slot where he counts again. */
static void run(plain_client *client) {
	switch (client->world->variant) {
		case 0:
			run_at_random(client);
			return;
		case 1:
			if (client->index < 2) {
				hit(client, 0);
			}
			return;
		default:
			if (client->index == 0) {
				hit(client, 0);
				plain_sleep(client, WINDOW_S * 1000);
				hit(client, 0);
			} else if (client->index == 1) {
				plain_sleep(client, WINDOW_S * 1000);
				hit(client, 0);
			}
			return;
	}
}

/* The number behind the last ':'. */
static uint64_t slot_of(const plain_request *request) {
	uint64_t slot = 0;
	for (unsigned i = 0; i < request->key_length; i++) {
		char byte = request->key[i];
		slot = byte == ':' ? 0 : slot * 10 + (uint64_t)(byte - '0');
	}
	return slot;
}

/* What is added to a slot's number is a hit's doing. */
static void effect(plain_world *world, const plain_request *request, mcp_status status,
	const mcp_reply *before) {
	(void)before;
	bool adds = request->verb == PLAIN_INCREMENT || request->verb == PLAIN_ADD;
	bool is_slot = request->key_length > 7 && memcmp(request->key, "online:", 7) == 0;
	if (status != MCP_OK || !adds || !is_slot || state.effect_count == EFFECTS_MAX) {
		return;
	}
	visit *made = &state.visits[request->operation];
	made->effects++;
	state.effects[state.effect_count].visitor = made->visitor;
	state.effects[state.effect_count++].slot = slot_of(request);
	(void)world;
}

static void ignore(plain_world *world) {
	(void)world;
}

/* A hit that failed may have counted or not, and its mark may be there or not. */
static bool has_failed_hit(unsigned visitor) {
	for (unsigned i = 0; i < state.visit_count; i++) {
		if (state.visits[i].visitor == visitor && state.visits[i].status != MCP_OK) {
			return true;
		}
	}
	return false;
}

/* One that stood still with its mark left and not yet counted: others have seen the mark. */
static bool has_slow_hit(unsigned visitor) {
	for (unsigned i = 0; i < state.visit_count; i++) {
		const visit *made = &state.visits[i];
		if (made->visitor == visitor && made->ended_in > made->slot + 1) {
			return true;
		}
	}
	return false;
}

static unsigned count_between(unsigned visitor, uint64_t from, uint64_t to) {
	unsigned number = 0;
	for (unsigned i = 0; i < state.effect_count; i++) {
		bool is_in = state.effects[i].slot >= from && state.effects[i].slot <= to;
		number += state.effects[i].visitor == visitor && is_in ? 1 : 0;
	}
	return number;
}

/* From the slots that keep it from counting to those it may have ended in. */
static void check_visit(plain_world *world, const visit *made) {
	uint64_t last = made->ended_in + SLOTS;
	if (!has_slow_hit(made->visitor) &&
		count_between(made->visitor, made->slot - (SLOTS - 1), last) == 0) {
		plain_fail(world, "O2", "%s came in slot %llu and was not counted", names[made->visitor],
			(unsigned long long)made->slot);
	}
}

static void check_windows(plain_world *world) {
	for (unsigned i = 0; i < state.effect_count; i++) {
		unsigned visitor = state.effects[i].visitor;
		uint64_t slot = state.effects[i].slot;
		if (!has_failed_hit(visitor) && count_between(visitor, slot, slot + SLOTS - 1) > 1) {
			plain_fail(world, "O2", "%s was counted twice in the window from slot %llu",
				names[visitor], (unsigned long long)slot);
		}
	}
}

static void check_count(plain_world *world) {
	mcp_key keys[SLOTS + 3];
	mcp_key_buffer buffers[SLOTS + 3];
	mcp_reply replies[SLOTS + 3];
	uint64_t numbers[SLOTS + 3];
	const mcp_online_scratch scratch = {keys, buffers, replies, numbers};
	uint64_t slot = slot_now(world);
	uint64_t expected = 0;
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		expected += count_between(visitor, slot - SLOTS, slot - 1);
	}
	uint64_t count = 0;
	mcp_status status = mcp_online_count(&state.onlines[0], &scratch, &count);
	if (status != MCP_OK || count != expected) {
		plain_fail(world, "O3", "count is %llu, and %llu were counted (status %d)",
			(unsigned long long)count, (unsigned long long)expected, (int)status);
	}
}

static void finish(plain_world *world) {
	for (unsigned i = 0; i < state.visit_count; i++) {
		if (!has_failed_hit(state.visits[i].visitor)) {
			check_visit(world, &state.visits[i]);
		}
	}
	check_windows(world);
	for (unsigned i = 0; i < SLOTS + 1; i++) {
		check_count(world);
		plain_pass(world, SLOT_MS);
	}
	/* Whatever went wrong: after a window everybody counts again. */
	plain_pass(world, WINDOW_S * 1000);
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		bool has_counted = false;
		mcp_bytes name = mcp_bytes_of(names[visitor], strlen(names[visitor]));
		mcp_online_hit(&state.onlines[0], name, &has_counted);
		if (!has_counted) {
			plain_fail(world, "liveness", "%s does not count any more", names[visitor]);
		}
	}
}

const plain_family plain_online = {
	.name = "online",
	.client_count = 3,
	.jumps_ms = jumps_ms,
	.jump_count = 3,
	.prepare = prepare,
	.run = run,
	.effect = effect,
	.lost = ignore,
	.check = ignore,
	.finish = finish,
};
