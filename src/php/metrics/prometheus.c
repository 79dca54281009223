/* By the format's rules (prometheus.io, "Exposition formats") and its conventions for names: counters end with _total,
 * units are seconds, a histogram's buckets are cumulative. A metric stands together, so that each is a walk over all
 * groups, servers, locks or sessions. */
/* SPDX-License-Identifier: MIT */
#include "prometheus.h"

#include "../host/environment.h"
#include "metrics_reading.h"
#include "processes.h"

#include "ext/standard/html.h"
#include "main/snprintf.h"
#include "Zend/zend_smart_str.h"

#include <inttypes.h>

/* The room for a number, and for a bound. */
#define NUMBER_MAX 48
/* More than the longest name of a metric has. */
#define NAME_MAX_LENGTH 96

typedef struct page {
	smart_str text;
	const mcp_metrics *metrics;
	uint64_t now_ms;
} page;

static void begin_metric(page *self, const char *name, const char *type, const char *help) {
	smart_str_append_printf(&self->text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Appends a byte; the only three that a label's value may not have as they are get a backslash. */
static void append_letter(smart_str *text, char byte) {
	if (byte == '\n') {
		smart_str_appends(text, "\\n");
		return;
	}
	if (byte == '"' || byte == '\\') {
		smart_str_appendc(text, '\\');
	}
	smart_str_appendc(text, byte);
}

/* Appends a value so that a scraper takes it, which refuses the whole page for one that is no UTF-8. A byte that is
 * none is shown as \xFF, not by one sign for all, which would make one label of two names. */
static void append_escaped(smart_str *text, const mcp_shown_name *value) {
	const unsigned char *bytes = (const unsigned char *)value->bytes;
	for (size_t at = 0, end = 0; at < value->length; at = end) {
		zend_result result;
		php_next_utf8_char(bytes, value->length, &end, &result);
		if (result != SUCCESS) {
			smart_str_append_printf(text, "\\\\x%02X", bytes[at]);
			end = at + 1;
			continue;
		}
		for (size_t i = at; i < end; i++) {
			append_letter(text, value->bytes[i]);
		}
	}
}

/* Which thing a sample is of. */
typedef struct label {
	const char *name;
	mcp_shown_name value;
} label;

/* Appends the head of a sample; `bound` NULL: it is no bucket's. */
static void append_sample_head(page *self, const char *name, const char *suffix,
	const label *label_of, const char *bound) {
	smart_str *text = &self->text;
	smart_str_append_printf(text, "%s%s{%s=\"", name, suffix, label_of->name);
	append_escaped(text, &label_of->value);
	if (bound != NULL) {
		smart_str_append_printf(text, "\",le=\"%s", bound);
	}
	smart_str_appends(text, "\"} ");
}

static void append_count(page *self, const char *name, const char *suffix, const label *label_of,
	uint64_t count) {
	append_sample_head(self, name, suffix, label_of, NULL);
	smart_str_append_printf(&self->text, "%" PRIu64 "\n", count);
}

/* Writes enough digits for each number to be itself; '.' whatever the locale. */
static void write_seconds(char out[NUMBER_MAX], double seconds) {
	php_gcvt(seconds, 17, '.', 'e', out);
}

static void append_seconds(page *self, const char *name, const char *suffix, const label *label_of,
	double seconds) {
	char number[NUMBER_MAX];
	write_seconds(number, seconds);
	append_sample_head(self, name, suffix, label_of, NULL);
	smart_str_append_printf(&self->text, "%s\n", number);
}

typedef double (*bound_of)(size_t place);

typedef struct histogram {
	const char *name;
	const mcp_metrics_word *words;
	size_t count;
	bound_of bound;
	double sum;
} histogram;

/* Appends samples of one reading of the words, or a scraper would see fewer in all than in a part. */
static void append_histogram(page *self, const histogram *shown, const label *label_of) {
	uint64_t total = 0;
	char bound[NUMBER_MAX];
	for (size_t i = 0; i < shown->count; i++) {
		total += mcp_metrics_get(&shown->words[i]);
		if (i < shown->count - 1) {
			write_seconds(bound, shown->bound(i));
		} else {
			strcpy(bound, "+Inf");
		}
		append_sample_head(self, shown->name, "_bucket", label_of, bound);
		smart_str_append_printf(&self->text, "%" PRIu64 "\n", total);
	}
	append_seconds(self, shown->name, "_sum", label_of, shown->sum);
	append_count(self, shown->name, "_count", label_of, total);
}

/* Makes the label of a record; false if that has counted nothing. */
static bool find_label(const page *self, const mcp_counted *counted, size_t index,
	label *label_of) {
	label_of->name = counted->label;
	php_mcp_metrics_show_name(counted, self->metrics, index, &label_of->value);
	return mcp_counted_has_any(counted, self->metrics, index);
}

static void write_count(page *self, const mcp_counted *counted, const mcp_count *count) {
	char name[NAME_MAX_LENGTH];
	bool is_peak = count->kind == MCP_COUNT_IS_PEAK;
	snprintf(name, sizeof(name), "mcpatterns_%s_%s%s", counted->what, count->name,
		is_peak ? "" : "_total");
	begin_metric(self, name, is_peak ? "gauge" : "counter", count->help);
	for (size_t i = 0; i < counted->records; i++) {
		label label_of;
		if (!find_label(self, counted, i, &label_of)) {
			continue;
		}
		const mcp_metrics_word *words = mcp_counted_words(counted, self->metrics, i);
		uint64_t number = mcp_metrics_get(&words[count->which]);
		if (mcp_count_is_time(count)) {
			append_seconds(self, name, "", &label_of, (double)number / 1e3);
		} else {
			append_count(self, name, "", &label_of, number);
		}
	}
}

static void write_counts(page *self, const mcp_counted *counted) {
	for (size_t i = 0; i < counted->counts->length; i++) {
		const mcp_count *count = &counted->counts->rows[i];
		if (count->name != NULL && count->kind != MCP_COUNT_IS_TIMED) {
			write_count(self, counted, count);
		}
	}
}

static void write_compute_times(page *self) {
	const char *name = "mcpatterns_cache_compute_seconds";
	begin_metric(self, name, "histogram", "How long values took to be computed.");
	for (size_t i = 0; i < MCP_METRICS_GROUPS; i++) {
		const mcp_metrics_group *group = &self->metrics->groups[i];
		double sum = (double)mcp_metrics_get(&group->counts[MCP_COUNT_COMPUTE_MS]) / 1e3;
		histogram shown = {name, group->compute_times, MCP_COMPUTE_TIMES,
			php_mcp_metrics_compute_bound, sum};
		label label_of;
		if (find_label(self, &mcp_counted_caches, i, &label_of)) {
			append_histogram(self, &shown, &label_of);
		}
	}
}

static void write_breakers(page *self) {
	const char *name = "mcpatterns_server_breaker_open";
	begin_metric(self, name, "gauge",
		"Whether a process leaves the server alone now (1) or none does (0).");
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		const mcp_metrics_server *server = &self->metrics->servers[i];
		label label_of;
		if (find_label(self, &mcp_counted_servers, i, &label_of)) {
			append_count(self, name, "", &label_of,
				mcp_metrics_state_is_open(&server->state, self->now_ms));
		}
	}
}

static void write_round_trips(page *self) {
	const char *name = "mcpatterns_server_round_trip_seconds";
	begin_metric(self, name, "histogram",
		"How long requests took to be answered; one of 64 is timed.");
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		const mcp_metrics_server *server = &self->metrics->servers[i];
		double sum = (double)mcp_metrics_get(&server->timed_ns) / 1e9;
		histogram shown = {name, server->round_trips, MCP_ROUND_TRIPS,
			php_mcp_metrics_round_trip_bound, sum};
		label label_of;
		if (find_label(self, &mcp_counted_servers, i, &label_of)) {
			append_histogram(self, &shown, &label_of);
		}
	}
}

