/* The class McPatterns\Metrics: what this host's processes have counted, as arrays and in Prometheus's text format. */
/* SPDX-License-Identifier: MIT */
#include "class_metrics.h"

#include "../../core/metrics/metrics.h"
#include "../host/environment.h"
#include "../library/library.h"
#include "../objects/classes.h"
#include "../objects/options.h"
#include "meters.h"
#include "processes.h"

#include "class_metrics_arginfo.h"

/* A name from this memory, or its placeholder if it is unknown. */
typedef struct mcp_shown_name {
	size_t length;
	char bytes[MCP_METRICS_NAME_MAX];
} mcp_shown_name;

#define MCP_METRICS_OTHER "other"

/* Converts the metrics memory to arrays. Nothing in the memory is trusted: any number is possible. */

/* Placeholder for a name whose process was killed before writing it. The next process that uses the name writes it. */
#define NOT_KNOWN "?"

/* Get the name of a record, or the placeholder. */
static void php_mcp_metrics_show_name(const mcp_counted *counted, const mcp_metrics *metrics,
	size_t index, mcp_shown_name *shown) {
	bool is_rest = mcp_counted_is_rest(counted, index);
	const mcp_metrics_name *name = mcp_counted_name(counted, metrics, index);
	const char *instead = is_rest ? MCP_METRICS_OTHER : NOT_KNOWN;
	if (is_rest || !mcp_metrics_read_name(name, shown->bytes, &shown->length)) {
		shown->length = strlen(instead);
		memcpy(shown->bytes, instead, shown->length);
	}
}

/* Bound of a histogram bucket in seconds: of compute times here, of round trips below. */
static double php_mcp_metrics_compute_bound(size_t place) {
	return (double)mcp_histogram_bound(place, 0) / 1e3;
}

static double php_mcp_metrics_round_trip_bound(size_t place) {
	return (double)mcp_histogram_bound(place, MCP_ROUND_TRIPS_FIRST) / 1e9;
}

static void add_number(zval *array, const char *name, uint64_t number) {
	zend_long shown = number > ZEND_LONG_MAX ? ZEND_LONG_MAX : (zend_long)number;
	add_assoc_long_ex(array, name, strlen(name), shown);
}

static void add_name(zval *array, const char *name, const mcp_shown_name *shown) {
	add_assoc_stringl_ex(array, name, strlen(name), shown->bytes, shown->length);
}

static void add_counts_of(zval *array, const char *name, const mcp_metrics_word *words,
	size_t count) {
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

/* Add all numbers of a table that read() returns. */
static void php_mcp_metrics_add_counts(zval *array, const mcp_counts *counts,
	const uint64_t *numbers) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		if (count->name != NULL) {
			php_mcp_metrics_add_count(array, count->name, count, numbers[count->which]);
		}
	}
}

/* Add the current counts. `words` NULL: metrics are off. */
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

/* Same format as Pool::lastErrors(). */
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

/* Adds the fields of a record other than its counts. */
typedef void (*more_of)(zval *array, const mcp_metrics *metrics, size_t index, uint64_t now_ms);

static void add_more_of_group(zval *array, const mcp_metrics *metrics, size_t index,
	uint64_t now_ms) {
	(void)now_ms;
	add_counts_of(array, "compute_times", metrics->groups[index].compute_times, MCP_COMPUTE_TIMES);
}

