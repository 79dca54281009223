/* The write operations of store.h, each as one request. */
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

static void append(sim_request *request, mcp_bytes bytes) {
	if (request->length + bytes.length > SIM_BYTES_MAX) {
		abort();
	}
	if (bytes.length > 0) {
		memcpy(request->bytes + request->length, bytes.data, bytes.length);
	}
	request->length = (uint16_t)(request->length + bytes.length);
}

static void fill(sim_request *request, const mcp_record *record) {
	append(request, record->head);
	append(request, record->body);
	request->flags = record->flags;
	request->ttl_ms = record->ttl_ms;
}

static sim_verb verb_of(const mcp_change *change) {
	static const sim_verb verbs[] = {
		[MCP_CHANGE_ADD] = SIM_ADD,
		[MCP_CHANGE_SET] = SIM_SET,
		[MCP_CHANGE_CAS] = SIM_CAS,
		[MCP_CHANGE_CAS_PROVEN] = SIM_CAS,
		[MCP_CHANGE_PREPEND] = SIM_PREPEND,
		[MCP_CHANGE_APPEND] = SIM_APPEND,
		[MCP_CHANGE_DELETE] = SIM_DELETE,
		[MCP_CHANGE_DELETE_IF] = SIM_DELETE_IF,
		[MCP_CHANGE_DELETE_PROVEN] = SIM_DELETE_IF,
		[MCP_CHANGE_INCREMENT] = SIM_INCREMENT,
		[MCP_CHANGE_DECREMENT] = SIM_DECREMENT,
		[MCP_CHANGE_TOUCH] = SIM_TOUCH,
	};
	return verbs[change->verb];
}

static void tell(const sim_told *told, mcp_status status, const mcp_change *change) {
	if (change->number != NULL && status == MCP_OK) {
		*change->number = told->number;
	}
	if (change->record != NULL && change->record->proof != NULL && told->has_proof) {
		*change->record->proof = told->proof;
	}
}

mcp_status sim_door_change(mcp_store *store, const mcp_key *key, const mcp_change *change) {
	sim_door *door = sim_door_of(store);
	sim_told told = {.has_proof = false};
	if (change->proof != NULL && !door->way->believes(door, change->proof)) {
		return MCP_UNSUPPORTED;
	}
	sim_request *request = sim_door_begin(store, verb_of(change), key);
	request->cas = change->proof != NULL ? change->proof->cas : change->cas;
	request->amount = change->by;
	if (change->record != NULL) {
		fill(request, change->record);
	}
	mcp_status status = door->way->send(door, request, &told);
	tell(&told, status, change);
	return status;
}

mcp_store *sim_door_owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}
