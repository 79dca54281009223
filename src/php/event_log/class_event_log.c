/* The class McPatterns\EventLog: each method reads its arguments, asks patterns/event_log/event_log.h and answers. */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../engine/compat.h"
#include "../objects/exceptions.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"
#include "../engine/reference.h"
#include "../engine/user_call.h"
#include "../value/value.h"
#include "../objects/window_arguments.h"
#include "event_log_events.h"
#include "event_log_object.h"
#include "zend_exceptions.h"

#include "class_event_log_arginfo.h"

#define DEFAULT_AGE_S 3600
#define DEFAULT_SLOTS 12
#define SLOTS_MAX 1000
#define DEFAULT_LAST 100
#define DEFAULT_LIMIT 1000
/* So that a slot has room for a dozen of the largest. */
#define EVENT_BYTES_MAX 65536

ZEND_METHOD(McPatterns_EventLog, __construct) {
	zend_object *pool_object;
	zend_string *name;
	zend_long age_s = DEFAULT_AGE_S;
	zend_long slots = DEFAULT_SLOTS;
	bool is_quiet = false;
	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(age_s)
		Z_PARAM_LONG(slots)
		Z_PARAM_BOOL(is_quiet)
	ZEND_PARSE_PARAMETERS_END();

	mcp_event_log_object *object = php_mcp_event_log_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->named.std, object->named.pool)) {
		RETURN_THROWS();
	}
	mcp_pool *pool = php_mcp_named_object_judge(pool_object, name);
	if (pool == NULL || !php_mcp_window_arguments_judge(age_s, slots, SLOTS_MAX, &object->window)) {
		RETURN_THROWS();
	}
	object->when_down = php_mcp_when_down_of(0, !is_quiet);
	php_mcp_named_object_hold(&object->named, pool, name);
}

static void throw_too_long(const mcp_event_log_object *object, size_t length) {
	zend_string *what = zend_strpprintf(0,
		"takes no $event that is longer than %d bytes when it is serialized: this one has %zu",
		EVENT_BYTES_MAX, length);
	php_mcp_failure_throw_about(php_mcp_too_large_exception, "The event log",
		php_mcp_event_log_object_name(object), ZSTR_VAL(what));
	zend_string_release(what);
}

static void throw_unappended(const mcp_event_log_call *call, mcp_status status) {
	if (status != MCP_NOT_STORED) {
		php_mcp_event_log_call_fail(call, status, "append to the event log");
		return;
	}
	php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The event log",
		php_mcp_event_log_object_name(call->object),
		"has no room for the event: this slot is full (more slots help), or the server has no memory for it");
}

static void append(mcp_event_log_object *object, const mcp_encoded_value *encoded) {
	if (encoded->payload.length > EVENT_BYTES_MAX) {
		throw_too_long(object, encoded->payload.length);
		return;
	}
	mcp_event_log_call call;
	php_mcp_event_log_call_renew(&call, object);
	mcp_event event = {.flags = encoded->flags, .payload = encoded->payload};
	char *record = emalloc(mcp_event_log_record_length(&call.log, encoded->payload.length));
	mcp_status status = mcp_event_log_append(&call.log, &event, record);
	efree(record);
	if (status != MCP_OK) {
		throw_unappended(&call, status);
	}
}

ZEND_METHOD(McPatterns_EventLog, append) {
	zval *event;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(event)
	ZEND_PARSE_PARAMETERS_END();

	mcp_event_log_object *object = php_mcp_event_log_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_constructed(&object->named.std, object->named.pool)) {
		RETURN_THROWS();
	}
	mcp_encoded_value encoded;
	if (!php_mcp_value_encode(&encoded, event, php_mcp_pool_format(object->named.pool),
			php_mcp_event_log_object_name(object))) {
		RETURN_THROWS();
	}
	append(object, &encoded);
	php_mcp_value_release(&encoded);
}

/* Returns an empty list if nothing could be read; that has been thrown unless the log is quiet. */
static void answer_nothing(zval *return_value) {
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_EMPTY_ARRAY();
}

