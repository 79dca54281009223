/* The class McPatterns\EventLog: its methods, and the collection and decoding of events. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/event_log/event_log.h"
#include "../objects/options.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/failure.h"
#include "../pool/class_pool.h"
#include "../pooled/pooled_object.h"
#include "../value/value.h"
#include "zend_exceptions.h"

#include "class_event_log_arginfo.h"

typedef struct mcp_event_log_object {
	mcp_window window;
	mcp_named_object named; /* base object; if it has a default, the log is quiet */
} mcp_event_log_object;

/* The pattern's arguments, on the stack of a method. Renew them after user code. */
typedef struct mcp_event_log_call {
	const mcp_event_log_object *object;
	mcp_event_log log;
} mcp_event_log_call;

/* The place of a reader of since(), and the number of slots that were lost before it. */
typedef struct mcp_event_log_place {
	mcp_log_cursor cursor;
	uint64_t lost;
} mcp_event_log_place;

static void show(const mcp_named_object *named, zval *info) {
	const mcp_event_log_object *object = php_mcp_named_object_derived(&named->std);
	php_mcp_options_show_window(Z_ARRVAL_P(info), "age", &object->window);
	add_assoc_bool(info, "quiet", named->when_down.is_given);
}

static void renew_log_call(mcp_event_log_call *call, const mcp_event_log_object *object) {
	call->object = object;
	call->log = (mcp_event_log){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &object->named.kept.key,
		.window = object->window,
		.signing_keys = php_mcp_pool_format(object->named.pool)->signing_keys,
	};
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin_log_call(mcp_event_log_call *call, zend_object *std) {
	const mcp_event_log_object *object = php_mcp_named_object_get(std);
	if (object != NULL) {
		renew_log_call(call, object);
	}
	return object != NULL;
}

/* Events are first copied, because their views become invalid, and decoded afterwards. */

#define MILLISECONDS 1000.0
#define KEPT_AT_FIRST 16

/* A copy of an event. */
typedef struct kept {
	zend_string *payload;
	uint32_t flags;
	uint64_t time_ms, slot;
	mcp_event_log_place behind; /* since(): place after the event */
} kept;

typedef struct kept_list {
	kept *events;
	size_t count, capacity;
} kept_list;

static void keep_event(kept_list *list, const mcp_event_log_reading *reading,
	const mcp_event *event) {
	if (list->count == list->capacity) {
		list->capacity = list->capacity == 0 ? KEPT_AT_FIRST : 2 * list->capacity;
		list->events = safe_erealloc(list->events, list->capacity, sizeof(kept), 0);
	}
	list->events[list->count++] = (kept){
		.payload = zend_string_init(event->payload.data, event->payload.length, false),
		.flags = event->flags,
		.time_ms = event->time_ms,
		.slot = event->slot,
		.behind = {reading->cursor, reading->lost},
	};
}

static void free_list(kept_list *list) {
	for (size_t i = 0; i < list->count; i++) {
		if (list->events[i].payload != NULL) {
			zend_string_release(list->events[i].payload);
		}
	}
	if (list->events != NULL) {
		efree(list->events);
	}
}

/* Decode an event into the list, or skip an event that cannot be decoded. Returns false with an exception of user
 * code. */
static bool add_decoded(kept *event, const mcp_format *format, zval *list) {
	zval value, pair;
	if (event->flags == MCP_VALUE_STRING) {
		ZVAL_STR(&value, event->payload);
		event->payload = NULL;
	} else if (!php_mcp_value_decode(&value, php_mcp_bytes_of(event->payload), event->flags,
				   format)) {
		return EG(exception) == NULL;
	}
	array_init_size(&pair, 2);
	add_next_index_double(&pair, (double)event->time_ms / MILLISECONDS);
	add_next_index_zval(&pair, &value);
	add_next_index_zval(list, &pair);
	return EG(exception) == NULL;
}

/* A request for the last events, newest first, or for the events since a cursor. */
typedef struct mcp_event_log_request {
	size_t limit;
	bool is_since;
	const mcp_log_cursor *from; /* since(): NULL: from the oldest event */
} mcp_event_log_request;

static bool take_event(mcp_event_log_reading *reading, const mcp_event_log_request *request,
	size_t wanted, mcp_event *event) {
	return request->is_since ? mcp_event_log_since_take(reading, event)
							 : mcp_event_log_last_take(reading, wanted, event);
}

static mcp_status collect(const mcp_event_log_call *call, const mcp_event_log_request *request,
	kept_list *list, mcp_event_log_place *place) {
	mcp_read_scratch reads = php_mcp_read_scratch_make(mcp_event_log_slots(&call->log.window), 0);
	mcp_event_log_scratch scratch = {reads.keys, reads.buffers, reads.replies};
	mcp_event_log_reading reading;
	mcp_event event;
	mcp_status status = MCP_OK;
	if (request->is_since) {
		mcp_event_log_since_begin(&reading, &call->log, &scratch, request->from);
	} else {
		mcp_event_log_last_begin(&reading, &call->log, &scratch);
	}
	while (list->count < request->limit && status == MCP_OK) {
		status = request->is_since ? mcp_event_log_since_read(&reading)
								   : mcp_event_log_last_read(&reading);
		while (status == MCP_OK && list->count < request->limit &&
			take_event(&reading, request, request->limit - list->count, &event)) {
			keep_event(list, &reading, &event);
		}
	}
	efree(reads.keys);
	*place = (mcp_event_log_place){reading.cursor, reading.lost};
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* The events of a slot are oldest first. Reverse them in each slot. */
static void put_newest_first(kept_list *list) {
	for (size_t begin = 0, end; begin < list->count; begin = end) {
		end = begin + 1;
		while (end < list->count && list->events[end].slot == list->events[begin].slot) {
			end++;
		}
		for (size_t low = begin, high = end - 1; low < high; low++, high--) {
			kept other = list->events[low];
			list->events[low] = list->events[high];
			list->events[high] = other;
		}
	}
}

/* End the list before the i-th event, whose code threw. since() returns the events before it. The next call of
 * since() starts with it, so that no event is lost. Returns false if there are no events before it. */
static bool end_before(const kept_list *events, size_t i, bool is_since, zval *list,
	mcp_event_log_place *place) {
	bool goes_on = is_since && !php_mcp_user_call_is_exiting();
	if (goes_on && i > 0) {
		zend_clear_exception();
		*place = events->events[i - 1].behind;
		return true;
	}
	*place = events->events[i].behind;
	zval_ptr_dtor(list);
	ZVAL_EMPTY_ARRAY(list);
	return goes_on;
}

/* List the events. The list is empty after a failure. Returns true if the reader is now at *place, possibly with an
 * exception of the first event's code. After a failure, returns false, with an exception unless the log is quiet. */
static bool read_events(const mcp_event_log_call *call, const mcp_event_log_request *request,
	zval *list, mcp_event_log_place *place) {
	const mcp_format *format = php_mcp_pool_format(call->object->named.pool);
	kept_list events = {.count = 0};
	mcp_status status = collect(call, request, &events, place);
	if (status != MCP_OK) {
		free_list(&events);
		ZVAL_EMPTY_ARRAY(list);
		php_mcp_named_object_is_covered(&call->object->named, status, "read the event log",
			call->log.store);
		return false;
	}
	if (!request->is_since) {
		put_newest_first(&events);
	}
	array_init_size(list, (uint32_t)events.count);
	size_t i = 0;
	while (i < events.count && add_decoded(&events.events[i], format, list)) {
		i++;
	}
	bool has_place = i == events.count || end_before(&events, i, request->is_since, list, place);
	free_list(&events);
	return has_place;
}

#define DEFAULT_AGE_S 3600
#define DEFAULT_SLOTS 12
#define SLOTS_MAX 1000
#define DEFAULT_LAST 100
#define DEFAULT_LIMIT 1000
/* Limit for the size of an event. A slot of 1 MiB holds a dozen events of this size. */
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

	mcp_event_log_object *object = php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS));
	mcp_pool *pool = php_mcp_named_object_judge_new(&object->named, pool_object, name);
	if (pool == NULL || !php_mcp_options_judge_window(age_s, slots, SLOTS_MAX, &object->window)) {
		RETURN_THROWS();
	}
	object->named.when_down = php_mcp_when_down_of(0, !is_quiet);
	php_mcp_named_object_construct(&object->named, MCP_SPACE_LOG, pool, name);
}

