/* store.h and mcp_environment for one simulated client: each call gives way until its turn has come and
 * meets its fault, then takes effect on the store in memory. */
/* SPDX-License-Identifier: MIT */
#include "plain/client.h"

#include <stdlib.h>

#define SHUNNED_MS 1000

static plain_client *client_of(mcp_store *store) {
	return (plain_client *)(void *)store;
}

static const char *name_of(plain_verb verb) {
	static const char *const names[] = {"get", "add", "set", "cas", "append", "delete", "delete_if",
		"incr", "decr", "stats"};
	return names[verb];
}

/* Never comes back. */
static void die(plain_client *client) {
	plain_trace(client->world, "client %u is killed", client->index);
	client->is_dead = true;
	client->phase = PLAIN_IDLE;
	for (;;) {
		sim_fiber_give_way();
	}
}

/* Its connection is closed with it. */
static void shun(plain_client *client) {
	client->connection++;
	if (client->world->shuns) {
		client->shunned_until_ms = client->world->now_ms + SHUNNED_MS;
	}
}

static bool is_read(plain_verb verb) {
	return verb == PLAIN_GET || verb == PLAIN_STARTED;
}

/* The call's turn has come: what becomes of it. */
static plain_fault meet(plain_client *client, plain_verb verb) {
	plain_world *world = client->world;
	client->was_answered = false;
	if (world->is_quiet) {
		return PLAIN_SOUND;
	}
	if (world->now_ms < client->shunned_until_ms) {
		return PLAIN_REFUSE;
	}
	client->verb = verb;
	client->phase = PLAIN_CALLING;
	sim_fiber_give_way();
	bool is_broken = client->generation != world->generation;
	client->generation = world->generation;
	client->connection += is_broken;
	if (client->fault == PLAIN_KILL_BEFORE || (is_broken && client->fault == PLAIN_KILL_AFTER)) {
		die(client);
	}
	/* The connection of before the restart breaks: a read is sent again, a write is not. */
	return is_broken && !is_read(verb) ? PLAIN_LOSE_REQUEST : client->fault;
}

/* After the effect: the answer's way back. */
static bool is_answered(plain_client *client, plain_fault fault) {
	if (fault == PLAIN_KILL_AFTER) {
		die(client);
	}
	if (fault == PLAIN_STOP_AFTER) {
		const plain_family *family = client->world->family;
		uint32_t duration_ms =
			family->jumps_ms[plain_choose(client->world->choices, family->jump_count)];
		plain_trace(client->world, "client %u stands still for %u ms", client->index, duration_ms);
		plain_pass(client->world, duration_ms);
	}
	if (fault == PLAIN_LOSE_REPLY) {
		shun(client);
		return false;
	}
	client->was_answered = true;
	client->insisted = 0;
	return true;
}

static mcp_key key_of(const plain_request *request) {
	mcp_bytes bytes = mcp_bytes_of(request->key, request->key_length);
	return (mcp_key){.wire = bytes, .route = bytes};
}

static mcp_status append_within(plain_world *world, const mcp_key *key, mcp_bytes bytes) {
	uint32_t item_max = world->family->item_max;
	mcp_item item;
	bool is_full = item_max > 0 && mcp_store_get(world->memory, key, &item) == MCP_OK &&
		item.value.length + bytes.length > item_max;
	return is_full ? MCP_NOT_STORED : mcp_store_append(world->memory, key, bytes);
}

static mcp_status apply(plain_world *world, const plain_request *request, uint64_t *number,
	mcp_proof *proof) {
	mcp_key key = key_of(request);
	mcp_record record = {
		.body = mcp_bytes_of(request->body, request->body_length),
		.flags = request->flags,
		.ttl_ms = request->ttl_ms,
		.proof = proof,
	};
	switch (request->verb) {
		case PLAIN_ADD:
			return mcp_store_add(world->memory, &key, &record);
		case PLAIN_SET:
			return mcp_store_set(world->memory, &key, &record);
		case PLAIN_CAS:
			return mcp_store_cas(world->memory, &key, &record, request->cas);
		case PLAIN_APPEND:
			return append_within(world, &key, record.body);
		case PLAIN_DELETE:
			return mcp_store_delete(world->memory, &key);
		case PLAIN_DELETE_IF:
			return mcp_store_delete_if(world->memory, &key, request->cas);
		case PLAIN_INCREMENT:
			return mcp_store_increment(world->memory, &key, request->amount, number);
		default:
			return mcp_store_decrement(world->memory, &key, request->amount, number);
	}
}

