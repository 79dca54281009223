/* UniqueVisitors: hits of a few visitors by a few processes, each with its own knowledge, with folding, evictions
 * and lost replies. Every completed hit is in the sketch unless its item was lost since, only visitors are in it,
 * and no item is left. */
/* SPDX-License-Identifier: MIT */
#include "patterns/unique_visitors/unique_visitors.h"
#include "plain/families/families.h"

enum {
	PRECISION = 4,
	REGISTERS = 1 << PRECISION,
	SLOT_MS = 90000,
	SLOTS = 2,
	VISITORS = 6,
	ROUNDS = 5,
	SLOTS_SEEN = 64,
	/* The pattern folds at each 256th append. The runs begin shortly before that. */
	NEAR_FOLDING = 253,
	LEFTOVER_MS = 5000,
};

/* The true state of a slot, numbered from the first one. */
typedef struct slot_truth {
	uint8_t certain[REGISTERS];  /* raised by hits that returned after its item was last lost */
	uint8_t possible[REGISTERS]; /* raised by any hit that began */
} slot_truth;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	uint64_t first_slot;
	mcp_unique uniques[PLAIN_CLIENTS_MAX];
	mcp_unique_known known[PLAIN_CLIENTS_MAX];
	slot_truth slots[SLOTS_SEEN];
	uint64_t lost_at_ms; /* the last eviction or restart */
	/* The slot that was reported missing to a process since that loss. Only then it creates an item. */
	uint64_t told_of[PLAIN_CLIENTS_MAX];
} state;

static uint64_t hash_of(unsigned visitor) {
	static const uint64_t hashes[VISITORS] = {0x0123456789ABCDEFu, 0x08FEDCBA98765432u,
		0x1F00000000000001u, 0x1000F00000000001u, 0xA000000000000000u, 0xABCDEF0123456789u};
	return hashes[visitor];
}

static uint64_t slot_now(const plain_world *world) {
	return mcp_window_slot(&state.uniques[0].window, PLAIN_EPOCH_MS + world->now_ms);
}

static slot_truth *truth_of(uint64_t slot) {
	return &state.slots[(slot - state.first_slot) % SLOTS_SEEN];
}

static void prepare(plain_world *world) {
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		mcp_unique_known_free(&state.known[i]);
	}
	memset(&state, 0, sizeof(state));
	state.key = plain_key(&state.buffer, MCP_SPACE_UNIQUE, "page");
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state.known[i].appends = NEAR_FOLDING + (world->variant == 0 ? i : 2);
		state.uniques[i] = (mcp_unique){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.window = {SLOTS * SLOT_MS / 1000, SLOTS},
			.precision = PRECISION,
			.known = &state.known[i],
		};
	}
	state.first_slot = slot_now(world);
}

static void raise_to(uint8_t *registers, unsigned visitor) {
	mcp_hyperloglog_place place = mcp_hyperloglog_place_of(hash_of(visitor), PRECISION);
	if (place.rank > registers[place.index]) {
		registers[place.index] = place.rank;
	}
}

/* True if a hit can be missing: a process trusts its knowledge for 1 minute, so a hit after a loss can send
 * nothing, unless the loss was reported to the process. */
static bool may_be_missing(unsigned client, uint64_t slot, uint64_t began_ms) {
	bool is_soon = state.lost_at_ms > 0 && began_ms < state.lost_at_ms + MCP_UNIQUE_BELIEVED_MS;
	return is_soon && state.told_of[client] != slot;
}

static void hit(plain_client *client, unsigned visitor) {
	plain_world *world = client->world;
	uint64_t slot = slot_now(world);
	uint64_t began_ms = world->now_ms;
	raise_to(truth_of(slot)->possible, visitor);
	client->operation = 0;
	mcp_status status = mcp_unique_hit(&state.uniques[client->index], hash_of(visitor));
	client->operation = -1;
	plain_trace(world, "client %u: visitor %u in slot %llu -> %d", client->index, visitor,
		(unsigned long long)slot, (int)status);
	if (status == MCP_OK && !may_be_missing(client->index, slot, began_ms)) {
		raise_to(truth_of(slot)->certain, visitor);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	hit(client, sim_choose(choices, VISITORS));
	if (sim_chance(choices, 40)) {
		plain_sleep(client, sim_choose(choices, SLOT_MS));
	}
}

/* Program of the search: 2 clients raise the same register, one of them while it folds. */
static void run(plain_client *client) {
	hit(client, client->index % 2);
	hit(client, 2 + client->index % 2);
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (request->verb == MCP_OP_ADD && !request->is_late) {
		state.told_of[request->client] = plain_slot_in(request);
	}
}

static void lost(plain_world *world) {
	state.lost_at_ms = world->now_ms;
	memset(state.told_of, 0, sizeof(state.told_of));
	for (unsigned i = 0; i < SLOTS_SEEN; i++) {
		memset(state.slots[i].certain, 0, REGISTERS);
	}
}

static void check_slot(void *context, uint64_t slot, const uint8_t *registers) {
	plain_world *world = context;
	if (slot < state.first_slot) {
		return;
	}
	const slot_truth *truth = truth_of(slot);
	for (unsigned i = 0; i < REGISTERS; i++) {
		if (registers[i] < truth->certain[i]) {
			plain_fail(world, "H3", "register %u of slot %llu is %u, and %u was acknowledged", i,
				(unsigned long long)slot, registers[i], truth->certain[i]);
		}
		if (registers[i] > truth->possible[i]) {
			plain_fail(world, "H1", "register %u of slot %llu is %u, and nobody raised it so far",
				i, (unsigned long long)slot, registers[i]);
		}
	}
}

static void read_all(plain_world *world) {
	mcp_key keys[SLOTS];
	mcp_key_buffer buffers[SLOTS];
	mcp_op replies[SLOTS];
	uint8_t registers[REGISTERS];
	mcp_unique_scratch scratch = {keys, buffers, replies, registers};
	mcp_status status = mcp_unique_read(&state.uniques[0], &scratch, check_slot, world);
	if (status != MCP_OK) {
		plain_fail(world, "H4", "what is stored cannot be read: %d", (int)status);
	}
}

static void finish(plain_world *world) {
	read_all(world);
	plain_pass(world, SLOTS * SLOT_MS + LEFTOVER_MS);
	for (uint64_t slot = state.first_slot; slot <= slot_now(world) - SLOTS; slot++) {
		mcp_key_buffer buffer;
		mcp_item item;
		mcp_key key = mcp_key_append_beside(&buffer, &state.key, slot);
		if (plain_peek(world, &key, &item) == MCP_OK) {
			plain_fail(world, "H4", "slot %llu stays", (unsigned long long)slot);
		}
	}
}

const plain_family plain_unique = {
	.client_count = 3,
	PLAIN_ITEMS("unique:page:20000000", "unique:page:20000001"),
	PLAIN_JUMPS(SLOT_MS / 2, SLOT_MS, 2 * SLOT_MS),
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.lost = lost,
	.finish = finish,
};
