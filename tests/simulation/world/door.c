/* The write operations of store.h, each as one request. */
/* SPDX-License-Identifier: MIT */
#include "world/door.h"

#include "store/memory/store_memory.h"

#include <stdlib.h>

const char *sim_verb_name(mcp_op_verb verb) {
	static const char *const names[] = {
		[MCP_OP_GET] = "get",
		[MCP_OP_ADD] = "add",
		[MCP_OP_SET] = "set",
		[MCP_OP_CAS] = "cas",
		[MCP_OP_PREPEND] = "prepend",
		[MCP_OP_APPEND] = "append",
		[MCP_OP_DELETE] = "delete",
		[MCP_OP_DELETE_IF] = "delete_if",
		[MCP_OP_INCREMENT] = "incr",
		[MCP_OP_DECREMENT] = "decr",
		[MCP_OP_TOUCH] = "touch",
		[MCP_OP_PING] = "stats",
	};
	return names[verb];
}

const char *sim_fault_name(sim_fault_kind kind) {
	static const char *const names[] = {
		[SIM_LOSE_REQUEST] = "loses its request",
		[SIM_LOSE_REPLY] = "loses the answer",
		[SIM_DELAY_REQUEST] = "has its request delayed",
		[SIM_REFUSE] = "is refused",
		[SIM_NO_MEMORY] = "finds no memory",
		[SIM_DELAY_REPLY] = "has the answer delayed",
		[SIM_STOP_BEFORE] = "stands still before sending",
		[SIM_STOP_AFTER] = "stands still before it reads the answer",
		[SIM_KILL_BEFORE] = "is about to be killed",
		[SIM_KILL_AFTER] = "will be killed when the server has done this",
		[SIM_KILL_LATE] = "is about to be killed, its request sent",
		[SIM_EVICT] = "evict",
		[SIM_FLUSH] = "flush",
		[SIM_RESTART] = "the server restarts",
		[SIM_DOWN] = "the server is down for ms:",
		[SIM_FREEZE] = "the server is frozen for ms:",
		[SIM_CUT] = "the server is out of a client's reach for ms:",
		[SIM_MOVE_CLOCK] = "a clock moves by ms:",
		[SIM_GARBLE] = "somebody else writes",
		[SIM_PLAIN] = "a client without envelopes writes",
		[SIM_FULL] = "has no memory",
	};
	return names[kind];
}

void sim_request_name(sim_request *request, mcp_bytes name) {
	if (name.length > SIM_NAME_MAX) {
		abort();
	}
	request->name_length = (uint16_t)name.length;
	memcpy(request->name, name.data, name.length);
}

sim_request *sim_door_begin(mcp_store *store, mcp_op_verb verb, const mcp_key *key) {
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

/* A random source that nothing depends on. */
static uint64_t same_u64(const mcp_environment *environment) {
	return 77;
}

mcp_store *sim_store_create(mcp_environment *environment,
	uint64_t (*wall_ms)(const mcp_environment *environment), void *context) {
	*environment =
		(mcp_environment){.wall_ms = wall_ms, .random_u64 = same_u64, .context = context};
	mcp_store *memory = mcp_store_memory_create("memory://simulated", environment);
	if (memory == NULL) {
		abort();
	}
	return memory;
}

/* True if a prepend or append would exceed the maximum. */
static bool is_too_long(const mcp_op *op, mcp_store *memory, size_t value_max) {
	mcp_item item;
	bool joins = op->verb == MCP_OP_PREPEND || op->verb == MCP_OP_APPEND;
	return joins && mcp_store_get(memory, op->key, &item) == MCP_OK &&
		item.value.length + op->record->body.length > value_max;
}

mcp_status sim_request_execute(const sim_request *request, uint64_t ttl_ms, mcp_store *memory,
	size_t value_max, sim_told *told) {
	mcp_key key = sim_request_key(request);
	mcp_record record = {
		.body = sim_request_value(request),
		.flags = request->flags,
		.ttl_ms = ttl_ms,
		.proof = &told->proof,
	};
	mcp_op op = {
		.verb = request->verb,
		.key = &key,
		.record = &record,
		.expects.cas = request->cas,
		.by = request->amount,
	};
	if (is_too_long(&op, memory, value_max)) {
		return MCP_NOT_STORED;
	}
	told->proof.cas = 0;
	mcp_status status = mcp_store_change(memory, &op);
	told->number = op.number;
	return status;
}

mcp_status sim_door_change(mcp_store *store, mcp_op *op) {
	sim_door *door = sim_door_of(store);
	sim_told told = {.has_proof = false};
	bool is_unproven = op->expects.connection != 0 && !door->way->believes(door, &op->expects);
	if (is_unproven || mcp_op_is_read(op)) {
		return MCP_UNSUPPORTED;
	}
	sim_request *request = sim_door_begin(store, op->verb, op->key);
	request->cas = op->expects.cas;
	request->amount = sim_verb_counts(op->verb) ? op->by : 0;
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
