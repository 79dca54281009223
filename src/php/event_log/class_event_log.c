/* The class McPatterns\EventLog: its methods, and collecting and decoding events. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/event_log/event_log.h"
#include "../engine/compat.h"
#include "../objects/options.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"
#include "../pool/pool.h"
#include "../pooled/pooled_object.h"
#include "../pooled/when_down.h"
#include "../value/value.h"
#include "zend_exceptions.h"
#include "php.h"

#include "class_event_log_arginfo.h"

typedef struct mcp_event_log_object {
	mcp_window window;
	mcp_when_down when_down; /* given: the log is quiet */
	mcp_named_object named;
} mcp_event_log_object;

/* Arguments of the pattern, on the stack of a method. Renew after user code. */
typedef struct mcp_event_log_call {
	mcp_event_log_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_event_log log;
} mcp_event_log_call;

/* List of new events, and the reader's new cursor. */
typedef struct mcp_event_log_news {
	zval list;
	mcp_log_cursor cursor;
	uint64_t lost;
} mcp_event_log_news;

typedef enum mcp_event_log_outcome {
	MCP_EVENT_LOG_READ,
	MCP_EVENT_LOG_FAILED, /* with an exception, unless the log is quiet */
	MCP_EVENT_LOG_THREW, /* with the exception of the first event's code: the cursor is after it, the list is UNDEF */
} mcp_event_log_outcome;

static inline mcp_event_log_object *php_mcp_event_log_object_from(zend_object *object) {
	return (mcp_event_log_object *)((char *)object - offsetof(mcp_event_log_object, named.std));
}

static inline mcp_bytes php_mcp_event_log_object_name(const mcp_event_log_object *object) {
	return php_mcp_named_object_name(&object->named);
}

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_event_log_object *object = php_mcp_event_log_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_window_arguments_show(Z_ARRVAL(info), "age", &object->window);
		add_assoc_bool(&info, "quiet", object->when_down.is_given);
	}
	return Z_ARRVAL(info);
}

static void php_mcp_event_log_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(mcp_event_log_object, named.std),
		get_debug_info);
}

static void php_mcp_event_log_call_renew(mcp_event_log_call *call, mcp_event_log_object *object) {
	call->object = object;
	call->key =
		php_mcp_pool_key_make(MCP_SPACE_LOG, object->named.pool, object->named.name, &call->buffer);
	call->log = (mcp_event_log){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.window = object->window,
		.signing_keys = php_mcp_pool_format(object->named.pool)->signing_keys,
	};
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool php_mcp_event_log_call_begin(mcp_event_log_call *call, zend_object *std) {
	mcp_event_log_object *object = php_mcp_event_log_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	php_mcp_event_log_call_renew(call, object);
	return true;
}

static void php_mcp_event_log_call_throw(const mcp_event_log_call *call, mcp_status status,
	const char *action) {
	php_mcp_failure_throw_for_key(status, action, php_mcp_event_log_object_name(call->object),
		call->log.store, &call->key);
}

/* Throw the failure, unless the log is quiet. */
static void php_mcp_event_log_call_fail(const mcp_event_log_call *call, mcp_status status,
	const char *action) {
	const mcp_named_object *named = &call->object->named;
	if (!php_mcp_when_down_steps_in(&call->object->when_down, status, named->pool, &call->key,
			named->name)) {
		php_mcp_event_log_call_throw(call, status, action);
	}
}

/* Events are copied while they are views, and decoded afterwards. */

#define MILLISECONDS 1000.0
#define KEPT_AT_FIRST 16

/* A copy of an event. */
typedef struct kept {
	zend_string *payload;
	uint32_t flags;
	uint64_t time_ms, slot;
	mcp_log_cursor cursor; /* for since(): after the event */
	uint64_t lost;
} kept;

typedef struct kept_list {
	kept *events;
	size_t count, room;
} kept_list;

static void keep(kept_list *list, const mcp_event_log_reading *reading, const mcp_event *event) {
	if (list->count == list->room) {
		list->room = list->room == 0 ? KEPT_AT_FIRST : 2 * list->room;
		list->events = safe_erealloc(list->events, list->room, sizeof(kept), 0);
	}
	list->events[list->count++] = (kept){
		.payload = zend_string_init(event->payload.data, event->payload.length, false),
		.flags = event->flags,
		.time_ms = event->time_ms,
		.slot = event->slot,
		.cursor = reading->cursor,
		.lost = reading->lost,
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

/* Allocate one block. Free with efree(). */
static void *allocate(size_t slots, mcp_event_log_scratch *scratch) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_reply) + sizeof(mcp_key_buffer);
	char *memory = safe_emalloc(slots, each, 0);
	scratch->keys = (mcp_key *)memory;
	scratch->replies = (mcp_reply *)(scratch->keys + slots);
	scratch->buffers = (mcp_key_buffer *)(scratch->replies + slots);
	return memory;
}

/* Decode in place. Returns false if it is unreadable, or user code threw. */
static bool decode(kept *event, const mcp_format *format, zval *value) {
	if (event->flags == MCP_VALUE_STRING) {
		ZVAL_STR(value, event->payload);
		event->payload = NULL;
		return true;
	}
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(event->payload), ZSTR_LEN(event->payload));
	return php_mcp_value_decode(value, payload, event->flags, format);
}

