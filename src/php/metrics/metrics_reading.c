/* Makes arrays of what stands in the metrics' memory, in which nothing is believed: a number may be any. */
/* SPDX-License-Identifier: MIT */
#include "metrics_reading.h"

#include "../../core/metrics/metrics_sums.h"
#include "../host/environment.h"
#include "meters.h"
#include "processes.h"

/* The name in the place of one that a process was killed before it had written; the next one that uses it will. */
#define NOT_KNOWN "?"

void php_mcp_metrics_show_name(const mcp_counted *counted, const mcp_metrics *metrics, size_t index,
	mcp_shown_name *shown) {
	bool is_rest = mcp_counted_is_rest(counted, index);
	const mcp_metrics_name *name = mcp_counted_name(counted, metrics, index);
	const char *instead = is_rest ? MCP_METRICS_OTHER : NOT_KNOWN;
	if (is_rest || !mcp_metrics_read_name(name, shown->bytes, &shown->length)) {
		shown->length = strlen(instead);
		memcpy(shown->bytes, instead, shown->length);
	}
}

double php_mcp_metrics_compute_bound(size_t place) {
	return (double)mcp_histogram_bound(place, 0) / 1e3;
}

double php_mcp_metrics_round_trip_bound(size_t place) {
	return (double)mcp_histogram_bound(place, MCP_ROUND_TRIPS_FIRST) / 1e9;
}

/* --- arrays --- */

static void add_number(zval *array, const char *name, uint64_t number) {
	zend_long shown = number > ZEND_LONG_MAX ? ZEND_LONG_MAX : (zend_long)number;
	add_assoc_long_ex(array, name, strlen(name), shown);
}

static void add_name(zval *array, const char *name, const mcp_shown_name *shown) {
	add_assoc_stringl_ex(array, name, strlen(name), shown->bytes, shown->length);
}

static void add_counts(zval *array, const char *name, const mcp_metrics_word *words, size_t count) {
	zval list;
	array_init_size(&list, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		uint64_t number = mcp_metrics_get(&words[i]);
		add_next_index_long(&list, number > ZEND_LONG_MAX ? ZEND_LONG_MAX : (zend_long)number);
	}
	add_assoc_zval_ex(array, name, strlen(name), &list);
}

void php_mcp_metrics_add_count(zval *array, const char *name, const mcp_count *count,
	uint64_t number) {
	if (mcp_count_is_time(count)) {
		add_assoc_double_ex(array, name, strlen(name), (double)number / 1e3);
	} else {
		add_number(array, name, number);
	}
}

void php_mcp_metrics_add_counts(zval *array, const mcp_counts *counts, const uint64_t *numbers) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		if (count->name != NULL) {
			php_mcp_metrics_add_count(array, count->name, count, numbers[count->which]);
		}
	}
}

/* Adds what stands in the words now; NULL: nothing is counted. */
static void add_words(zval *array, const mcp_counts *counts, const mcp_metrics_word *words) {
	uint64_t numbers[MCP_CACHE_COUNTS] = {0};
	for (size_t i = 0; words != NULL && i < counts->length; i++) {
		numbers[i] = mcp_metrics_get(&words[i]);
	}
	php_mcp_metrics_add_counts(array, counts, numbers);
}

static void add_time_or_null(zval *array, const char *name, uint64_t ms) {
	if (ms == 0) {
		add_assoc_null_ex(array, name, strlen(name));
	} else {
		add_assoc_double_ex(array, name, strlen(name), (double)ms / 1e3);
	}
}

/* Adds it as Pool::lastErrors() has it. */
static void add_last_error(zval *array, const mcp_metrics_state *state) {
	char reason[MCP_METRICS_REASON_MAX];
	size_t length;
	uint64_t at_ms = mcp_metrics_state_failure(state, reason, &length);
	if (at_ms == 0) {
		add_assoc_null(array, "last_error");
		return;
	}
	zval error;
	array_init(&error);
	add_assoc_str(&error, "message", zend_strpprintf(0, "the server %.*s", (int)length, reason));
	add_assoc_double(&error, "at", (double)at_ms / 1e3);
	add_assoc_zval(array, "last_error", &error);
}