mcp_status plain_client_execute(plain_world *world, const plain_request *request, uint64_t *number,
	mcp_proof *proof) {
	mcp_key key = key_of(request);
	mcp_reply before;
	before.status = mcp_store_get(world->memory, &key, &before.item);
	mcp_status status = apply(world, request, number, proof);
	plain_trace(world, "client %u: %s %.*s %.*s%.0llu -> %d", request->client,
		name_of(request->verb), (int)request->key_length, request->key, (int)request->body_length,
		request->body, (unsigned long long)request->amount, (int)status);
	if (!world->is_quiet) {
		world->family->effect(world, request, status, &before);
	}
	return status;
}

void plain_client_land(plain_world *world, unsigned late) {
	plain_request request = world->late[late];
	world->late[late] = world->late[--world->late_count];
	uint64_t number;
	request.is_late = true;
	plain_trace(world, "a late request arrives");
	plain_client_execute(world, &request, &number, NULL);
}

static plain_request *begin(plain_client *client, plain_request *request, plain_verb verb,
	const mcp_key *key) {
	if (key->wire.length > PLAIN_KEY_MAX) {
		abort();
	}
	*request = (plain_request){
		.verb = verb,
		.client = (uint8_t)client->index,
		.operation = client->operation,
		.key_length = (unsigned)key->wire.length,
	};
	memcpy(request->key, key->wire.data, key->wire.length);
	return request;
}

static void fill(plain_request *request, const mcp_record *record) {
	size_t head = record->head.length;
	if (head + record->body.length > PLAIN_BODY_MAX) {
		abort();
	}
	request->body_length = (unsigned)(head + record->body.length);
	if (head > 0) {
		memcpy(request->body, record->head.data, head);
	}
	if (record->body.length > 0) {
		memcpy(request->body + head, record->body.data, record->body.length);
	}
	request->flags = record->flags;
	request->ttl_ms = record->ttl_ms;
}

static mcp_status send_proven(plain_client *client, const plain_request *request, uint64_t *number,
	mcp_proof *proof) {
	plain_fault fault = meet(client, request->verb);
	if (fault == PLAIN_REFUSE) {
		shun(client);
		plain_trace(client->world, "client %u: %s is refused", client->index,
			name_of(request->verb));
		return MCP_UNREACHABLE;
	}
	if (fault == PLAIN_LOSE_REQUEST || fault == PLAIN_DELAY_REQUEST) {
		if (fault == PLAIN_DELAY_REQUEST) {
			client->world->late[client->world->late_count++] = *request;
		}
		shun(client);
		plain_trace(client->world, "client %u: %s is %s", client->index, name_of(request->verb),
			fault == PLAIN_DELAY_REQUEST ? "delayed" : "lost");
		return MCP_UNKNOWN;
	}
	mcp_proof proven = {.cas = 0};
	mcp_status status = plain_client_execute(client->world, request, number, &proven);
	if (!is_answered(client, fault)) {
		return MCP_UNKNOWN;
	}
	if (proof != NULL && client->world->proves) {
		*proof = (mcp_proof){proven.cas, client->connection};
	}
	return status;
}

static mcp_status send(plain_client *client, const plain_request *request, uint64_t *number) {
	return send_proven(client, request, number, NULL);
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	plain_client *client = client_of(store);
	plain_fault fault = meet(client, PLAIN_GET);
	if (fault == PLAIN_REFUSE) {
		shun(client);
		return MCP_UNREACHABLE;
	}
	mcp_status status = mcp_store_get(client->world->memory, key, item);
	if (status == MCP_OK) {
		memset(client->view[client->view_index], 0xA5, PLAIN_BODY_MAX);
		client->view_index ^= 1;
		char *view = client->view[client->view_index];
		memcpy(view, item->value.data, item->value.length);
		item->value.data = view;
	}
	plain_trace(client->world, "client %u: get %.*s -> %d %.*s", client->index,
		(int)key->wire.length, key->wire.data, (int)status,
		status == MCP_OK ? (int)item->value.length : 0, status == MCP_OK ? item->value.data : "");
	return is_answered(client, fault) ? status : MCP_TIMEOUT;
}

/* Nothing becomes of the read here that has not become of it at its beginning. */
static void let_others_come_between(plain_client *client, size_t key) {
	const plain_world *world = client->world;
	if (key == 0 || world->is_quiet || !world->family->reads_apart) {
		return;
	}
	plain_fault met = client->fault;
	client->verb = PLAIN_STARTED;
	client->phase = PLAIN_CALLING;
	sim_fiber_give_way();
	if (client->fault == PLAIN_KILL_AFTER) {
		die(client);
	}
	client->fault = met;
}

