/* Implements store.h and mcp_environment for a simulated client. Each store call copies its arguments into a
 * request, yields until the world has the reply, and returns views that end as documented. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"

#include "cache/judges/checks.h"
#include "cache/judges/judge.h"

#include "../../../src/store/store.h"

#include <stdlib.h>

static const char *const wire_names[SIM_OF_KEYS] = {"k0", "k0_increment", "k1", "k1_increment",
	"k2", "k2_increment"};

const char *sim_item_name(const sim_world *world, unsigned item) {
	return sim_item_is_other(item) ? world->others[item - SIM_OF_KEYS] : wire_names[item];
}

mcp_key sim_key(unsigned index) {
	mcp_bytes wire = mcp_bytes_of(wire_names[2 * index], 2);
	return (mcp_key){.wire = wire, .route = wire, .fingerprint = sim_mix(index + 1)};
}

static sim_member *member_of(mcp_store *store) {
	return (sim_member *)(void *)store;
}

static sim_client *client_of(mcp_store *store) {
	return member_of(store)->client;
}

bool sim_is_of_key(mcp_bytes wire) {
	return wire.length >= 2 && wire.data[0] == 'k' && wire.data[1] >= '0' &&
		wire.data[1] < '0' + SIM_KEYS_MAX &&
		(wire.length == 2 || (wire.length > 2 && wire.data[2] == '_'));
}

/* Returns the item of the name; a new name gets an item. */
static uint8_t item_of_other(sim_world *world, mcp_bytes wire) {
	for (unsigned i = 0; i < SIM_OTHERS_MAX && wire.length < SIM_NAME_MAX; i++) {
		char *name = world->others[i];
		if (name[0] == 0) {
			memcpy(name, wire.data, wire.length);
			name[wire.length] = 0;
		}
		if (strlen(name) == wire.length && memcmp(name, wire.data, wire.length) == 0) {
			return (uint8_t)(SIM_OF_KEYS + i);
		}
	}
	abort();
}

/* Returns the item of "k1", "k1_increment" or another name. */
static uint8_t item_of(sim_world *world, const mcp_key *key) {
	if (!sim_is_of_key(key->wire)) {
		return item_of_other(world, key->wire);
	}
	unsigned index = (unsigned)(key->wire.data[1] - '0');
	return (uint8_t)(2 * index + (key->wire.length > 2 ? 1 : 0));
}

static sim_request *begin_at(sim_member *member, unsigned place, const mcp_key *key) {
	sim_request *request = &member->client->call.requests[place];
	sim_request_name(request, key->wire);
	member->client->call.count = place + 1;
	request->server = (uint8_t)member->index;
	request->item = item_of(member->client->world, key);
	return request;
}

static sim_request *begin(sim_door *door, const mcp_key *key) {
	return begin_at(member_of(&door->store), 0, key);
}

static void note_server(const sim_client *client, const sim_request *request) {
	bool is_of_many = client->is_at_many && !sim_item_is_other(request->item);
	sim_entry *entry = is_of_many ? &client->world->entries[client->entries[request->item / 2]]
								  : sim_current_entry(client);
	if (entry != NULL && request->item == 2 * entry->key) {
		entry->server = request->server;
	}
}

/* All requests of a call go to one server. */
static void make_call(sim_client *client) {
	const sim_request *request = &client->call.requests[0];
	for (unsigned i = 0; i < client->call.count; i++) {
		note_server(client, &client->call.requests[i]);
	}
	sim_world_call(client);
	client->members[request->server].failures += client->call.failure != MCP_OK;
}

/* Returns the status of a request of the call. */
static mcp_status status_of(const sim_call *call, unsigned index) {
	bool has_failed = call->failure != MCP_OK && index >= call->answered;
	return has_failed ? call->failure : call->answers[index].status;
}

/* The connection number changes with each noticed restart, each call without a reply, and each process. */
static uint64_t connection_of(const sim_member *member) {
	uint64_t of_process = (uint64_t)(member->client->process + 1) << 48;
	return of_process ^ (member->failures << 32) ^ member->generation;
}

static mcp_status send(sim_door *door, sim_request *request, sim_told *told) {
	const sim_member *member = member_of(&door->store);
	sim_client *client = member->client;
	if (request->length > SIM_VALUE_MAX) {
		abort();
	}
	sim_check_request(client, request);
	make_call(client);
	const sim_answer *answer = &client->call.answers[0];
	mcp_status status = status_of(&client->call, 0);
	sim_check_answer(client, request, status);
	told->number = answer->number;
	told->has_proof = status == MCP_OK;
	told->proof = (mcp_proof){answer->cas, connection_of(member)};
	return status;
}

/* Accepts a proof. In half of the worlds the transport has no proofs. */
static bool believes(const sim_door *door, const mcp_proof *proof) {
	const sim_member *member = (const sim_member *)(const void *)door;
	bool is_possible = (member->client->world->scenario->seed & 1) != 0;
	return is_possible && mcp_proof_holds(proof, connection_of(member));
}

const sim_way sim_member_way = {begin, send, believes};

static void hand_out(sim_member *member, unsigned index, mcp_op *reply) {
	const sim_item *from = &member->client->call.answers[index].item;
	char *view = member->views[member->view][index];
	memcpy(view, from->bytes, from->length);
	reply->item = (mcp_item){mcp_bytes_of(view, from->length), from->flags, false, from->cas, 0};
}

