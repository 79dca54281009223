/* MemberSet: processes add, remove and read members of items so small that compaction is frequent. An acknowledged
 * change is visible to later reads until the next change. A compaction loses no member and extends no lifetime. */
/* SPDX-License-Identifier: MIT */
#include "patterns/member_set/member_set.h"
#include "plain/families/families.h"

#include <stdlib.h>

enum {
	CLIENTS = 3,
	MEMBERS = 4, /* one per client, and a common one */
	ROUNDS = 7,
	NAME_LENGTH = 3,
	TTL_MS = 9000,
	SKEW_MS = 7000,
	LEFTOVER_MS = 4000,
	OP_LENGTH = 2 + NAME_LENGTH,
	/* The size of an item: 6 operations. */
	ROOM = MCP_APPEND_HEAD_LENGTH + 6 * OP_LENGTH,
	COMPACT_ABOVE = 2 * OP_LENGTH,
	CHANGES_MAX = CLIENTS * ROUNDS,
};

static const char *const names[MEMBERS] = {"ann", "bob", "cid", "all"};

/* A member after its last change. Unsure if several clients change it, or an outcome is unknown. */
typedef struct member {
	bool is_in, is_unsure;
	unsigned changes; /* begun or ended */
} member;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_member_set sets[CLIENTS];
	member members[MEMBERS];
	unsigned losses;
	unsigned begun, landed[CHANGES_MAX]; /* changes, and how often each took effect */
	uint64_t begun_ms[CHANGES_MAX];
	bool is_there;
	uint64_t made_ms;    /* of the current item */
	uint64_t due_ms;     /* its end; its creator can have waited before the creation */
	uint64_t written_ms; /* of the creation or last compaction */
	/* Minimum lifetime: half of its TTL from a reader's compaction, none from a writer's. */
	uint64_t lives_until_ms;
	bool has_skew; /* clocks differed or were set since the beginning */
} state;

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.key = plain_key(&state.buffer, MCP_SPACE_SET, "ids");
	bool has_end = world->variant == 0 && sim_chance(world->choices, 50);
	for (unsigned i = 0; i < CLIENTS; i++) {
		state.sets[i] = (mcp_member_set){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.memory = {malloc, free},
			.ttl_ms = has_end ? TTL_MS : 0,
			.shards = 1,
			.compact_above = COMPACT_ABOVE,
		};
	}
	state.members[MEMBERS - 1].is_unsure = true;
}

static void change(plain_client *client, unsigned number, bool is_add) {
	const mcp_member_set *set = &state.sets[client->index];
	member *changed = &state.members[number];
	char ops[OP_LENGTH];
	const mcp_member_op op = {is_add, mcp_bytes_of(names[number], NAME_LENGTH)};
	mcp_member_op_write(&op, ops);
	unsigned losses = state.losses;
	changed->changes++;
	unsigned serial = state.begun++;
	state.begun_ms[serial] = client->world->now_ms;
	client->operation = (int)serial;
	mcp_bytes bytes = mcp_bytes_of(ops, sizeof(ops));
	mcp_status status =
		is_add ? mcp_member_set_add(set, 0, bytes) : mcp_member_set_remove(set, 0, bytes);
	client->operation = -1;
	changed->changes++;
	plain_trace(client->world, "client %u: %s %s -> %d", client->index, is_add ? "add" : "remove",
		names[number], (int)status);
	if (status == MCP_OK && is_add && state.landed[serial] == 0) {
		plain_fail(client->world, "M1", "an add of %s is acknowledged, and was not done",
			names[number]);
	}
	if (status == MCP_OK) {
		changed->is_in = is_add;
		changed->is_unsure = changed->is_unsure || (is_add && losses != state.losses);
	} else if (status == MCP_UNKNOWN) {
		changed->is_unsure = true;
	} else if (status == MCP_NOT_STORED) {
		/* 4 members fit. Meanwhile the item can have been full of other clients' operations. */
		plain_fail(client->world, "M4", "there is room, and none for %s", names[number]);
	} else if (!mcp_status_is_failure(status)) {
		plain_fail(client->world, "M1", "a change of %s is answered %d", names[number],
			(int)status);
	}
	/* The outcome of a change that failed on the way is unknown: its own compaction can have overtaken it. */
	changed->is_unsure = changed->is_unsure || status != MCP_OK;
}

/* The common state of reader and members at a moment. */
typedef struct picture {
	member members[MEMBERS];
	unsigned losses;
} picture;

static picture look_around(void) {
	picture now = {.losses = state.losses};
	memcpy(now.members, state.members, sizeof(now.members));
	return now;
}

static void check_member(plain_world *world, const picture *before, unsigned number, bool is_in) {
	const member *now = &state.members[number];
	bool is_still = before->members[number].changes == now->changes && now->changes % 2 == 0;
	if (is_still && !now->is_unsure && before->losses == state.losses && now->is_in != is_in) {
		plain_fail(world, "M1", "%s is %s, and was read as %s", names[number],
			now->is_in ? "in" : "out", is_in ? "in" : "out");
	}
}

static void check_read(plain_world *world, const picture *before, const mcp_member_shard *shard,
	const mcp_members *members) {
	size_t count = 0;
	mcp_bytes read;
	bool is_in[MEMBERS] = {false};
	for (size_t entry = 0; mcp_members_next(members, &entry, &read); count++) {
		for (unsigned i = 0; i < MEMBERS; i++) {
			is_in[i] = is_in[i] || mcp_bytes_equal(read, mcp_bytes_of(names[i], NAME_LENGTH));
		}
	}
	for (unsigned i = 0; i < MEMBERS; i++) {
		check_member(world, before, i, is_in[i]);
		if (mcp_member_ops_have(shard->ops, mcp_bytes_of(names[i], NAME_LENGTH)) != is_in[i]) {
			plain_fail(world, "M2", "%s is in for one and out for another", names[i]);
		}
	}
	if (count != members->count) {
		plain_fail(world, "M2", "%zu members, and they count as %zu", count, members->count);
	}
}