static void throw_too_long(const mcp_event_log_object *object, size_t length) {
	zend_string *what = zend_strpprintf(0,
		"accepts serialized events of at most %d bytes, %zu given", EVENT_BYTES_MAX, length);
	php_mcp_failure_throw_about(php_mcp_too_large_exception, "The event log",
		php_mcp_bytes_of(object->named.name), ZSTR_VAL(what));
	zend_string_release(what);
}

static void append(const mcp_event_log_object *object, const mcp_encoded_value *encoded) {
	if (encoded->payload.length > EVENT_BYTES_MAX) {
		throw_too_long(object, encoded->payload.length);
		return;
	}
	mcp_event_log_call call;
	renew_log_call(&call, object);
	mcp_event event = {.flags = encoded->flags, .payload = encoded->payload};
	char *record = emalloc(mcp_event_log_record_length(&call.log, encoded->payload.length));
	mcp_status status = mcp_event_log_append(&call.log, &event, record);
	efree(record);
	if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The event log",
			php_mcp_bytes_of(object->named.name),
			"has no space for the event: its slot is full (use more slots), or the server is out of memory");
	} else if (status != MCP_OK) {
		php_mcp_named_object_is_covered(&object->named, status, "append to the event log",
			call.log.store);
	}
}

ZEND_METHOD(McPatterns_EventLog, append) {
	zval *event;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(event)
	ZEND_PARSE_PARAMETERS_END();

	const mcp_event_log_object *object = php_mcp_named_object_get(Z_OBJ_P(ZEND_THIS));
	mcp_encoded_value encoded;
	if (object == NULL ||
		!php_mcp_value_encode(&encoded, event, php_mcp_pool_format(object->named.pool),
			php_mcp_bytes_of(object->named.name))) {
		RETURN_THROWS();
	}
	append(object, &encoded);
	php_mcp_value_release(&encoded);
}

