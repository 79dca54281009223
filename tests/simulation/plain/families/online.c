/* OnlineCounter: a few visitors of 2 counters, across slots. A visitor of the window is counted once, in the slot
 * of the last hit. A failed hit can leave a visitor in 2 slots, never in none. The count contains only visitors,
 * and no item is left. */
/* SPDX-License-Identifier: MIT */
#include "../../../../src/core/bytes.h"
#include "patterns/online_counter/online_counter.h"
#include "plain/families/families.h"

/* A visitor of one counter and the same person at the other counter are separate. */
enum {
	COUNTERS = 2,
	PERSONS = 2,
	VISITORS = COUNTERS * PERSONS,
	SLOTS = 2,
	WINDOW_S = 4,
	SLOT_MS = 1000 * WINDOW_S / SLOTS,
	ROUNDS = 4,
	HITS_MAX = PLAIN_CLIENTS_MAX * ROUNDS,
	EFFECTS_MAX = 2 * HITS_MAX,
	/* Extra lifetime of an item because of 1 s of skew and memcached's whole seconds. */
	LEFTOVER_MS = 3000,
};

typedef struct visit {
	unsigned visitor, client;
	uint64_t slot;
	mcp_status status; /* MCP_UNKNOWN until it has ended. The hit of a killed client never ends. */
	bool has_ended, is_new;
	unsigned counted; /* how often it incremented the number of its slot */
	unsigned faults;  /* of the world: at its beginning, at the end those of its duration */
} visit;

static struct {
	mcp_key_buffer buffers[COUNTERS], mark_buffers[VISITORS];
	mcp_key keys[COUNTERS], marks[VISITORS];
	mcp_online onlines[PLAIN_CLIENTS_MAX][COUNTERS];
	unsigned visit_count, effect_count, budget; /* of faults, at the beginning */
	visit visits[HITS_MAX];
	struct {
		unsigned visitor;
		uint64_t slot;
		int change;
	} effects[EFFECTS_MAX]; /* on the numbers of slots */
} state;

static const char *const names[COUNTERS] = {"page", "shop"};
static const char *const persons[PERSONS] = {"anna", "bert"};

static const char *person_of(unsigned visitor) {
	return persons[visitor % PERSONS];
}

static unsigned counter_of(unsigned visitor) {
	return visitor / PERSONS;
}

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.budget = world->fault_budget;
	for (unsigned i = 0; i < COUNTERS; i++) {
		state.keys[i] = plain_key(&state.buffers[i], MCP_SPACE_ONLINE, names[i]);
		for (unsigned client = 0; client < PLAIN_CLIENTS_MAX; client++) {
			state.onlines[client][i] = (mcp_online){
				.store = &world->clients[client].door.store,
				.environment = &world->clients[client].environment,
				.key = &state.keys[i],
				.name = mcp_bytes_text(names[i]),
				.window = {WINDOW_S, SLOTS},
			};
		}
	}
	for (unsigned i = 0; i < VISITORS; i++) {
		state.marks[i] = mcp_online_visitor_key(&state.onlines[0][counter_of(i)],
			&state.mark_buffers[i], mcp_bytes_text(person_of(i)));
	}
	if (world->variant == 0 && sim_chance(world->choices, 10)) {
		/* An item of other software under a mark's key. */
		const mcp_record record = {.body = mcp_bytes_text("hello")};
		unsigned visitor = sim_choose(world->choices, VISITORS);
		mcp_store_set(world->memory, &state.marks[visitor], &record);
	}
}

static uint64_t slot_now(const plain_world *world) {
	return mcp_window_slot(&state.onlines[0][0].window, PLAIN_EPOCH_MS + world->now_ms);
}

static unsigned faults_so_far(const plain_world *world) {
	return state.budget - world->fault_budget;
}

static mcp_status call_hit(unsigned client, unsigned visitor, bool *is_new) {
	return mcp_online_hit(&state.onlines[client][counter_of(visitor)],
		mcp_bytes_text(person_of(visitor)), is_new);
}