static void add_state(zval *array, const mcp_metrics_state *state, uint64_t calls,
	uint64_t now_ms) {
	bool is_open = mcp_metrics_state_is_open(state, now_ms);
	add_assoc_bool(array, "is_open", is_open);
	add_time_or_null(array, "open_since", is_open ? mcp_metrics_get(&state->open_since_ms) : 0);
	add_last_error(array, state);
	uint64_t used_ms = mcp_metrics_state_used_ms(state, calls, now_ms);
	add_assoc_double(array, "last_used", (double)used_ms / 1e3);
}

/* Adds what a thing has beside its counts. */
typedef void (*more_of)(zval *array, const mcp_metrics *metrics, size_t index, uint64_t now_ms);

static void add_more_of_group(zval *array, const mcp_metrics *metrics, size_t index,
	uint64_t now_ms) {
	(void)now_ms;
	add_counts(array, "compute_times", metrics->groups[index].compute_times, MCP_COMPUTE_TIMES);
}

static void add_more_of_server(zval *array, const mcp_metrics *metrics, size_t index,
	uint64_t now_ms) {
	const mcp_metrics_server *server = &metrics->servers[index];
	add_state(array, &server->state, mcp_metrics_get(&server->counts[MCP_COUNT_CALLS]), now_ms);
	add_assoc_double(array, "seconds", (double)mcp_metrics_get(&server->timed_ns) / 1e9);
	add_counts(array, "round_trips", server->round_trips, MCP_ROUND_TRIPS);
}

static void add_thing(zval *list, const mcp_counted *counted, const mcp_metrics *metrics,
	size_t index) {
	mcp_shown_name name;
	array_init(list);
	php_mcp_metrics_show_name(counted, metrics, index, &name);
	add_name(list, counted->label, &name);
	if (counted == &mcp_counted_caches) {
		add_assoc_bool(list, "is_other", mcp_counted_is_rest(counted, index));
	}
	add_words(list, counted->counts, mcp_counted_words(counted, metrics, index));
}

/* Adds the list of those that have counted something. `add_more` NULL: they have nothing more. */
static void add_things(zval *reading, const char *list_name, const mcp_counted *counted,
	const mcp_metrics *metrics, more_of add_more, uint64_t now_ms) {
	zval list;
	array_init(&list);
	for (size_t i = 0; metrics != NULL && i < counted->records; i++) {
		if (!mcp_counted_has_any(counted, metrics, i)) {
			continue;
		}
		zval array;
		add_thing(&array, counted, metrics, i);
		if (add_more != NULL) {
			add_more(&array, metrics, i, now_ms);
		}
		add_next_index_zval(&list, &array);
	}
	add_assoc_zval_ex(reading, list_name, strlen(list_name), &list);
}

static void add_group_name(zval *array, const mcp_metrics *metrics, uint32_t index) {
	const mcp_counted *caches = &mcp_counted_caches;
	mcp_shown_name name;
	size_t known = index < caches->records ? index : caches->records - 1;
	php_mcp_metrics_show_name(caches, metrics, known, &name);
	add_name(array, caches->label, &name);
}

static void add_rebuilds(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	zval list;
	array_init(&list);
	mcp_rebuild *rebuilds = safe_emalloc(MCP_REBUILDS_SCRATCH, sizeof(*rebuilds), 0);
	size_t count = metrics != NULL ? mcp_rebuilds_read(&metrics->rebuilds, now_ms, rebuilds) : 0;
	for (size_t i = 0; i < count; i++) {
		zval array;
		array_init(&array);
		add_assoc_stringl(&array, "key", rebuilds[i].key, rebuilds[i].key_length);
		add_group_name(&array, metrics, rebuilds[i].group);
		add_number(&array, "count", rebuilds[i].count);
		add_assoc_double(&array, "seconds", (double)rebuilds[i].spent_ms / 1e3);
		add_next_index_zval(&list, &array);
	}
	efree(rebuilds);
	add_assoc_zval(reading, "rebuilds", &list);
}