static void add_more_of_server(zval *array, const mcp_metrics *metrics, size_t index,
	uint64_t now_ms) {
	const mcp_metrics_server *server = &metrics->servers[index];
	add_state(array, &server->state, mcp_metrics_get(&server->counts[MCP_COUNT_CALLS]), now_ms);
	add_assoc_double(array, "seconds", (double)mcp_metrics_get(&server->timed_ns) / 1e9);
	add_counts_of(array, "round_trips", server->round_trips, MCP_ROUND_TRIPS);
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

/* Add the list of records that have counted something. `add_more` may be NULL. */
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

static void add_all_things(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	add_head(reading, metrics, now_ms);
	add_things(reading, "groups", &mcp_counted_caches, metrics, add_more_of_group, now_ms);
	add_things(reading, "servers", &mcp_counted_servers, metrics, add_more_of_server, now_ms);
	add_things(reading, "locks", &mcp_counted_locks, metrics, NULL, now_ms);
	add_things(reading, "sessions", &mcp_counted_sessions, metrics, NULL, now_ms);
}

/* Fill the reading in. `metrics` NULL: metrics are off. */
static void php_mcp_metrics_reading_fill(zval *reading, mcp_metrics *metrics) {
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	if (metrics != NULL) {
		mcp_metrics_sample(metrics, now_ms);
	}
	array_init(reading);
	add_all_things(reading, metrics, now_ms);
	add_rebuilds(reading, metrics, now_ms);
}

/* --- the trace --- */

static void add_event(zval *list, const mcp_metrics *metrics, const mcp_trace_event *event) {
	zval array;
	array_init(&array);
	add_assoc_double(&array, "at", (double)event->at_ms / 1e3);
	add_assoc_stringl(&array, "letter", &event->letter, 1);
	add_group_name(&array, metrics, event->group);
	add_assoc_stringl(&array, "key", event->key, event->key_length);
	add_number(&array, "pid", event->pid);
	add_next_index_zval(list, &array);
}

/* Find a group by its name without creating it. Returns -1 if there is none. */
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

/* List the events. `group` NULL: all. `last` is at most MCP_TRACE_EVENTS. */
static void php_mcp_metrics_reading_trace(zval *list, const mcp_metrics *metrics,
	const zend_string *group, size_t last) {
	array_init(list);
	int index = MCP_TRACE_ALL_GROUPS;
	if (metrics != NULL && group != NULL) {
		index = find_group(metrics, group);
	}
	if (metrics == NULL || (group != NULL && index < 0)) {
		return;
	}
	mcp_trace_event *events = safe_emalloc(last, sizeof(*events), 0);
	size_t count = mcp_trace_read(&metrics->trace, index, events, last);
	for (size_t i = 0; i < count; i++) {
		add_event(list, metrics, &events[i]);
	}
	efree(events);
}

/* In an array of their own, because some names are also names of caches' counts. */
static void add_sessions(zval *sample, const uint64_t *sums) {
	zval sessions;
	array_init(&sessions);
	php_mcp_metrics_add_counts(&sessions, &mcp_counts_of_sessions, sums);
	add_assoc_zval(sample, "sessions", &sessions);
}

static void add_sample(zval *list, const mcp_history_shown *sample) {
	zval array;
	array_init(&array);
	add_assoc_double(&array, "at", (double)sample->at_ms / 1e3);
	const uint64_t *sums = sample->sums;
	php_mcp_metrics_add_counts(&array, &mcp_counts_of_caches, &sums[MCP_SUM_OF_CACHES]);
	php_mcp_metrics_add_counts(&array, &mcp_counts_of_locks, &sums[MCP_SUM_OF_LOCKS]);
	php_mcp_metrics_add_counts(&array, &mcp_counts_of_servers, &sums[MCP_SUM_OF_SERVERS]);
	add_sessions(&array, &sums[MCP_SUM_OF_SESSIONS]);
	add_next_index_zval(list, &array);
}

/* Fill the list in. `metrics` NULL: metrics are off. */
static void php_mcp_history_reading_fill(zval *list, mcp_metrics *metrics) {
	array_init(list);
	if (metrics == NULL) {
		return;
	}
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	mcp_metrics_sample(metrics, now_ms);
	mcp_history_shown *samples = safe_emalloc(MCP_HISTORY_SHOWN, sizeof(*samples), 0);
	size_t count =
		mcp_history_read(&metrics->history, now_ms, mcp_metrics_get(&metrics->since_ms), samples);
	for (size_t i = 0; i < count; i++) {
		add_sample(list, &samples[i]);
	}
	efree(samples);
}

/* Descriptions of the names in Metrics::read() and of the trace's event codes, so that a dashboard needs no list. */

static const char *const kinds[] = {
	[MCP_COUNT_IS_WORK] = "work",
	[MCP_COUNT_IS_ANSWER] = "answer",
	[MCP_COUNT_IS_TROUBLE] = "trouble",
	[MCP_COUNT_IS_TIMED] = "timed",
	[MCP_COUNT_IS_PEAK] = "peak",
};

static void add_count(zval *list, const char *of, const mcp_count *count) {
	zval array;
	array_init(&array);
	add_assoc_string(&array, "of", of);
	add_assoc_string(&array, "name", count->name);
	add_assoc_string(&array, "kind", kinds[count->kind]);
	add_assoc_string(&array, "unit", count->unit);
	add_assoc_string(&array, "help", count->help);
	add_next_index_zval(list, &array);
}

/* Add the counts that Metrics::read() returns. */
static void add_counts(zval *list, const char *of, const mcp_counts *counts) {
	for (size_t i = 0; i < counts->length; i++) {
		if (counts->rows[i].name != NULL) {
			add_count(list, of, &counts->rows[i]);
		}
	}
}

static void add_letters(zval *list) {
	for (const mcp_letter_row *row = mcp_letter_rows; row->letter != '\0'; row++) {
		zval array;
		array_init(&array);
		add_assoc_stringl(&array, "letter", &row->letter, 1);
		add_assoc_string(&array, "word", row->word);
		add_assoc_string(&array, "help", row->help);
		add_next_index_zval(list, &array);
	}
}

static void add_all_counts(zval *counts) {
	array_init(counts);
	add_counts(counts, "host", &mcp_counts_of_host);
	add_counts(counts, mcp_counted_caches.what, mcp_counted_caches.counts);
	add_counts(counts, mcp_counted_servers.what, mcp_counted_servers.counts);
	add_counts(counts, mcp_counted_locks.what, mcp_counted_locks.counts);
	add_counts(counts, mcp_counted_sessions.what, mcp_counted_sessions.counts);
}

static void php_mcp_legend_fill(zval *legend) {
	zval counts;
	zval letters;
	add_all_counts(&counts);
	array_init(&letters);
	add_letters(&letters);
	array_init(legend);
	add_assoc_zval(legend, "counts", &counts);
	add_assoc_zval(legend, "letters", &letters);
}

#define DEFAULT_LAST 200

ZEND_METHOD(McPatterns_Metrics, __construct) {
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(McPatterns_Metrics, read) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_metrics_reading_fill(return_value, php_mcp_meters_metrics());
}

ZEND_METHOD(McPatterns_Metrics, history) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_history_reading_fill(return_value, php_mcp_meters_metrics());
}

