/* Copies events while they are views, and decodes them afterwards. */
/* SPDX-License-Identifier: MIT */
#include "event_log_events.h"

#include "../engine/user_call.h"
#include "../value/value.h"
#include "zend_exceptions.h"

#define MILLISECONDS 1000.0
#define KEPT_AT_FIRST 16

/* A copy of an event. */
typedef struct kept {
	zend_string *payload;
	uint32_t flags;
	uint64_t time_ms, slot;
	mcp_log_cursor cursor; /* of since: behind it */
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

/* Allocates everything in one piece of memory; freed by efree(). */
static void *allocate(size_t slots, mcp_event_log_scratch *scratch) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_reply) + sizeof(mcp_key_buffer);
	char *memory = safe_emalloc(slots, each, 0);
	scratch->keys = (mcp_key *)memory;
	scratch->replies = (mcp_reply *)(scratch->keys + slots);
	scratch->buffers = (mcp_key_buffer *)(scratch->replies + slots);
	return memory;
}

/* Makes strings the values themselves. False if it is not readable, or user code threw. */
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

/* Decodes one event into the list, or leaves it out. False with an exception of user code. */
static bool add_decoded(kept *event, const mcp_format *format, zval *list) {
	zval value;
	if (decode(event, format, &value)) {
		add_event(list, event->time_ms, &value);
	}
	return EG(exception) == NULL;
}

/* --- last --- */

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

/* Reverses the events of each slot, which come in their order within it. */
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

bool php_mcp_event_log_events_last(mcp_event_log_call *call, size_t wanted, zval *list) {
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

/* --- since --- */

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

/* Ends where the code of the i-th event threw. Those before it are told, and the next call begins with it: none
 * is lost. */
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

mcp_event_log_outcome php_mcp_event_log_events_since(mcp_event_log_call *call,
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
