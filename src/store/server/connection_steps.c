/* Sends steps in one go where the wire can, and else one after the other. All that is unanswered when a connection ends is
 * unknown; only what is known not to have been sent goes over the next one, and nothing that compares cas ids does. */
/* SPDX-License-Identifier: MIT */
#include "connection_steps.h"

#include "connection_write.h"

#include <assert.h>

static_assert(MCP_STEPS_MAX == MCP_WIRE_STEPS_MAX, "a wire takes as many as a store");

typedef mcp_connection connection;

static connection *of(mcp_store *store) {
	return (connection *)store;
}

/* Names the connection that is open, or the next one: each that is lost is counted before there is another. */
static uint64_t name(mcp_store *store) {
	connection *self = of(store);
	if (self->first_name == 0) {
		self->first_name = mcp_proof_name_connection(0, self->exchange.environment);
	}
	return self->first_name + self->exchange.peer.breaks;
}

static mcp_wire_verb verb_of(const mcp_store_step *step) {
	static const mcp_wire_verb verbs[] = {
		[MCP_STEP_ADD] = MCP_WIRE_ADD,
		[MCP_STEP_CAS] = MCP_WIRE_CAS,
		[MCP_STEP_TOUCH] = MCP_WIRE_TOUCH,
		[MCP_STEP_DELETE_PROVEN] = MCP_WIRE_DELETE_PROVEN,
		[MCP_STEP_GET] = MCP_WIRE_GET,
		[MCP_STEP_GET_AND_TOUCH] = MCP_WIRE_GET_AND_TOUCH,
	};
	return verbs[step->verb];
}

static mcp_wire_step command_of(const connection *self, const mcp_store_step *step) {
	const mcp_record *record = step->record;
	mcp_wire_step command = {verb_of(step), {.key = step->key->wire, .cas = step->base.cas}};
	if (record != NULL) {
		command.item.head = record->head;
		command.item.value = record->body;
		command.item.flags = record->flags;
		command.item.expiry = mcp_connection_expiry(self, record->ttl_ms);
	}
	return command;
}

/* Some steps under way. */
typedef struct talk {
	mcp_store_step *steps;
	size_t count;
	uint64_t connection;
	mcp_wire_step commands[MCP_STEPS_MAX];
	size_t offsets[MCP_STEPS_MAX];
} talk;

static bool are_bound(const mcp_store_step *steps, size_t count) {
	bool are = false;
	for (size_t i = 0; i < count; i++) {
		are |= mcp_store_step_has_base(&steps[i]);
	}
	return are;
}

static void prepare(connection *self, talk *new, mcp_store_step *steps, size_t count) {
	new->steps = steps;
	new->count = count;
	new->connection = name(&self->store);
	for (size_t i = 0; i < count; i++) {
		new->commands[i] = command_of(self, &steps[i]);
	}
}

/* Fails what has no answer from this one on: `status` is the wire's. */
static void fail(connection *self, const talk *with, size_t from, mcp_status status) {
	mcp_status of_write = mcp_exchange_finish_write(&self->exchange, status);
	mcp_status of_read = status == MCP_BROKEN ? MCP_UNREACHABLE : status;
	for (size_t i = from; i < with->count; i++) {
		with->steps[i].status = mcp_store_step_is_read(&with->steps[i]) ? of_read : of_write;
	}
}

static void note_item(connection *self, talk *with, size_t i) {
	mcp_store_step *step = &with->steps[i];
	const char *items = mcp_wire_items(self->wire);
	with->offsets[i] = (size_t)((uintptr_t)step->item.value.data - (uintptr_t)items);
	step->read.cas = step->item.cas;
	step->proof = mcp_wire_prove(self->wire, step->item.cas);
	step->was_renewed = step->verb == MCP_STEP_GET_AND_TOUCH;
	self->exchange.peer.gives_no_cas = step->item.cas == 0;
}