static void add_event(zval *list, uint64_t time_ms, zval *value) {
	zval pair;
	array_init_size(&pair, 2);
	add_next_index_double(&pair, (double)time_ms / MILLISECONDS);
	add_next_index_zval(&pair, value);
	add_next_index_zval(list, &pair);
}

/* Decode an event into the list, or skip it. Returns false with an exception of user code. */
static bool add_decoded(kept *event, const mcp_format *format, zval *list) {
	zval value;
	if (decode(event, format, &value)) {
		add_event(list, event->time_ms, &value);
	}
	return EG(exception) == NULL;
}

static mcp_status collect_last(const mcp_event_log_call *call, size_t wanted, kept_list *list) {
	mcp_event_log_scratch scratch;
	void *memory = allocate(mcp_event_log_slots(&call->log.window), &scratch);
	mcp_event_log_reading reading;
	mcp_event event;
	mcp_status status = MCP_OK;
	mcp_event_log_last_begin(&reading, &call->log, &scratch);
	while (list->count < wanted && (status = mcp_event_log_last_read(&reading)) == MCP_OK) {
		while (mcp_event_log_last_take(&reading, wanted - list->count, &event)) {
			keep(list, &reading, &event);
		}
	}
	efree(memory);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* Reverse the events of each slot, which are in order. */
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

/* List the last `wanted` events, newest first. Returns false with an exception, or without one if the log is quiet. */
static bool php_mcp_event_log_events_last(mcp_event_log_call *call, size_t wanted, zval *list) {
	const mcp_format *format = php_mcp_pool_format(call->object->named.pool);
	kept_list events = {.count = 0};
	mcp_status status = collect_last(call, wanted, &events);
	if (status != MCP_OK) {
		free_list(&events);
		php_mcp_event_log_call_fail(call, status, "read the event log");
		return false;
	}
	put_newest_first(&events);
	array_init_size(list, (uint32_t)events.count);
	bool is_done = true;
	for (size_t i = 0; i < events.count && is_done; i++) {
		is_done = add_decoded(&events.events[i], format, list);
	}
	free_list(&events);
	if (!is_done) {
		zval_ptr_dtor(list);
		ZVAL_UNDEF(list);
	}
	return is_done;
}

static mcp_status collect_since(const mcp_event_log_call *call, const mcp_log_cursor *from,
	size_t limit, kept_list *list, mcp_event_log_news *news) {
	mcp_event_log_scratch scratch;
	void *memory = allocate(mcp_event_log_slots(&call->log.window), &scratch);
	mcp_event_log_reading reading;
	mcp_event event;
	mcp_status status = MCP_OK;
	mcp_event_log_since_begin(&reading, &call->log, &scratch, from);
	while (list->count < limit && (status = mcp_event_log_since_read(&reading)) == MCP_OK) {
		while (list->count < limit && mcp_event_log_since_take(&reading, &event)) {
			keep(list, &reading, &event);
		}
	}
	efree(memory);
	news->cursor = reading.cursor;
	news->lost = reading.lost;
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

static void stop_behind(mcp_event_log_news *news, const kept *event) {
	news->cursor = event->cursor;
	news->lost = event->lost;
}

/* End before the i-th event, whose code threw. Earlier events are returned, and the next call starts with this one:
 * none is lost. */
static mcp_event_log_outcome end_before(mcp_event_log_news *news, const kept_list *events,
	size_t i) {
	if (i > 0 && !php_mcp_user_call_is_exiting()) {
		zend_clear_exception();
		stop_behind(news, &events->events[i - 1]);
		return MCP_EVENT_LOG_READ;
	}
	bool is_exiting = php_mcp_user_call_is_exiting();
	stop_behind(news, &events->events[i]);
	zval_ptr_dtor(&news->list);
	ZVAL_UNDEF(&news->list);
	return is_exiting ? MCP_EVENT_LOG_FAILED : MCP_EVENT_LOG_THREW;
}

/* Read from `from` on; NULL: from the oldest. */
static mcp_event_log_outcome php_mcp_event_log_events_since(mcp_event_log_call *call,
	const mcp_log_cursor *from, size_t limit, mcp_event_log_news *news) {
	const mcp_format *format = php_mcp_pool_format(call->object->named.pool);
	kept_list events = {.count = 0};
	mcp_status status = collect_since(call, from, limit, &events, news);
	if (status != MCP_OK) {
		free_list(&events);
		php_mcp_event_log_call_fail(call, status, "read the event log");
		return MCP_EVENT_LOG_FAILED;
	}
	array_init_size(&news->list, (uint32_t)events.count);
	mcp_event_log_outcome outcome = MCP_EVENT_LOG_READ;
	size_t i = 0;
	while (i < events.count && add_decoded(&events.events[i], format, &news->list)) {
		i++;
	}
	if (i < events.count) {
		outcome = end_before(news, &events, i);
	}
	free_list(&events);
	return outcome;
}

#define DEFAULT_AGE_S 3600
#define DEFAULT_SLOTS 12
#define SLOTS_MAX 1000
#define DEFAULT_LAST 100
#define DEFAULT_LIMIT 1000
/* A slot then holds a dozen events of maximum size. */
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
		"accepts serialized events of at most %d bytes, %zu given", EVENT_BYTES_MAX, length);
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
		"has no space for the event: its slot is full (use more slots), or the server is out of memory");
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

/* Return an empty list after a failure, which was thrown unless the log is quiet. */
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

/* Parse the cursor. Returns false with an exception. *from is unchanged if there is no cursor yet. */
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

/* Set the caller's cursor even if an event's own code threw. */
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