static bool hit(plain_client *client, unsigned visitor) {
	plain_world *world = client->world;
	client->operation = (int)state.visit_count++;
	visit *made = &state.visits[client->operation];
	*made = (visit){
		.visitor = visitor,
		.client = client->index,
		.slot = slot_now(world),
		.faults = faults_so_far(world),
		.status = MCP_UNKNOWN,
	};
	made->status = call_hit(client->index, visitor, &made->is_new);
	client->operation = -1;
	made->has_ended = true;
	made->faults = faults_so_far(world) - made->faults;
	plain_trace(world, "client %u: %s of %s in slot %llu -> %d, new %d", client->index,
		person_of(visitor), names[counter_of(visitor)], (unsigned long long)made->slot,
		(int)made->status, made->is_new);
	if (made->is_new && made->counted != 1) {
		plain_fail(world, "O2", "%s was counted %u times by the hit that says it did",
			person_of(visitor), made->counted);
	}
	return made->status == MCP_OK;
}

/* Repeats a failed hit when the circuit breaker is closed. */
static void hit_until_told(plain_client *client, unsigned visitor) {
	if (!hit(client, visitor)) {
		plain_sleep(client, SLOT_MS / 2);
		hit(client, visitor);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	hit(client, sim_choose(choices, VISITORS));
	if (sim_chance(choices, 50)) {
		plain_sleep(client, sim_choose(choices, 2 * SLOT_MS));
	}
}

/* Programs of the search: concurrent requests of a visitor; the same in a new slot of the visitor. */
static void run(plain_client *client) {
	switch (client->world->variant) {
		case 1:
			if (client->index < 2) {
				hit_until_told(client, 0);
			}
			return;
		default:
			if (client->index == 0) {
				hit(client, 0);
				plain_sleep(client, WINDOW_S * 1000);
				hit_until_told(client, 0);
			} else if (client->index == 1) {
				plain_sleep(client, WINDOW_S * 1000);
				hit(client, 0);
			}
			return;
	}
}

/* --- effects --- */

/* A decrement stops at 0. A number can be created as 0. */
static int change_of(const sim_request *request, const mcp_op *before) {
	if (request->verb != MCP_OP_DECREMENT) {
		return request->verb != MCP_OP_ADD || request->bytes[0] != '0';
	}
	uint64_t number = 0;
	return mcp_decimal_parse_u64(before->item.value, &number) && number > 0 ? -1 : 0;
}

static void note_count(plain_world *world, visit *made, const sim_request *request,
	const mcp_op *before) {
	uint64_t slot = plain_slot_in(request);
	int change = change_of(request, before);
	if (change == 0) {
		return;
	}
	if (change > 0 && slot != made->slot) {
		plain_fail(world, "O4", "%s came in slot %llu and was counted in %llu",
			person_of(made->visitor), (unsigned long long)made->slot, (unsigned long long)slot);
	}
	made->counted += change > 0;
	if (state.effect_count < EFFECTS_MAX) {
		state.effects[state.effect_count].visitor = made->visitor;
		state.effects[state.effect_count].slot = slot;
		state.effects[state.effect_count++].change = change;
	}
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (status != MCP_OK) {
		return;
	}
	visit *made = &state.visits[request->operation];
	if (request->name_length > 7 && memcmp(request->name, "online:", 7) == 0) {
		note_count(world, made, request, before);
	} else if (sim_request_is_for(request, &state.marks[made->visitor]) && made->counted == 0 &&
		request->verb != MCP_OP_DELETE && made->slot + SLOTS >= slot_now(world)) {
		plain_fail(world, "O2", "the mark of %s says what was not counted",
			person_of(made->visitor));
	}
}

/* --- checks --- */

/* True if the hit can have left an extra count: it failed, or a fault happened during it. */
static bool is_doubtful(const visit *made) {
	return !made->has_ended || made->status != MCP_OK || made->faults > 0;
}

/* The hit of a killed client never ends. */
static bool is_under_way(const plain_world *world, const visit *made) {
	return !made->has_ended && !world->clients[made->client].is_dead;
}

/* How often a visitor can, and must, be counted in the window. */
typedef struct bounds {
	bool is_under_way;
	int least, most;
} bounds;

static bounds bounds_of(const plain_world *world, unsigned visitor) {
	bounds found = {0};
	int doubtful = 0;
	for (unsigned i = 0; i < state.visit_count; i++) {
		const visit *made = &state.visits[i];
		if (made->visitor != visitor) {
			continue;
		}
		found.is_under_way |= is_under_way(world, made);
		doubtful += is_doubtful(made);
		if (made->status == MCP_OK && made->slot + SLOTS >= slot_now(world)) {
			found.least = 1;
		}
	}
	found.most = found.least + doubtful;
	return found;
}

static int count_of(unsigned visitor, uint64_t from) {
	int number = 0;
	for (unsigned i = 0; i < state.effect_count; i++) {
		if (state.effects[i].visitor == visitor && state.effects[i].slot >= from) {
			number += state.effects[i].change;
		}
	}
	return number;
}

static void check(plain_world *world) {
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		bounds wanted = bounds_of(world, visitor);
		int number = count_of(visitor, slot_now(world) - SLOTS);
		if (!wanted.is_under_way && (number < wanted.least || number > wanted.most)) {
			plain_fail(world, "O2", "%s is in slot %llu's window %d times, not %d to %d",
				person_of(visitor), (unsigned long long)slot_now(world), number, wanted.least,
				wanted.most);
		}
	}
}