/* Ends the views of the previous read. */
static void turn_views(sim_member *member, unsigned count) {
	memset(member->views[member->view], 0xA5, member->handed_out * sizeof(member->views[0][0]));
	member->view ^= 1;
	member->handed_out = count;
}

static void get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	sim_client *client = client_of(store);
	if (count > SIM_BATCH_MAX) {
		abort();
	}
	for (unsigned i = 0; i < count; i++) {
		begin_at(member_of(store), i, ops[i]->key)->verb = MCP_OP_GET;
	}
	make_call(client);
	turn_views(member_of(store), (unsigned)count);
	for (unsigned i = 0; i < count; i++) {
		ops[i]->status = status_of(&client->call, i);
		sim_check_answer(client, &client->call.requests[i], ops[i]->status);
		sim_check_look(client, &client->call.requests[i], &client->call.answers[i].item);
		if (ops[i]->status == MCP_OK) {
			hand_out(member_of(store), i, ops[i]);
		}
	}
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	mcp_op reply;
	mcp_op *list[] = {&reply};
	mcp_op_begin(&reply, MCP_OP_GET, key, NULL);
	get_many(store, list, 1);
	if (reply.status == MCP_OK) {
		*item = reply.item;
	}
	return reply.status;
}

/* Reads like get, but returns no view and ends none. */
static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas_id) {
	sim_client *client = client_of(store);
	sim_door_begin(store, MCP_OP_GET, key);
	make_call(client);
	mcp_status status = status_of(&client->call, 0);
	*cas_id = status == MCP_OK ? client->call.answers[0].item.cas : 0;
	return status;
}

/* Reports the start in half of the worlds. The servers of the others do not support it. */
static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	const mcp_key name = {.wire = mcp_bytes_of("start", 5), .route = mcp_bytes_of("start", 5)};
	uint64_t cas;
	if ((client_of(store)->world->scenario->seed & 4) == 0) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = cas_of(store, &name, &cas);
	*started = 1 + (uint64_t)member_of(store)->generation;
	return mcp_status_is_unanswered(status) ? status : MCP_OK;
}

static bool is_tripped(mcp_store *store) {
	const sim_member *member = member_of(store);
	return member->shunned_until_ms > member->client->world->now_ms;
}

/* Counts breaks. The call that finds a restart notices it, and a read is sent again. */
static uint64_t breaks(mcp_store *store) {
	return member_of(store)->failures * UINT32_MAX + member_of(store)->generation;
}

/* True if this process knows of a late write, as a wire would by its abandoned connections. */
static bool has_late_write(mcp_store *store) {
	const sim_member *member = member_of(store);
	const sim_world *world = member->client->world;
	for (unsigned i = 0; i < world->late_count; i++) {
		const sim_request *late = &world->late[i];
		if (late->client == member->client->index && late->process == member->client->process &&
			late->server == member->index) {
			return true;
		}
	}
	return false;
}

/* Reads any key. */
static mcp_status ping(mcp_store *store) {
	mcp_key key = sim_key(0);
	uint64_t cas_id;
	mcp_status status = is_tripped(store) ? MCP_UNREACHABLE : cas_of(store, &key, &cas_id);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

static mcp_status change(mcp_store *store, mcp_op *op) {
	if (op->verb == MCP_OP_PING) {
		return ping(store);
	}
	return op->verb == MCP_OP_GET_CAS ? cas_of(store, op->key, &op->item.cas)
									  : sim_door_change(store, op);
}

/* The operations that patterns use. Faults implement administrative operations, so their entries are empty. */
const mcp_store_operations sim_member_operations = {
	.get = get,
	.started_us = started_us,
	.change = change,
	.proves = true,
	.get_many = get_many,
	.is_tripped = is_tripped,
	.breaks = breaks,
	.has_late_write = has_late_write,
};

void sim_client_note_wall(sim_client *client) {
	sim_entry *entry = sim_current_entry(client);
	if (entry != NULL) {
		uint64_t now_ms = sim_wall_ms(client);
		sim_entry_see_wall(entry, now_ms, now_ms);
	}
}

void sim_client_turn_to(sim_client *client, unsigned key) {
	const sim_entry *from = sim_current_entry(client);
	client->entry = client->entries[key];
	sim_entry *to = sim_current_entry(client);
	if (from != NULL && to != NULL) {
		sim_entry_see_wall(to, from->wall_low, from->wall_high);
	}
	sim_client_note_wall(client);
}

static uint64_t wall_ms(const mcp_environment *environment) {
	sim_client *client = environment->context;
	sim_client_note_wall(client);
	return sim_wall_ms(client);
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	const sim_client *client = environment->context;
	return client->world->now_ms + client->paused_ms;
}

static uint64_t random_u64(const mcp_environment *environment) {
	sim_client *client = environment->context;
	return sim_random(&client->random);
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	sim_client *client = environment->context;
	sim_entry *entry = sim_current_entry(client);
	if (entry != NULL) {
		sim_check_pause(client, entry);
		entry->slept_ms += duration_ms;
		entry->pauses++;
	}
	sim_world_sleep(client, client->world->now_ms + duration_ms);
}

void sim_client_set_environment(sim_client *client) {
	client->environment = (mcp_environment){
		.wall_ms = wall_ms,
		.monotonic_ms = monotonic_ms,
		.random_u64 = random_u64,
		.sleep_ms = sleep_ms,
		.context = client,
	};
}
