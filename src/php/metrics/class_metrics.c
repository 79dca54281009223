/* The class McPatterns\Metrics: what this host's processes have counted, as arrays and in Prometheus's text format. */
/* SPDX-License-Identifier: MIT */
#include "meters.h"

#include "../host/environment.h"
#include "../library/library.h"
#include "../objects/classes.h"
#include "../objects/options.h"

#include "class_metrics_arginfo.h"

/* --- converting the metrics memory to arrays --- */

/* The memory is not trusted: any number is possible. */

/* Get the name of a record. Returns a placeholder if a process was killed before it wrote the name. The next process
 * that uses this name writes it. */
static mcp_bytes name_of_record(const mcp_counted *counted, const mcp_metrics *metrics,
	size_t index, char buffer[MCP_METRICS_NAME_MAX]) {
	size_t length;
	if (mcp_counted_is_rest(counted, index)) {
		return mcp_bytes_of("other", 5);
	}
	bool is_known =
		mcp_metrics_read_name(mcp_counted_name(counted, metrics, index), buffer, &length);
	return is_known ? mcp_bytes_of(buffer, length) : mcp_bytes_of("?", 1);
}

static void add_counts_of(zval *array, const char *name, const mcp_metrics_word *words,
	size_t count) {
	zval list;
	array_init_size(&list, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		add_next_index_long(&list, php_mcp_meters_shown(mcp_metrics_get(&words[i])));
	}
	add_assoc_zval(array, name, &list);
}

/* Add all numbers of a table that read() returns. */
static void add_table_counts(zval *array, const mcp_counts *counts, const uint64_t *numbers) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		if (count->name != NULL) {
			php_mcp_meters_add_count(array, count->name, count, numbers[count->which]);
		}
	}
}

/* Add the current counts. `words` NULL: metrics are off. */
static void add_words(zval *array, const mcp_counts *counts, const mcp_metrics_word *words) {
	uint64_t numbers[MCP_CACHE_COUNTS] = {0};
	for (size_t i = 0; words != NULL && i < counts->length; i++) {
		numbers[i] = mcp_metrics_get(&words[i]);
	}
	add_table_counts(array, counts, numbers);
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

static void add_state(zval *array, const mcp_metrics_server *server, uint64_t now_ms) {
	const mcp_metrics_state *state = &server->state;
	uint64_t calls = mcp_metrics_get(&server->counts[MCP_COUNT_CALLS]);
	bool is_open = mcp_metrics_state_is_open(state, now_ms);
	uint64_t since_ms = is_open ? mcp_metrics_get(&state->open_since_ms) : 0;
	add_assoc_bool(array, "is_open", is_open);
	if (since_ms == 0) {
		add_assoc_null(array, "open_since");
	} else {
		add_assoc_double(array, "open_since", (double)since_ms / 1e3);
	}
	add_last_error(array, state);
	uint64_t used_ms = mcp_metrics_state_used_ms(state, calls, now_ms);
	add_assoc_double(array, "last_used", (double)used_ms / 1e3);
}

static void add_thing(zval *list, const mcp_counted *counted, const mcp_metrics *metrics,
	size_t index, uint64_t now_ms) {
	char buffer[MCP_METRICS_NAME_MAX];
	mcp_bytes name = name_of_record(counted, metrics, index, buffer);
	zval array;
	array_init(&array);
	add_assoc_stringl(&array, counted->label, name.data, name.length);
	if (counted == &mcp_counted_caches) {
		add_assoc_bool(&array, "is_other", mcp_counted_is_rest(counted, index));
	}
	add_words(&array, counted->counts, mcp_counted_words(counted, metrics, index));
	if (counted == &mcp_counted_caches) {
		add_counts_of(&array, "compute_times", metrics->groups[index].compute_times,
			MCP_COMPUTE_TIMES);
	} else if (counted == &mcp_counted_servers) {
		const mcp_metrics_server *server = &metrics->servers[index];
		add_state(&array, server, now_ms);
		add_assoc_double(&array, "seconds", (double)mcp_metrics_get(&server->timed_ns) / 1e9);
		add_counts_of(&array, "round_trips", server->round_trips, MCP_ROUND_TRIPS);
	}
	add_next_index_zval(list, &array);
}

/* Add the list of records that have counted something. */
static void add_things(zval *reading, const char *list_name, const mcp_counted *counted,
	const mcp_metrics *metrics, uint64_t now_ms) {
	zval list;
	array_init(&list);
	for (size_t i = 0; metrics != NULL && i < counted->records; i++) {
		if (mcp_counted_has_any(counted, metrics, i)) {
			add_thing(&list, counted, metrics, i, now_ms);
		}
	}
	add_assoc_zval(reading, list_name, &list);
}

static void add_group_name(zval *array, const mcp_metrics *metrics, uint32_t index) {
	const mcp_counted *caches = &mcp_counted_caches;
	char buffer[MCP_METRICS_NAME_MAX];
	size_t known = index < caches->records ? index : caches->records - 1;
	mcp_bytes name = name_of_record(caches, metrics, known, buffer);
	add_assoc_stringl(array, caches->label, name.data, name.length);
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
		add_assoc_long(&array, "count", php_mcp_meters_shown(rebuilds[i].count));
		add_assoc_double(&array, "seconds", (double)rebuilds[i].spent_ms / 1e3);
		add_next_index_zval(&list, &array);
	}
	efree(rebuilds);
	add_assoc_zval(reading, "rebuilds", &list);
}