static void read_one(plain_client *client, size_t index, const mcp_key *key, mcp_reply *reply) {
	reply->status = mcp_store_get(client->world->memory, key, &reply->item);
	if (reply->status == MCP_OK) {
		mcp_bytes *value = &reply->item.value;
		memcpy(client->many[index], value->data, value->length);
		value->data = client->many[index];
	}
	plain_trace(client->world, "client %u: get %.*s -> %d", client->index, (int)key->wire.length,
		key->wire.data, (int)reply->status);
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	plain_client *client = client_of(store);
	plain_fault fault = meet(client, PLAIN_GET);
	if (count > PLAIN_MANY_MAX) {
		abort();
	}
	for (size_t i = 0; i < count; i++) {
		let_others_come_between(client, i);
		read_one(client, i, &keys[i], &replies[i]);
	}
	bool has_answer = fault != PLAIN_REFUSE && is_answered(client, fault);
	for (size_t i = 0; i < count && !has_answer; i++) {
		replies[i].status = fault == PLAIN_REFUSE ? MCP_UNREACHABLE : MCP_TIMEOUT;
	}
}

static mcp_status add(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	plain_request request;
	fill(begin(client_of(store), &request, PLAIN_ADD, key), record);
	return send_proven(client_of(store), &request, NULL, record->proof);
}

static mcp_status set(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	plain_request request;
	fill(begin(client_of(store), &request, PLAIN_SET, key), record);
	return send(client_of(store), &request, NULL);
}

static mcp_status cas(mcp_store *store, const mcp_key *key, const mcp_record *record, uint64_t id) {
	plain_request request;
	fill(begin(client_of(store), &request, PLAIN_CAS, key), record);
	request.cas = id;
	return send_proven(client_of(store), &request, NULL, record->proof);
}

static mcp_status cas_proven(mcp_store *store, const mcp_key *key, const mcp_record *record,
	const mcp_proof *proof) {
	return mcp_proof_holds(proof, client_of(store)->connection)
		? cas(store, key, record, proof->cas)
		: MCP_UNSUPPORTED;
}

static mcp_status append(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	plain_request request;
	fill(begin(client_of(store), &request, PLAIN_APPEND, key), &(mcp_record){.body = bytes});
	return send(client_of(store), &request, NULL);
}

static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	plain_request request;
	begin(client_of(store), &request, PLAIN_DELETE, key);
	return send(client_of(store), &request, NULL);
}

static mcp_status delete_if(mcp_store *store, const mcp_key *key, uint64_t id) {
	plain_request request;
	begin(client_of(store), &request, PLAIN_DELETE_IF, key)->cas = id;
	return send(client_of(store), &request, NULL);
}

static mcp_status delete_proven(mcp_store *store, const mcp_key *key, const mcp_proof *proof) {
	return mcp_proof_holds(proof, client_of(store)->connection) ? delete_if(store, key, proof->cas)
																: MCP_UNSUPPORTED;
}

static mcp_status increment(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	plain_request request;
	begin(client_of(store), &request, PLAIN_INCREMENT, key)->amount = by;
	return send(client_of(store), &request, number);
}

static mcp_status decrement(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	plain_request request;
	begin(client_of(store), &request, PLAIN_DECREMENT, key)->amount = by;
	return send(client_of(store), &request, number);
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	plain_client *client = client_of(store);
	plain_fault fault = meet(client, PLAIN_STARTED);
	if (fault == PLAIN_REFUSE) {
		shun(client);
		return MCP_UNREACHABLE;
	}
	mcp_status status = mcp_store_started_us(client->world->memory, key, started);
	return is_answered(client, fault) ? status : MCP_TIMEOUT;
}

static void insist(mcp_store *store, const mcp_key *key, mcp_insistence what_for) {
	(void)key;
	plain_client *client = client_of(store);
	if ((client->insisted & (unsigned)what_for) == 0) {
		client->insisted |= (unsigned)what_for;
		client->shunned_until_ms = 0;
	}
}

static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}

/* What the patterns of these families never call is not there to be called. */
static const mcp_store_operations operations = {
	.get = get,
	.get_many = get_many,
	.add = add,
	.set = set,
	.cas = cas,
	.append = append,
	.delete = delete_one,
	.delete_if = delete_if,
	.cas_proven = cas_proven,
	.delete_proven = delete_proven,
	.increment = increment,
	.decrement = decrement,
	.owner = owner,
	.started_us = started_us,
	.insist = insist,
};

void plain_client_prepare(plain_client *client, plain_world *world, unsigned index) {
	client->store = (mcp_store){&operations, "simulated"};
	plain_client_set_environment(client);
	client->world = world;
	client->index = index;
	client->phase = PLAIN_IDLE;
	client->is_dead = false;
	client->random = 77 * (index + 1);
	client->wall_ahead_ms = 0;
	client->generation = 0;
	client->connection = (uint64_t)(index + 1) << 32;
	client->shunned_until_ms = 0;
	client->insisted = 0;
	client->slept_ms = 0;
	client->operation = -1;
}
