/* Makes arrays of what stands in the metrics' memory, in which nothing is believed: a number may be any. */
/* SPDX-License-Identifier: MIT */
#include "metrics_reading.h"

#include "../../core/metrics/metrics_sums.h"
#include "../host/environment.h"
#include "metering.h"
#include "processes.h"

#define LAST_GROUP (MCP_METRICS_GROUPS - 1)

/* What a process was killed before it had written; the next one that uses it will. */
#define NOT_KNOWN "?"

void php_mcp_metrics_show_name(const mcp_metrics_name *name, bool is_last, mcp_shown_name *shown) {
	const char *instead = is_last ? MCP_METRICS_OTHER : NOT_KNOWN;
	if (is_last || !mcp_metrics_read_name(name, shown->bytes, &shown->length)) {
		shown->length = strlen(instead);
		memcpy(shown->bytes, instead, shown->length);
	}
}

static uint64_t sum(const mcp_metrics_word *words, size_t count) {
	uint64_t total = 0;
	for (size_t i = 0; i < count; i++) {
		total += mcp_metrics_get(&words[i]);
	}
	return total;
}

bool php_mcp_metrics_has_counted(const mcp_metrics_word *words, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (mcp_metrics_get(&words[i]) > 0) {
			return true;
		}
	}
	return false;
}