ZEND_METHOD(McPatterns_EventLog, last) {
	zend_long n = DEFAULT_LAST;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(n)
	ZEND_PARSE_PARAMETERS_END();

	mcp_event_log_call call;
	if (!begin_log_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (n < 1) {
		zend_argument_value_error(1, "must be greater than 0");
		RETURN_THROWS();
	}
	mcp_event_log_request request = {.limit = (size_t)n};
	mcp_event_log_place place;
	read_events(&call, &request, return_value, &place);
}

/* Parse the caller's cursor, and let *from point to it. *from is unchanged if there is no cursor yet. Returns false
 * with an exception. */
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
			"must be null or a cursor that since() of this log returned, with the same slot length");
		return false;
	}
	*from = cursor;
	return true;
}

static void tell_place(zval *cursor_variable, zval *lost_variable,
	const mcp_event_log_place *place) {
	char text[MCP_LOG_CURSOR_MAX];
	zval cursor, lost;
	ZVAL_STRINGL(&cursor, text, mcp_log_cursor_write(&place->cursor, text));
	ZVAL_LONG(&lost, (zend_long)place->lost);
	php_mcp_options_assign_reference(cursor_variable, &cursor);
	if (lost_variable != NULL && EG(exception) == NULL) {
		php_mcp_options_assign_reference(lost_variable, &lost);
	}
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
	if (!begin_log_call(&call, Z_OBJ_P(ZEND_THIS)) ||
		!read_cursor(&call, cursor_variable, &cursor, &from)) {
		RETURN_THROWS();
	}
	if (limit < 1) {
		zend_argument_value_error(2, "must be greater than 0");
		RETURN_THROWS();
	}
	mcp_event_log_request request = {.limit = (size_t)limit, .is_since = true, .from = from};
	mcp_event_log_place place;
	bool has_place = read_events(&call, &request, return_value, &place);
	zend_object *thrown = has_place ? EG(exception) : NULL;
	/* Set the caller's cursor even if the code of an event threw. */
	if (thrown != NULL) {
		GC_ADDREF(thrown);
		zend_clear_exception();
	}
	if (has_place) {
		tell_place(cursor_variable, lost_variable, &place);
	}
	if (thrown != NULL) {
		php_mcp_user_call_rethrow(thrown);
	}
}

ZEND_METHOD(McPatterns_EventLog, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_event_log_call call;
	if (!begin_log_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_event_log_clear(&call.log);
	if (status != MCP_OK) {
		php_mcp_named_object_throw(&call.object->named, status, "clear the event log",
			call.log.store);
	}
}

void php_mcp_class_event_log_register(void) {
	static mcp_named_class log = {.offset = offsetof(mcp_event_log_object, named), .show = show};
	php_mcp_named_class_register(&log, register_class_McPatterns_EventLog());
}