/* Add the bounds of a histogram's buckets in seconds. */
static void add_bounds(zval *bounds, const char *name, size_t buckets, unsigned first,
	double units_per_second) {
	zval list;
	array_init(&list);
	for (size_t i = 0; i < buckets - 1; i++) {
		add_next_index_double(&list, (double)mcp_histogram_bound(i, first) / units_per_second);
	}
	add_assoc_zval(bounds, name, &list);
}

static void add_head(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	bool is_counted = metrics != NULL;
	uint64_t since_ms = is_counted ? mcp_metrics_get(&metrics->since_ms) : now_ms;
	add_assoc_bool(reading, "enabled", is_counted);
	add_assoc_bool(reading, "shared", is_counted && php_mcp_meters_is_shared());
	add_assoc_double(reading, "since", (double)since_ms / 1e3);
	add_assoc_double(reading, "now", (double)now_ms / 1e3);
	add_assoc_long(reading, "processes", is_counted ? php_mcp_meters_count_processes(metrics) : 0);
	add_words(reading, &mcp_counts_of_host, is_counted ? metrics->counts : NULL);
	zval bounds;
	array_init(&bounds);
	add_bounds(&bounds, "compute_times", MCP_COMPUTE_TIMES, 0, 1e3);
	add_bounds(&bounds, "round_trips", MCP_ROUND_TRIPS, MCP_ROUND_TRIPS_FIRST, 1e9);
	add_assoc_zval(reading, "bounds", &bounds);
}

static void add_all_things(zval *reading, const mcp_metrics *metrics, uint64_t now_ms) {
	add_head(reading, metrics, now_ms);
	add_things(reading, "groups", &mcp_counted_caches, metrics, now_ms);
	add_things(reading, "servers", &mcp_counted_servers, metrics, now_ms);
	add_things(reading, "locks", &mcp_counted_locks, metrics, now_ms);
	add_things(reading, "sessions", &mcp_counted_sessions, metrics, now_ms);
}

/* --- the trace --- */

/* Find a group by its name without creating it. Returns -1 if there is none. */
static int find_group(const mcp_metrics *metrics, const zend_string *group) {
	mcp_bytes wanted = mcp_bytes_of(ZSTR_VAL(group), ZSTR_LEN(group));
	for (int i = 0; i < MCP_METRICS_GROUPS; i++) {
		char buffer[MCP_METRICS_NAME_MAX];
		mcp_bytes name = name_of_record(&mcp_counted_caches, metrics, (size_t)i, buffer);
		bool is_named = mcp_counted_is_rest(&mcp_counted_caches, (size_t)i) ||
			mcp_metrics_get(&metrics->groups[i].name.id) != 0;
		if (is_named && mcp_bytes_equal(wanted, name)) {
			return i;
		}
	}
	return -1;
}