static void add_bounds(zval *reading) {
	zval bounds;
	zval compute_times;
	zval round_trips;
	array_init(&compute_times);
	for (size_t i = 0; i < MCP_COMPUTE_TIMES - 1; i++) {
		add_next_index_double(&compute_times, php_mcp_metrics_compute_bound(i));
	}
	array_init(&round_trips);
	for (size_t i = 0; i < MCP_ROUND_TRIPS - 1; i++) {
		add_next_index_double(&round_trips, php_mcp_metrics_round_trip_bound(i));
	}
	array_init(&bounds);
	add_assoc_zval(&bounds, "compute_times", &compute_times);
	add_assoc_zval(&bounds, "round_trips", &round_trips);
	add_assoc_zval(reading, "bounds", &bounds);
}

static void add_head(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	bool is_counted = metrics != NULL;
	uint64_t since_ms = is_counted ? mcp_metrics_get(&metrics->since_ms) : now_ms;
	add_assoc_bool(reading, "enabled", is_counted);
	add_assoc_bool(reading, "shared", is_counted && php_mcp_meters_is_shared());
	add_assoc_double(reading, "since", (double)since_ms / 1e3);
	add_assoc_double(reading, "now", (double)now_ms / 1e3);
	add_number(reading, "processes", is_counted ? php_mcp_processes_count(metrics) : 0);
	add_words(reading, &mcp_counts_of_host, is_counted ? metrics->counts : NULL);
	add_bounds(reading);
}

void php_mcp_metrics_reading_fill(zval *reading, mcp_metrics *metrics) {
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	if (metrics != NULL) {
		mcp_metrics_sample(metrics, now_ms);
	}
	array_init(reading);
	add_head(reading, metrics, now_ms);
	add_things(reading, "groups", &mcp_counted_caches, metrics, add_more_of_group, now_ms);
	add_things(reading, "servers", &mcp_counted_servers, metrics, add_more_of_server, now_ms);
	add_things(reading, "locks", &mcp_counted_locks, metrics, NULL, now_ms);
	add_things(reading, "sessions", &mcp_counted_sessions, metrics, NULL, now_ms);
	add_rebuilds(reading, metrics, now_ms);
}

/* --- the strip --- */

static void add_event(zval *list, const mcp_metrics *metrics, const mcp_strip_event *event) {
	zval array;
	array_init(&array);
	add_assoc_double(&array, "at", (double)event->at_ms / 1e3);
	add_assoc_stringl(&array, "letter", &event->letter, 1);
	add_group_name(&array, metrics, event->group);
	add_assoc_stringl(&array, "key", event->key, event->key_length);
	add_number(&array, "pid", event->pid);
	add_next_index_zval(list, &array);
}

/* Finds a group by its name; -1: none is called so. The name is looked at, and not made. */
static int find_group(const mcp_metrics *metrics, const zend_string *group) {
	mcp_bytes wanted = mcp_bytes_of(ZSTR_VAL(group), ZSTR_LEN(group));
	for (int i = 0; i < MCP_METRICS_GROUPS; i++) {
		mcp_shown_name name;
		php_mcp_metrics_show_name(&mcp_counted_caches, metrics, (size_t)i, &name);
		bool is_named = mcp_counted_is_rest(&mcp_counted_caches, (size_t)i) ||
			mcp_metrics_get(&metrics->groups[i].name.id) != 0;
		if (is_named && mcp_bytes_equal(wanted, mcp_bytes_of(name.bytes, name.length))) {
			return i;
		}
	}
	return -1;
}

void php_mcp_metrics_reading_strip(zval *list, const mcp_metrics *metrics, const zend_string *group,
	size_t last) {
	array_init(list);
	int index = MCP_STRIP_ALL_GROUPS;
	if (metrics != NULL && group != NULL) {
		index = find_group(metrics, group);
	}
	if (metrics == NULL || (group != NULL && index < 0)) {
		return;
	}
	mcp_strip_event *events = safe_emalloc(last, sizeof(*events), 0);
	size_t count = mcp_strip_read(&metrics->strip, index, events, last);
	for (size_t i = 0; i < count; i++) {
		add_event(list, metrics, &events[i]);
	}
	efree(events);
}