/* Hears them; false if there are no more answers after this one. */
static bool hear(connection *self, talk *with, size_t i) {
	mcp_store_step *step = &with->steps[i];
	mcp_status status =
		mcp_wire_hear_step(self->wire, &with->commands[i], i + 1 == with->count, &step->item);
	if (mcp_status_is_the_end(status)) {
		fail(self, with, i, status);
		return false;
	}
	step->status = mcp_store_step_is_read(step)
		? mcp_exchange_finish_read(&self->exchange, status)
		: mcp_exchange_finish_write(&self->exchange, status);
	step->read = (mcp_proof){0, with->connection};
	step->proof = (mcp_proof){0};
	if (status == MCP_OK && mcp_store_step_is_read(step)) {
		note_item(self, with, i);
	}
	return true;
}

/* Turns what was found into views, where the wire's items begin now. */
static void show_items(connection *self, const talk *with) {
	const char *items = mcp_wire_items(self->wire);
	for (size_t i = 0; i < with->count; i++) {
		mcp_store_step *step = &with->steps[i];
		if (mcp_store_step_is_read(step) && step->status == MCP_OK) {
			step->item.value.data = (const char *)((uintptr_t)items + with->offsets[i]);
		}
	}
}

static mcp_status send(connection *self, const talk *with) {
	mcp_status status = mcp_exchange_begin(&self->exchange);
	if (status != MCP_OK) {
		mcp_steps_answer(with->steps, 0, with->count, status);
		return status;
	}
	status = mcp_wire_send_steps(self->wire, with->commands, with->count);
	if (status == MCP_UNSUPPORTED) {
		mcp_connection_start_over(self);
	} else if (status != MCP_OK) {
		fail(self, with, 0, status);
	}
	return status;
}

/* Exchanges all in one go. MCP_UNSUPPORTED: nothing was sent, and the connection has gone. */
static mcp_status exchange(connection *self, mcp_store_step *steps, size_t count) {
	talk with;
	prepare(self, &with, steps, count);
	mcp_status status = send(self, &with);
	if (status != MCP_OK) {
		return status;
	}
	self->exchange.peer.has_broken_off = false;
	for (size_t i = 0; i < count && hear(self, &with, i); i++) {
	}
	show_items(self, &with);
	return MCP_OK;
}

static void carry_out_apart(const mcp_steps_way *way, mcp_store_step *steps, size_t count) {
	if (steps[0].is_at_once) {
		mcp_steps_answer(steps, 0, count, MCP_UNSUPPORTED);
	} else {
		mcp_steps_one_by_one(way, steps, count);
	}
}

/* Tries to; over a new connection it is first to be learnt what the server takes. */
static mcp_status carry_out(connection *self, mcp_store_step *steps, size_t count) {
	mcp_steps_way way = {&self->store, name, false};
	mcp_status status = MCP_OK;
	if (mcp_wire_may_take_steps(self->wire) && !mcp_wire_has_learnt(self->wire)) {
		status = mcp_connection_learn(self);
	}
	if (status == MCP_OK && !mcp_wire_takes_steps(self->wire)) {
		carry_out_apart(&way, steps, count);
		return MCP_OK;
	}
	if (status == MCP_OK) {
		status = mcp_steps_judge(&way, steps, count);
	}
	if (status == MCP_OK) {
		return exchange(self, steps, count);
	}
	mcp_steps_answer(steps, 0, count, status);
	return MCP_OK;
}

/* Carries them out; once more where the connection turns out to have ended while it was idle, unless they compare what
 * was read over it. */
void mcp_connection_steps(mcp_store *store, mcp_store_step *steps, size_t count) {
	connection *self = of(store);
	mcp_status status = carry_out(self, steps, count);
	if (status == MCP_UNSUPPORTED && !are_bound(steps, count)) {
		status = carry_out(self, steps, count);
		mcp_steps_answer(steps, 0, status == MCP_UNSUPPORTED ? count : 0, MCP_UNREACHABLE);
	} else if (status == MCP_UNSUPPORTED) {
		mcp_steps_answer(steps, 0, count, status);
	}
}