static void add_sample(zval *list, const mcp_history_shown *sample) {
	zval array, sessions;
	array_init(&array);
	add_assoc_double(&array, "at", (double)sample->at_ms / 1e3);
	const uint64_t *sums = sample->sums;
	add_table_counts(&array, &mcp_counts_of_caches, &sums[MCP_SUM_OF_CACHES]);
	add_table_counts(&array, &mcp_counts_of_locks, &sums[MCP_SUM_OF_LOCKS]);
	add_table_counts(&array, &mcp_counts_of_servers, &sums[MCP_SUM_OF_SERVERS]);
	/* In a separate array, because some names are also names of caches' counts. */
	array_init(&sessions);
	add_table_counts(&sessions, &mcp_counts_of_sessions, &sums[MCP_SUM_OF_SESSIONS]);
	add_assoc_zval(&array, "sessions", &sessions);
	add_next_index_zval(list, &array);
}

/* Descriptions of the names in Metrics::read() and of the trace's event codes, so that a dashboard needs no list. */

static const char *const kinds[] = {
	[MCP_COUNT_IS_WORK] = "work",
	[MCP_COUNT_IS_ANSWER] = "answer",
	[MCP_COUNT_IS_TROUBLE] = "trouble",
	[MCP_COUNT_IS_TIMED] = "timed",
	[MCP_COUNT_IS_PEAK] = "peak",
};

/* Add the counts that Metrics::read() returns. */
static void add_counts(zval *list, const char *of, const mcp_counts *counts) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		if (count->name == NULL) {
			continue;
		}
		zval array;
		array_init(&array);
		add_assoc_string(&array, "of", of);
		add_assoc_string(&array, "name", count->name);
		add_assoc_string(&array, "kind", kinds[count->kind]);
		add_assoc_string(&array, "unit", count->unit);
		add_assoc_string(&array, "help", count->help);
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

#define DEFAULT_LAST 200

ZEND_METHOD(McPatterns_Metrics, __construct) {
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(McPatterns_Metrics, read) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_metrics *metrics = php_mcp_meters_metrics();
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	if (metrics != NULL) {
		mcp_metrics_sample(metrics, now_ms);
	}
	array_init(return_value);
	add_all_things(return_value, metrics, now_ms);
	add_rebuilds(return_value, metrics, now_ms);
}

ZEND_METHOD(McPatterns_Metrics, history) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_metrics *metrics = php_mcp_meters_metrics();
	array_init(return_value);
	if (metrics == NULL) {
		return;
	}
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	mcp_metrics_sample(metrics, now_ms);
	mcp_history_shown *samples = safe_emalloc(MCP_HISTORY_SHOWN, sizeof(*samples), 0);
	size_t count =
		mcp_history_read(&metrics->history, now_ms, mcp_metrics_get(&metrics->since_ms), samples);
	for (size_t i = 0; i < count; i++) {
		add_sample(return_value, &samples[i]);
	}
	efree(samples);
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
	zval counts, letters;
	add_all_counts(&counts);
	array_init(&letters);
	for (const mcp_letter_row *row = mcp_letter_rows; row->letter != '\0'; row++) {
		zval array;
		array_init(&array);
		add_assoc_stringl(&array, "letter", &row->letter, 1);
		add_assoc_string(&array, "word", row->word);
		add_assoc_string(&array, "help", row->help);
		add_next_index_zval(&letters, &array);
	}
	array_init(return_value);
	add_assoc_zval(return_value, "counts", &counts);
	add_assoc_zval(return_value, "letters", &letters);
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
	const mcp_metrics *metrics = php_mcp_meters_metrics();
	int index = MCP_TRACE_ALL_GROUPS;
	array_init(return_value);
	if (metrics != NULL && group != NULL) {
		index = find_group(metrics, group);
	}
	if (metrics == NULL || (group != NULL && index < 0)) {
		return;
	}
	mcp_trace_event *events = safe_emalloc((size_t)last, sizeof(*events), 0);
	size_t count = mcp_trace_read(&metrics->trace, index, events, (size_t)last);
	for (size_t i = 0; i < count; i++) {
		const mcp_trace_event *event = &events[i];
		zval array;
		array_init(&array);
		add_assoc_double(&array, "at", (double)event->at_ms / 1e3);
		add_assoc_stringl(&array, "letter", &event->letter, 1);
		add_group_name(&array, metrics, event->group);
		add_assoc_stringl(&array, "key", event->key, event->key_length);
		add_assoc_long(&array, "pid", php_mcp_meters_shown(event->pid));
		add_next_index_zval(return_value, &array);
	}
	efree(events);
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