static void write_head(page *self) {
	char number[NUMBER_MAX];
	write_seconds(number, (double)mcp_metrics_get(&self->metrics->since_ms) / 1e3);
	begin_metric(self, "mcpatterns_counting_since_seconds", "gauge",
		"Unix time since when is counted.");
	smart_str_append_printf(&self->text, "mcpatterns_counting_since_seconds %s\n", number);
	begin_metric(self, "mcpatterns_processes", "gauge", "Processes alive that count.");
	smart_str_append_printf(&self->text, "mcpatterns_processes %zu\n",
		php_mcp_processes_count(self->metrics));
}

/* Writes the counts of no thing in particular, which have no label. */
static void write_host(page *self) {
	for (size_t i = 0; i < mcp_counts_of_host.length; i++) {
		const mcp_count *count = &mcp_counts_of_host.rows[i];
		char name[NAME_MAX_LENGTH];
		snprintf(name, sizeof(name), "mcpatterns_%s_total", count->name);
		begin_metric(self, name, "counter", count->help);
		smart_str_append_printf(&self->text, "%s %" PRIu64 "\n", name,
			mcp_metrics_get(&self->metrics->counts[count->which]));
	}
}

zend_string *php_mcp_prometheus_write(const mcp_metrics *metrics) {
	if (metrics == NULL) {
		return ZSTR_EMPTY_ALLOC();
	}
	page self = {.metrics = metrics, .now_ms = mcp_wall_ms(php_mcp_environment_get())};
	write_head(&self);
	write_host(&self);
	write_counts(&self, &mcp_counted_caches);
	write_compute_times(&self);
	write_counts(&self, &mcp_counted_servers);
	write_breakers(&self);
	write_round_trips(&self);
	write_counts(&self, &mcp_counted_locks);
	write_counts(&self, &mcp_counted_sessions);
	return smart_str_extract(&self.text);
}