ZEND_METHOD(McPatterns_Metrics, prometheus) {
	ZEND_PARSE_PARAMETERS_NONE();
	const mcp_metrics *metrics = php_mcp_meters_metrics();
	if (metrics == NULL) {
		RETURN_EMPTY_STRING();
	}
	zval arguments[2], page;
	array_init(&arguments[0]);
	add_all_things(&arguments[0], metrics, mcp_wall_ms(php_mcp_environment_get()));
	add_all_counts(&arguments[1]);
	if (!php_mcp_library_call(MCP_LIBRARY_PROMETHEUS, arguments, 2, &page)) {
		RETURN_THROWS();
	}
	RETVAL_STR(php_mcp_library_join(Z_ARRVAL(page)));
	zval_ptr_dtor(&page);
}

ZEND_METHOD(McPatterns_Metrics, legend) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_legend_fill(return_value);
}

ZEND_METHOD(McPatterns_Metrics, trace) {
	zend_string *group = NULL;
	zend_long last = DEFAULT_LAST;

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(group)
		Z_PARAM_LONG(last)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_mcp_options_is_between(2, last, 1, MCP_TRACE_EVENTS)) {
		RETURN_THROWS();
	}
	php_mcp_metrics_reading_trace(return_value, php_mcp_meters_metrics(), group, (size_t)last);
}

ZEND_METHOD(McPatterns_Metrics, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_metrics *metrics = php_mcp_meters_metrics();
	if (metrics != NULL) {
		mcp_metrics_reset(metrics, mcp_wall_ms(php_mcp_environment_get()));
	}
}

void php_mcp_class_metrics_register(void) {
	register_class_McPatterns_Metrics();
}
