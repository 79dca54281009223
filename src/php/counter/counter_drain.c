/* Hangs the number taken from a counter from a node until it is stored, so that it is put back on every way out. */
/* SPDX-License-Identifier: MIT */
#include "counter_drain.h"

#include "../host/environment.h"
#include "../objects/exceptions.h"
#include "../objects/failure.h"
#include "../engine/interrupt.h"

/* A number that was taken and is not stored yet: on the heap, because a fatal error leaves no C frame behind to
 * point into. The object outlives it. */
typedef struct taking {
	mcp_give_back node;
	mcp_counter_object *object;
	int64_t taken;
	mcp_status status; /* of putting it back */
} taking;

static void give_back(mcp_give_back *node) {
	taking *taking_back = (taking *)((char *)node - offsetof(taking, node));
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, taking_back->object);
	taking_back->status = mcp_counter_give_back(&call.counter, taking_back->object->initial_number,
		taking_back->taken);
}

static taking *begin(mcp_counter_object *object, int64_t taken) {
	taking *begun = emalloc(sizeof(*begun));
	*begun = (taking){
		.node = {.is_lost_otherwise = true, .is_a_calls = true},
		.object = object,
		.taken = taken,
	};
	php_mcp_give_back_register(&begun->node, give_back);
	return begun;
}

static mcp_status end(taking *begun, bool is_stored) {
	if (is_stored) {
		php_mcp_give_back_unregister(&begun->node);
	} else {
		php_mcp_give_back_now(&begun->node);
	}
	mcp_status status = begun->status;
	efree(begun);
	return status;
}

static void throw_about(mcp_counter_object *object, mcp_status status, const char *format,
	int64_t number) {
	char action[64];
	snprintf(action, sizeof(action), format, (long long)number);
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, object);
	php_mcp_counter_call_throw(&call, status, action);
}

/* Runs user code. */
static bool call_store(mcp_user_call *store, int64_t taken) {
	zval argument;
	zval result;
	ZVAL_LONG(&argument, (zend_long)taken);
	bool is_stored = php_mcp_user_call_run(store, &argument, &result);
	zval_ptr_dtor(&result);
	return is_stored && EG(exception) == NULL; /* the result's destructor may have thrown */
}

/* Stores what was taken; false with an exception: the store's own, or above it one that says that nothing could
 * be put back. */
static bool store_taken(mcp_counter_object *object, mcp_user_call *store, int64_t taken) {
	taking *begun = begin(object, taken);
	bool is_stored = call_store(store, taken);
	mcp_status status = end(begun, is_stored);
	if (!is_stored && status != MCP_OK && !php_mcp_user_call_is_exiting()) {
		throw_about(object, status, "give back %lld to the counter", taken);
	}
	return is_stored;
}

static void throw_timeout(const mcp_counter_object *object) {
	char what[160];
	snprintf(what, sizeof(what),
		"could not be drained within %g s: others were draining it, or the server answered too slowly",
		(double)object->wait_ms / 1000);
	php_mcp_failure_throw_about(php_mcp_lock_timeout_exception, "The counter",
		mcp_bytes_of(ZSTR_VAL(object->name), ZSTR_LEN(object->name)), what);
}

static void throw_drain(const mcp_counter_call *call, mcp_status status, int64_t taken) {
	mcp_counter_object *object = call->object;
	if (status == MCP_NOT_STORED) {
		throw_timeout(object);
	} else if (status == MCP_UNKNOWN && taken > 0) {
		throw_about(object, status, "take %lld from the counter", taken);
	} else {
		php_mcp_counter_call_throw(call, status, "drain the counter");
	}
}

/* Runs the user's signal handlers between two pauses. MCP_INTERRUPTED: one of them has thrown. */
static mcp_status drain(mcp_counter_call *call, int64_t *taken) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_status status;
	call->counter.pauses = &pauses;
	while ((status = mcp_counter_drain(&call->counter, taken)) == MCP_INTERRUPTED &&
		php_mcp_interrupt_run()) {
		php_mcp_counter_call_renew(call, call->object);
		call->counter.pauses = &pauses;
	}
	call->counter.pauses = NULL;
	return status;
}

bool php_mcp_counter_drain_into(mcp_counter_call *call, mcp_user_call *store, int64_t *taken) {
	mcp_status status = drain(call, taken);
	if (EG(exception) != NULL) {
		return false;
	}
	if (status != MCP_OK) {
		throw_drain(call, status, *taken);
		return false;
	}
	bool is_to_be_stored = *taken > 0 && !php_mcp_user_call_is_none(store);
	return !is_to_be_stored || store_taken(call->object, store, *taken);
}