uint64_t php_mcp_metrics_computations(const mcp_metrics_group *group) {
	return sum(group->compute_times, MCP_COMPUTE_TIMES);
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

typedef struct shown_count {
	const char *name;
	mcp_group_count which;
	bool is_ms; /* shown in seconds */
} shown_count;

/* In the stub's order. */
static const shown_count shown_counts[] = {
	{"hits", MCP_COUNT_HITS, false},
	{"near_hits", MCP_COUNT_NEAR_HITS, false},
	{"stale", MCP_COUNT_STALE, false},
	{"misses", MCP_COUNT_MISSES, false},
	{"elections", MCP_COUNT_ELECTIONS, false},
	{"takeovers", MCP_COUNT_TAKEOVERS, false},
	{"waits", MCP_COUNT_WAITS, false},
	{"wait_seconds", MCP_COUNT_WAIT_MS, true},
	{"early", MCP_COUNT_EARLY, false},
	{"after_response", MCP_COUNT_AFTER_RESPONSE, false},
	{"stored", MCP_COUNT_STORED, false},
	{"refused", MCP_COUNT_REFUSED, false},
	{"unstorable", MCP_COUNT_UNSTORABLE, false},
	{"unreadable", MCP_COUNT_UNREADABLE, false},
	{"forged", MCP_COUNT_FORGED, false},
	{"gave_up", MCP_COUNT_GAVE_UP, false},
	{"uncached", MCP_COUNT_UNCACHED, false},
	{"errors", MCP_COUNT_ERRORS, false},
};

static void add_count(zval *array, const uint64_t *counts, const shown_count *shown) {
	uint64_t number = counts[shown->which];
	if (shown->is_ms) {
		add_assoc_double_ex(array, shown->name, strlen(shown->name), (double)number / 1e3);
	} else {
		add_number(array, shown->name, number);
	}
}

void php_mcp_metrics_add_group_counts(zval *array, const uint64_t counts[MCP_GROUP_COUNTS],
	uint64_t computations) {
	for (size_t i = 0; i < sizeof(shown_counts) / sizeof(shown_counts[0]); i++) {
		add_count(array, counts, &shown_counts[i]);
	}
	add_number(array, "computations", computations);
	shown_count computed = {"compute_seconds", MCP_COUNT_COMPUTE_MS, true};
	shown_count saved = {"saved_seconds", MCP_COUNT_SAVED_MS, true};
	add_count(array, counts, &computed);
	add_count(array, counts, &saved);
}

static void add_group(zval *list, const mcp_metrics *metrics, size_t index) {
	const mcp_metrics_group *group = &metrics->groups[index];
	if (!php_mcp_metrics_has_counted(group->counts, MCP_GROUP_COUNTS)) {
		return;
	}
	mcp_shown_name name;
	zval array;
	php_mcp_metrics_show_name(&group->name, index == LAST_GROUP, &name);
	array_init(&array);
	add_name(&array, "group", &name);
	add_assoc_bool(&array, "is_other", index == LAST_GROUP);
	uint64_t counts[MCP_GROUP_COUNTS];
	for (size_t i = 0; i < MCP_GROUP_COUNTS; i++) {
		counts[i] = mcp_metrics_get(&group->counts[i]);
	}
	php_mcp_metrics_add_group_counts(&array, counts, php_mcp_metrics_computations(group));
	add_counts(&array, "compute_times", group->compute_times, MCP_COMPUTE_TIMES);
	add_next_index_zval(list, &array);
}

static void add_time_or_null(zval *array, const char *name, uint64_t ms) {
	if (ms == 0) {
		add_assoc_null_ex(array, name, strlen(name));
	} else {
		add_assoc_double_ex(array, name, strlen(name), (double)ms / 1e3);
	}
}

/* As Pool::lastErrors() has it. */
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

static void add_server(zval *list, const mcp_metrics *metrics, size_t index, uint64_t now_ms) {
	const mcp_metrics_server *server = &metrics->servers[index];
	uint64_t calls = mcp_metrics_get(&server->calls);
	if (calls == 0) {
		return;
	}
	mcp_shown_name name;
	zval array;
	php_mcp_metrics_show_name(&server->name, index == MCP_METRICS_SERVERS - 1, &name);
	array_init(&array);
	add_name(&array, "server", &name);
	add_number(&array, "calls", calls);
	add_number(&array, "timeouts", mcp_metrics_get(&server->timeouts));
	add_number(&array, "failures", mcp_metrics_get(&server->failures));
	add_number(&array, "breaker_openings", mcp_metrics_get(&server->openings));
	add_number(&array, "when_down", mcp_metrics_get(&server->when_down));
	add_state(&array, &server->state, calls, now_ms);
	add_assoc_double(&array, "seconds", (double)mcp_metrics_get(&server->timed_ns) / 1e9);
	add_counts(&array, "round_trips", server->round_trips, MCP_ROUND_TRIPS);
	add_next_index_zval(list, &array);
}

static void add_lock(zval *list, const mcp_metrics *metrics, size_t index) {
	const mcp_metrics_lock *lock = &metrics->locks[index];
	if (!php_mcp_metrics_has_counted(lock->counts, MCP_LOCK_COUNTS)) {
		return;
	}
	mcp_shown_name name;
	zval array;
	php_mcp_metrics_show_name(&lock->name, index == MCP_METRICS_LOCKS - 1, &name);
	array_init(&array);
	add_name(&array, "lock", &name);
	add_number(&array, "acquisitions", mcp_metrics_get(&lock->counts[MCP_COUNT_ACQUISITIONS]));
	add_number(&array, "contention", mcp_metrics_get(&lock->counts[MCP_COUNT_CONTENTION]));
	add_number(&array, "losses", mcp_metrics_get(&lock->counts[MCP_COUNT_LOSSES]));
	add_next_index_zval(list, &array);
}

static void add_group_name(zval *array, const mcp_metrics *metrics, uint32_t index) {
	mcp_shown_name name;
	uint32_t known = index < LAST_GROUP ? index : LAST_GROUP;
	php_mcp_metrics_show_name(&metrics->groups[known].name, known == LAST_GROUP, &name);
	add_name(array, "group", &name);
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

static void add_groups(zval *reading, const mcp_metrics *metrics) {
	zval list;
	array_init(&list);
	for (size_t i = 0; metrics != NULL && i < MCP_METRICS_GROUPS; i++) {
		add_group(&list, metrics, i);
	}
	add_assoc_zval(reading, "groups", &list);
}

static void add_servers(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	zval list;
	array_init(&list);
	for (size_t i = 0; metrics != NULL && i < MCP_METRICS_SERVERS; i++) {
		add_server(&list, metrics, i, now_ms);
	}
	add_assoc_zval(reading, "servers", &list);
}

static void add_locks(zval *reading, const mcp_metrics *metrics) {
	zval list;
	array_init(&list);
	for (size_t i = 0; metrics != NULL && i < MCP_METRICS_LOCKS; i++) {
		add_lock(&list, metrics, i);
	}
	add_assoc_zval(reading, "locks", &list);
}

static void add_head(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	bool is_counted = metrics != NULL;
	uint64_t since_ms = is_counted ? mcp_metrics_get(&metrics->since_ms) : now_ms;
	add_assoc_bool(reading, "enabled", is_counted);
	add_assoc_bool(reading, "shared", is_counted && php_mcp_metering_is_shared());
	add_assoc_double(reading, "since", (double)since_ms / 1e3);
	add_assoc_double(reading, "now", (double)now_ms / 1e3);
	add_number(reading, "processes", is_counted ? php_mcp_processes_count(metrics) : 0);
	add_number(reading, "strip_failures",
		is_counted ? mcp_metrics_get(&metrics->strip_failures) : 0);
	add_bounds(reading);
}

void php_mcp_metrics_reading_fill(zval *reading, mcp_metrics *metrics) {
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	if (metrics != NULL) {
		mcp_metrics_sample(metrics, now_ms);
	}
	array_init(reading);
	add_head(reading, metrics, now_ms);
	add_groups(reading, metrics);
	add_servers(reading, metrics, now_ms);
	add_locks(reading, metrics);
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

/* -1: no group is called so. The name is looked at, and not made. */
static int find_group(const mcp_metrics *metrics, const zend_string *group) {
	mcp_bytes wanted = mcp_bytes_of(ZSTR_VAL(group), ZSTR_LEN(group));
	for (int i = 0; i < MCP_METRICS_GROUPS; i++) {
		mcp_shown_name name;
		php_mcp_metrics_show_name(&metrics->groups[i].name, i == LAST_GROUP, &name);
		bool is_named = i == LAST_GROUP || mcp_metrics_get(&metrics->groups[i].name.id) != 0;
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