static void read_all(plain_client *client, bool compacts) {
	const mcp_member_set *set = &state.sets[client->index];
	picture before = look_around();
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(set, &buffer, 0);
	mcp_op reply;
	reply.status = mcp_store_get(set->store, &key, &reply.item);
	mcp_member_shard shard;
	mcp_status status = mcp_member_set_parse(&reply, &shard);
	if (status == MCP_FOREIGN) {
		plain_fail(client->world, "M1", "what is stored is no set any more");
	}
	if (status != MCP_OK) {
		return;
	}
	mcp_members members;
	void *memory = mcp_member_set_replay(set, &shard, &members);
	check_read(client->world, &before, &shard, &members);
	bool is_wasteful = mcp_member_set_is_wasteful(set, &members);
	free(memory);
	if (is_wasteful && compacts) {
		mcp_member_set_compact(set, 0, &shard);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	unsigned number = sim_chance(choices, 25) ? MEMBERS - 1 : client->index;
	if (sim_chance(choices, 35)) {
		read_all(client, true);
	} else {
		change(client, number, sim_chance(choices, 55));
	}
	if (sim_chance(choices, 20)) {
		plain_sleep(client, 1 + sim_choose(choices, 2000));
	}
}

/* Programs of the search: changes during a compaction; a full item; a remove during the creation. */
static void run(plain_client *client) {
	unsigned variant = client->world->variant, number = client->index;
	if (number == 2) {
		read_all(client, true);
		return;
	}
	for (unsigned i = 0; i < (variant == 1 ? 2 : 1); i++) {
		change(client, number, true);
		change(client, number, false);
	}
	if (variant == 2) {
		change(client, number, true);
	}
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (status != MCP_OK) {
		return;
	}
	bool is_writers = request->operation >= 0;
	if (request->verb == MCP_OP_ADD) {
		state.made_ms = state.written_ms = world->now_ms;
		state.due_ms = state.begun_ms[request->operation] + state.sets[0].ttl_ms;
		state.lives_until_ms = state.due_ms;
		state.is_there = true;
	} else if (request->verb == MCP_OP_CAS) {
		state.written_ms = world->now_ms;
		state.lives_until_ms = world->now_ms + (is_writers ? 0 : state.sets[0].ttl_ms / 2);
	} else if (request->verb == MCP_OP_DELETE_IF) {
		state.lives_until_ms = world->now_ms;
	}
	bool is_change = is_writers && request->verb != MCP_OP_DELETE_IF;
	if (is_change && ++state.landed[request->operation] > 1) {
		plain_fail(world, "M5", "a change has taken effect twice");
	}
}

/* A lost set is empty (M6). */
static void lose_all(void) {
	state.losses++;
	state.is_there = false;
	for (unsigned i = 0; i < MEMBERS; i++) {
		state.members[i].is_in = false;
		state.members[i].is_unsure =
			state.members[i].is_unsure || state.members[i].changes % 2 != 0;
	}
}

static void lost(plain_world *world) {
	lose_all();
}

static void note_skew(const plain_world *world) {
	state.has_skew = state.has_skew || world->wall_ahead_ms > 0;
	for (unsigned i = 0; i < CLIENTS; i++) {
		state.has_skew = state.has_skew || world->clients[i].wall_ahead_ms > 0;
	}
}

/* Checks an item's end. With equal clocks, it is the planned end. Otherwise, it exceeds the planned end by at most
 * the clock differences of its creator and compactors, and the TTL after its last compaction, and only a writer can
 * shorten it. */
static void check_end(plain_world *world, bool is_there) {
	uint64_t ttl_ms = state.sets[0].ttl_ms;
	uint64_t skew_ms = state.has_skew ? SKEW_MS : 0;
	uint64_t until_ms = state.has_skew ? state.lives_until_ms : state.due_ms;
	if (is_there &&
		(world->now_ms > state.made_ms + ttl_ms + skew_ms + LEFTOVER_MS ||
			world->now_ms > state.written_ms + ttl_ms + LEFTOVER_MS)) {
		plain_fail(world, "M3", "the set outlives its end");
	}
	if (state.is_there && !is_there && world->now_ms + 2000 < until_ms) {
		plain_fail(world, "M3", "the set ends before its time");
	}
}

static void check(plain_world *world) {
	note_skew(world);
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&state.sets[0], &buffer, 0);
	mcp_item item;
	bool is_there = plain_peek(world, &key, &item) == MCP_OK;
	uint64_t ttl_ms = state.sets[0].ttl_ms;
	if (ttl_ms > 0) {
		check_end(world, is_there);
	}
	if (state.is_there && !is_there && ttl_ms > 0) {
		lose_all();
	}
}

static void finish(plain_world *world) {
	check(world);
	for (unsigned i = 0; i < CLIENTS && world->log.violated == NULL; i++) {
		read_all(&world->clients[i], true);
		read_all(&world->clients[i], false);
	}
}

const plain_family plain_set = {
	.client_count = CLIENTS,
	PLAIN_ITEMS("set:ids:0"),
	PLAIN_JUMPS(500, 3000, 12000),
	.skew_ms = SKEW_MS,
	.item_max = ROOM,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.lost = lost,
	.check = check,
	.finish = finish,
};
