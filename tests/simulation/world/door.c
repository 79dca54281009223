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

static sim_verb verb_of(const mcp_op *op) {
	static const sim_verb verbs[] = {
		[MCP_OP_ADD] = SIM_ADD,
		[MCP_OP_SET] = SIM_SET,
		[MCP_OP_CAS] = SIM_CAS,
		[MCP_OP_PREPEND] = SIM_PREPEND,
		[MCP_OP_APPEND] = SIM_APPEND,
		[MCP_OP_DELETE] = SIM_DELETE,
		[MCP_OP_DELETE_IF] = SIM_DELETE_IF,
		[MCP_OP_INCREMENT] = SIM_INCREMENT,
		[MCP_OP_DECREMENT] = SIM_DECREMENT,
		[MCP_OP_TOUCH] = SIM_TOUCH,
	};
	return verbs[op->verb];
}

mcp_status sim_door_change(mcp_store *store, mcp_op *op) {
	sim_door *door = sim_door_of(store);
	sim_told told = {.has_proof = false};
	bool is_unproven = op->expects.connection != 0 && !door->way->believes(door, &op->expects);
	if (is_unproven || mcp_op_is_read(op)) {
		return MCP_UNSUPPORTED;
	}
	sim_request *request = sim_door_begin(store, verb_of(op), op->key);
	request->cas = op->expects.cas;
	request->amount = op->by;
	if (op->record != NULL) {
		fill(request, op->record);
	}
	mcp_status status = door->way->send(door, request, &told);
	op->number = status == MCP_OK ? told.number : op->number;
	if (op->record != NULL && op->record->proof != NULL && told.has_proof) {
		*op->record->proof = told.proof;
	}
	return status;
}