static void check_count(plain_world *world, unsigned counter) {
	mcp_key keys[SLOTS + 1];
	mcp_key_buffer buffers[SLOTS + 1];
	mcp_op replies[SLOTS + 1];
	uint64_t numbers[SLOTS + 1];
	const mcp_slots_scratch scratch = {keys, buffers, replies, numbers};
	int expected = 0;
	for (unsigned i = 0; i < PERSONS; i++) {
		expected += count_of(counter * PERSONS + i, slot_now(world) - SLOTS);
	}
	uint64_t count = 0;
	mcp_status status = mcp_online_count(&state.onlines[0][counter], &scratch, false, &count);
	if (status != MCP_OK || count != (uint64_t)expected) {
		plain_fail(world, "O3", "count is %llu, and %d were counted (status %d)",
			(unsigned long long)count, expected, (int)status);
	}
}

static void check_leftovers(plain_world *world, uint64_t first_slot) {
	mcp_item item;
	for (unsigned i = 0; i < VISITORS; i++) {
		if (plain_peek(world, &state.marks[i], &item) == MCP_OK) {
			plain_fail(world, "O1", "the mark of %s stays", person_of(i));
		}
	}
	for (uint64_t slot = first_slot; slot <= slot_now(world); slot++) {
		for (unsigned i = 0; i < COUNTERS; i++) {
			mcp_key_buffer buffer;
			mcp_key key = mcp_online_slot_key(&state.onlines[0][i], &buffer, slot);
			if (plain_peek(world, &key, &item) == MCP_OK) {
				plain_fail(world, "O1", "the number of slot %llu stays", (unsigned long long)slot);
			}
		}
	}
}

static void finish(plain_world *world) {
	check(world);
	for (unsigned i = 0; i < (SLOTS + 2) * COUNTERS; i++) {
		check_count(world, i % COUNTERS);
		plain_pass(world, i % COUNTERS == COUNTERS - 1 ? SLOT_MS : 0);
	}
	/* After the window every visitor is new, regardless of faults. */
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		bool is_new = false;
		call_hit(0, visitor, &is_new);
		if (!is_new) {
			plain_fail(world, "liveness", "%s does not count any more", person_of(visitor));
		}
	}
	plain_pass(world, WINDOW_S * 1000 + SLOT_MS + LEFTOVER_MS);
	check_leftovers(world, mcp_window_slot(&state.onlines[0][0].window, PLAIN_EPOCH_MS));
}

const plain_family plain_online = {
	.client_count = 3,
	.asks_for_proofs = true,
	.lands_in_order = true,
	PLAIN_JUMPS(SLOT_MS / 2, SLOT_MS, 2 * SLOT_MS),
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.check = check,
	.finish = finish,
};