ZEND_METHOD(McPatterns_EventLog, last) {
	zend_long n = DEFAULT_LAST;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(n)
	ZEND_PARSE_PARAMETERS_END();

	mcp_event_log_call call;
	if (!php_mcp_event_log_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (n < 1) {
		zend_argument_value_error(1, "must be greater than 0");
		RETURN_THROWS();
	}
	if (!php_mcp_event_log_events_last(&call, (size_t)n, return_value)) {
		answer_nothing(return_value);
	}
}

/* --- since --- */

/* Reads the cursor; false with an exception. *from is left alone if there is no cursor yet. */
static bool read_cursor(const mcp_event_log_call *call, zval *variable, mcp_log_cursor *cursor,
	const mcp_log_cursor **from) {
	ZVAL_DEREF(variable);
	if (Z_TYPE_P(variable) == IS_NULL) {
		return true;
	}
	if (Z_TYPE_P(variable) != IS_STRING) {
		zend_argument_type_error(1, "must be of type ?string, %s given",
			zend_zval_type_name(variable));
		return false;
	}
	mcp_bytes text = mcp_bytes_of(Z_STRVAL_P(variable), Z_STRLEN_P(variable));
	if (!mcp_log_cursor_read(text, cursor) || !mcp_event_log_owns(&call->log, cursor)) {
		zend_argument_value_error(1,
			"must be null or a cursor that since() of this log has left, with the same length of slots");
		return false;
	}
	*from = cursor;
	return true;
}

static void tell_place(zval *cursor_variable, zval *lost_variable, const mcp_event_log_news *news) {
	char text[MCP_LOG_CURSOR_MAX];
	zval cursor, lost;
	ZVAL_STRINGL(&cursor, text, mcp_log_cursor_write(&news->cursor, text));
	ZVAL_LONG(&lost, (zend_long)news->lost);
	php_mcp_reference_assign(cursor_variable, &cursor);
	if (lost_variable != NULL && EG(exception) == NULL) {
		php_mcp_reference_assign(lost_variable, &lost);
	}
}

/* Tells the place also when an event's own code threw, in spite of the exception. */
static void tell_place_and_rethrow(zval *cursor, zval *lost, const mcp_event_log_news *news) {
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	tell_place(cursor, lost, news);
	php_mcp_user_call_rethrow(thrown);
}

ZEND_METHOD(McPatterns_EventLog, since) {
	zval *cursor_variable;
	zend_long limit = DEFAULT_LIMIT;
	zval *lost_variable = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_ZVAL(cursor_variable)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(limit)
		Z_PARAM_ZVAL(lost_variable)
	ZEND_PARSE_PARAMETERS_END();

	mcp_event_log_call call;
	mcp_log_cursor cursor;
	const mcp_log_cursor *from = NULL;
	if (!php_mcp_event_log_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!read_cursor(&call, cursor_variable, &cursor, &from)) {
		RETURN_THROWS();
	}
	if (limit < 1) {
		zend_argument_value_error(2, "must be greater than 0");
		RETURN_THROWS();
	}
	mcp_event_log_news news;
	switch (php_mcp_event_log_events_since(&call, from, (size_t)limit, &news)) {
		case MCP_EVENT_LOG_READ:
			tell_place(cursor_variable, lost_variable, &news);
			ZVAL_COPY_VALUE(return_value, &news.list);
			break;
		case MCP_EVENT_LOG_THREW:
			tell_place_and_rethrow(cursor_variable, lost_variable, &news);
			break;
		default:
			answer_nothing(return_value);
			break;
	}
}

ZEND_METHOD(McPatterns_EventLog, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_event_log_call call;
	if (!php_mcp_event_log_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_event_log_clear(&call.log);
	if (status != MCP_OK) {
		php_mcp_event_log_call_throw(&call, status, "clear the event log");
	}
}

void php_mcp_class_event_log_register(void) {
	php_mcp_event_log_object_register(register_class_McPatterns_EventLog());
}
