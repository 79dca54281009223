/* The changes of store.h, each of them one request. */
/* SPDX-License-Identifier: MIT */
#include "world/door.h"

#include <stdlib.h>

const char *sim_verb_name(sim_verb verb) {
	static const char *const names[] = {
		[SIM_GET] = "get",
		[SIM_ADD] = "add",
		[SIM_SET] = "set",
		[SIM_CAS] = "cas",
		[SIM_PREPEND] = "prepend",
		[SIM_APPEND] = "append",
		[SIM_DELETE] = "delete",
		[SIM_DELETE_IF] = "delete_if",
		[SIM_INCREMENT] = "incr",
		[SIM_DECREMENT] = "decr",
		[SIM_TOUCH] = "touch",
		[SIM_STARTED] = "stats",
	};
	return names[verb];
}

sim_request *sim_door_begin(mcp_store *store, sim_verb verb, const mcp_key *key) {
	sim_door *door = sim_door_of(store);
	sim_request *request = door->way->begin(door, key);
	request->verb = verb;
	request->length = 0;
	request->flags = 0;
	request->cas = request->amount = request->ttl_ms = 0;
	return request;
}

static sim_request *append(sim_request *request, mcp_bytes bytes) {
	if (request->length + bytes.length > SIM_BYTES_MAX) {
		abort();
	}
	if (bytes.length > 0) {
		memcpy(request->bytes + request->length, bytes.data, bytes.length);
	}
	request->length = (uint16_t)(request->length + bytes.length);
	return request;
}

static sim_request *begin_record(mcp_store *store, sim_verb verb, const mcp_key *key,
	const mcp_record *record) {
	sim_request *request = sim_door_begin(store, verb, key);
	append(append(request, record->head), record->body);
	request->flags = record->flags;
	request->ttl_ms = record->ttl_ms;
	return request;
}

static mcp_status send_to(mcp_store *store, sim_request *request, sim_told *told) {
	sim_door *door = sim_door_of(store);
	told->has_proof = false;
	return door->way->send(door, request, told);
}

static mcp_status send(mcp_store *store, sim_request *request) {
	sim_told told;
	return send_to(store, request, &told);
}

static mcp_status send_record(mcp_store *store, sim_request *request, const mcp_record *record) {
	sim_told told;
	mcp_status status = send_to(store, request, &told);
	if (record->proof != NULL && told.has_proof) {
		*record->proof = told.proof;
	}
	return status;
}

mcp_status sim_door_add(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return send_record(store, begin_record(store, SIM_ADD, key, record), record);
}

mcp_status sim_door_set(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return send_record(store, begin_record(store, SIM_SET, key, record), record);
}

mcp_status sim_door_cas(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas_id) {
	sim_request *request = begin_record(store, SIM_CAS, key, record);
	request->cas = cas_id;
	return send_record(store, request, record);
}

static bool believes(mcp_store *store, const mcp_proof *proof) {
	const sim_door *door = sim_door_of(store);
	return door->way->believes(door, proof);
}

mcp_status sim_door_cas_proven(mcp_store *store, const mcp_key *key, const mcp_record *record,
	const mcp_proof *proof) {
	return believes(store, proof) ? sim_door_cas(store, key, record, proof->cas) : MCP_UNSUPPORTED;
}

mcp_status sim_door_prepend(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	return send(store, append(sim_door_begin(store, SIM_PREPEND, key), bytes));
}

mcp_status sim_door_append(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	return send(store, append(sim_door_begin(store, SIM_APPEND, key), bytes));
}

mcp_status sim_door_delete(mcp_store *store, const mcp_key *key) {
	return send(store, sim_door_begin(store, SIM_DELETE, key));
}

mcp_status sim_door_delete_if(mcp_store *store, const mcp_key *key, uint64_t cas_id) {
	sim_request *request = sim_door_begin(store, SIM_DELETE_IF, key);
	request->cas = cas_id;
	return send(store, request);
}

mcp_status sim_door_delete_proven(mcp_store *store, const mcp_key *key, const mcp_proof *proof) {
	return believes(store, proof) ? sim_door_delete_if(store, key, proof->cas) : MCP_UNSUPPORTED;
}

static mcp_status count(mcp_store *store, sim_verb verb, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	sim_request *request = sim_door_begin(store, verb, key);
	request->amount = by;
	sim_told told;
	mcp_status status = send_to(store, request, &told);
	if (status == MCP_OK) {
		*number = told.number;
	}
	return status;
}

mcp_status sim_door_increment(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	return count(store, SIM_INCREMENT, key, by, number);
}

mcp_status sim_door_decrement(mcp_store *store, const mcp_key *key, uint64_t by, uint64_t *number) {
	return count(store, SIM_DECREMENT, key, by, number);
}

mcp_status sim_door_touch(mcp_store *store, const mcp_key *key, uint64_t ttl_ms) {
	sim_request *request = sim_door_begin(store, SIM_TOUCH, key);
	request->ttl_ms = ttl_ms;
	return send(store, request);
}

mcp_store *sim_door_owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}
