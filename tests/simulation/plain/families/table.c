/* Table: processes put and delete their own rows while others compact the index. After an acknowledged put the row
 * exists and is listed, after a delete it is neither, for reads that begin before the next change. */
/* SPDX-License-Identifier: MIT */
#include "patterns/table/table.h"
#include "plain/families/families.h"

#include <stdlib.h>

enum {
	CLIENTS = 3,
	IDS = 2, /* one per client, except the last */
	ROUNDS = 7,
	/* The size of the index: 6 operations. */
	ROOM = MCP_APPEND_HEAD_LENGTH + 6 * 3,
};

static const char *const names[IDS] = {"a", "b"};

/* A row after its writer's last change. */
typedef struct record {
	bool is_in, is_unsure;
	char version;
	unsigned changes, losses; /* `losses`: at the beginning of the last change */
} record;

static struct {
	mcp_key_buffer buffer;
	mcp_key index_key;
	mcp_table_name name;
	mcp_member_pruning prunings[CLIENTS];
	mcp_table tables[CLIENTS];
	record records[IDS];
	unsigned losses;
} state;

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	mcp_table_name_make(&state.name, mcp_bytes_of("t", 1));
	state.index_key = mcp_table_index_key(&state.buffer, mcp_bytes_none(), &state.name);
	for (unsigned i = 0; i < CLIENTS; i++) {
		state.prunings[i] = (mcp_member_pruning){mcp_table_prune, &state.tables[i]};
		state.tables[i] = (mcp_table){
			.index =
				{
					.store = &world->clients[i].door.store,
					.environment = &world->clients[i].environment,
					.key = &state.index_key,
					.memory = {malloc, free},
					.pruning = &state.prunings[i],
					.shards = 1,
				},
			.name = &state.name,
		};
	}
}

static void change(plain_client *client, bool is_put) {
	const mcp_table *table = &state.tables[client->index];
	record *changed = &state.records[client->index];
	mcp_bytes id = mcp_bytes_of(names[client->index], 1);
	changed->changes++;
	unsigned losses = state.losses;
	char version = (char)changed->changes;
	mcp_status status = is_put ? mcp_table_put(table, id, mcp_bytes_of(&version, 1), 0)
							   : mcp_table_delete(table, id);
	changed->changes++;
	plain_trace(client->world, "client %u: %s %s -> %d", client->index, is_put ? "put" : "delete",
		names[client->index], (int)status);
	changed->losses = losses;
	changed->is_in = is_put;
	changed->version = version;
	/* A change without a reply can take effect at any time. */
	changed->is_unsure = changed->is_unsure || status != MCP_OK;
}

static bool is_listed(plain_client *client, mcp_bytes id, mcp_status *status) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&state.tables[client->index].index, &buffer, 0);
	mcp_op reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(&client->door.store, &key, &reply.item);
	*status = mcp_member_set_parse(&reply, &shard);
	return *status == MCP_OK && mcp_member_ops_have(shard.ops, id);
}

static void check_record(plain_world *world, const record *before, unsigned number, bool is_there,
	bool is_listed_too, const mcp_row *row) {
	const record *now = &state.records[number];
	bool is_still = before->changes == now->changes && now->changes % 2 == 0;
	if (!is_still || now->is_unsure || now->losses != state.losses) {
		return;
	}
	if (now->is_in && (!is_there || row->payload.data[0] != now->version)) {
		plain_fail(world, "B1", "the row %s is not what was put", names[number]);
	}
	if (now->is_in && !is_listed_too) {
		plain_fail(world, "B4", "the row %s was put, and is not listed", names[number]);
	}
	if (!now->is_in && now->changes > 0 && (is_there || is_listed_too)) {
		plain_fail(world, "B2", "the row %s was deleted, and is %s", names[number],
			is_there ? "there" : "listed");
	}
}

static void look(plain_client *client, unsigned number) {
	record before = state.records[number];
	mcp_bytes id = mcp_bytes_of(names[number], 1);
	mcp_status status;
	bool was_listed = is_listed(client, id, &status);
	mcp_row row;
	if (status == MCP_OK && mcp_table_get(&state.tables[client->index], id, &row) == MCP_OK) {
		check_record(client->world, &before, number, row.is_there, was_listed, &row);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	bool has_own = client->index < IDS;
	if (has_own && sim_chance(choices, 60)) {
		change(client, sim_chance(choices, 65));
	} else if (sim_chance(choices, 50)) {
		mcp_table_tidy(&state.tables[client->index]);
	} else {
		look(client, sim_choose(choices, IDS));
	}
}

/* Programs of the search: put, delete and put during a compaction, and an eviction of the row. */
static void run(plain_client *client) {
	if (client->index == 0) {
		change(client, true);
		change(client, client->world->variant == 1);
		change(client, true);
	} else if (client->index == 1) {
		mcp_table_tidy(&state.tables[1]);
		look(client, 0);
	}
}

static void lost(plain_world *world) {
	state.losses++;
}

/* After all faults, the next put shows in get and in the list (B3). */
static void finish(plain_world *world) {
	for (unsigned i = 0; i < IDS; i++) {
		look(&world->clients[2], i);
		state.records[i].is_unsure = false;
		change(&world->clients[i], true);
		look(&world->clients[2], i);
		mcp_table_tidy(&state.tables[2]);
		look(&world->clients[2], i);
		change(&world->clients[i], false);
		look(&world->clients[2], i);
	}
}

const plain_family plain_table = {
	.client_count = CLIENTS,
	PLAIN_ITEMS("row:t:a", "row:t:b", "row:t::0"),
	PLAIN_JUMPS(500, 3000),
	.item_max = ROOM,
	.asks_for_proofs = true,
	.lands_in_order = true,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.lost = lost,
	.finish = finish,
};
