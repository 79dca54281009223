/* The first number of a counter when a callable knows it: one process runs it under a guard, which is
 * given back on every way out. */
/* SPDX-License-Identifier: MIT */
#include "counter_initial.h"

#include "../engine/computing.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../engine/interrupt.h"
#include "../engine/user_call.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

/* Each round means that the counter came into being and vanished in between. */
#define ROUNDS_MAX 16

/* One election that was won: on the heap, because a fatal error leaves no C frame behind to point
 * into. The object outlives it. */
typedef struct election {
	mcp_give_back node;
	mcp_counter_object *object;
	mcp_counter_claim claim;
} election;

static void give_back(mcp_give_back *node) {
	election *won = (election *)((char *)node - offsetof(election, node));
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, won->object);
	mcp_counter_release(&call.counter, &won->claim);
}

static election *begin(mcp_counter_object *object, const mcp_counter_claim *claim) {
	election *won = emalloc(sizeof(*won));
	*won = (election){.node.is_a_calls = true, .object = object, .claim = *claim};
	php_mcp_give_back_register(&won->node, give_back);
	return won;
}

/* Gives the guard back, as only the process that was elected does. */
static void end(election *won) {
	php_mcp_give_back_now(&won->node);
	efree(won);
}

static void throw_about(const mcp_counter_object *object, zend_class_entry *exception,
	const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 3, 4);

static void throw_about(const mcp_counter_object *object, zend_class_entry *exception,
	const char *format, ...) {
	char what[96];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	php_mcp_failure_throw_about(exception, "The initial value of the counter",
		mcp_bytes_of(ZSTR_VAL(object->name), ZSTR_LEN(object->name)), what);
}

/* Takes the callable's result for a number; false with an exception. */
static bool to_number(const mcp_counter_object *object, zval *result, int64_t *number) {
	if (Z_TYPE_P(result) != IS_LONG) {
		throw_about(object, zend_ce_type_error, "must be of type int, %s returned",
			zend_zval_type_name(result));
		return false;
	}
	if (Z_LVAL_P(result) < 0) {
		throw_about(object, zend_ce_value_error,
			"must be greater than or equal to 0, " ZEND_LONG_FMT " returned", Z_LVAL_P(result));
		return false;
	}
	*number = Z_LVAL_P(result);
	return true;
}

/* Runs user code. False with an exception, or when the engine is on its way out. */
static bool compute(mcp_counter_object *object, int64_t *number) {
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, object);
	bool is_marked = php_mcp_computing_begin(call.counter.store, call.counter.key);
	zval result;
	mcp_user_call initial = php_mcp_user_call_of(&object->initial);
	bool is_done = php_mcp_user_call_run(&initial, NULL, &result);
	if (is_marked) {
		php_mcp_counter_call_renew(&call, object);
		php_mcp_computing_end(call.counter.store, call.counter.key);
	}
	is_done = is_done && to_number(object, &result, number);
	zval_ptr_dtor(&result);
	return is_done;
}

/* Looks whether this Fiber is computing this very number, and must not wait for itself: then false with an
 * exception. Another Fiber of this process could not go on while this one waits, so this one does not wait for
 * it. */
static bool look_for_recursion(mcp_counter_call *call) {
	switch (php_mcp_computing_look(call->counter.store, call->counter.key)) {
		case MCP_COMPUTING_NOT:
			return true;
		case MCP_COMPUTING_ELSEWHERE:
			call->counter.wait_ms = 0;
			return true;
		default:
			throw_about(call->object, spl_ce_LogicException, "asks for the counter itself");
			return false;
	}
}

/* Runs the user's signal handlers between two pauses. MCP_REFUSED: one of them has thrown. */
static mcp_status elect(mcp_counter_call *call, mcp_counter_claim *claim) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_status status;
	uint64_t wait_ms = call->counter.wait_ms;
	call->counter.pauses = &pauses;
	while ((status = mcp_counter_elect(&call->counter, claim)) == MCP_INTERRUPTED) {
		if (!php_mcp_interrupt_run()) {
			return MCP_REFUSED;
		}
		php_mcp_counter_call_renew(call, call->object);
		call->counter.wait_ms = wait_ms;
		call->counter.pauses = &pauses;
	}
	call->counter.pauses = NULL;
	return status;
}

/* Sets an absent counter whose first number is a callable's: runs it, if no other caller does, and counts `by`
 * from it. MCP_OK with the number; MCP_EXISTS: the counter is there now, count on; anything else has been
 * thrown, or is to be. Runs user code: `call` is renewed. */
static mcp_status initialise(mcp_counter_call *call, int64_t by, int64_t *number) {
	mcp_counter_object *object = call->object;
	mcp_counter_claim claim;
	if (!look_for_recursion(call)) {
		return MCP_REFUSED;
	}
	mcp_status status = elect(call, &claim);
	if (status != MCP_OK) {
		return status;
	}
	int64_t initial;
	election *won = begin(object, &claim);
	bool is_done = compute(object, &initial);
	php_mcp_counter_call_renew(call, object);
	status = is_done ? mcp_counter_start(&call->counter, initial, by, number) : MCP_REFUSED;
	end(won);
	return status;
}

mcp_status php_mcp_counter_initial_add(mcp_counter_call *call, int64_t by, int64_t *number) {
	if (Z_TYPE(call->object->initial) == IS_UNDEF) {
		return mcp_counter_start(&call->counter, call->object->initial_number, by, number);
	}
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = mcp_counter_add(&call->counter, by, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		status = initialise(call, by, number);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

mcp_status php_mcp_counter_initial_read(mcp_counter_call *call, int64_t *number) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = mcp_counter_read(&call->counter, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		if (Z_TYPE(call->object->initial) == IS_UNDEF) {
			*number = call->object->initial_number;
			return MCP_OK;
		}
		status = initialise(call, 0, number);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}
