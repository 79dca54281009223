/* By the format's rules (prometheus.io, "Exposition formats") and its conventions for names: counters end with _total,
 * units are seconds, a histogram's buckets are cumulative. A metric stands together, so that each is a walk over all
 * groups, servers or locks. */
/* SPDX-License-Identifier: MIT */
#include "prometheus.h"

#include "../host/environment.h"
#include "metrics_reading.h"
#include "processes.h"

#include "ext/standard/html.h"
#include "main/snprintf.h"
#include "Zend/zend_smart_str.h"

#include <inttypes.h>

/* Of a number, and of a bound. */
#define NUMBER_MAX 48

typedef struct page {
	smart_str text;
	const mcp_metrics *metrics;
	uint64_t now_ms;
} page;

static void begin_metric(page *self, const char *name, const char *type, const char *help) {
	smart_str_append_printf(&self->text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* The only three that a label's value may not have as they are. */
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

/* A scraper refuses the whole page for one value that is no UTF-8. A byte that is none is shown as \xFF, not by one
 * sign for all, which would make one label of two names. */
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

/* `bound` NULL: it is no bucket's. */
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

/* Enough digits for each number to be itself; '.' whatever the locale. */
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

/* All samples are of one reading of the words, or a scraper would see fewer in all than in a part. */
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

/* --- groups --- */

typedef struct group_metric {
	mcp_group_count which;
	bool is_ms; /* shown in seconds */
	const char *name;
	const char *help;
} group_metric;

static const group_metric group_metrics[] = {
	{MCP_COUNT_HITS, false, "mcpatterns_cache_hits_total", "Fresh values served from memcached."},
	{MCP_COUNT_NEAR_HITS, false, "mcpatterns_cache_near_hits_total",
		"Fresh values served from this host's memory."},
	{MCP_COUNT_STALE, false, "mcpatterns_cache_stale_total", "Old values served."},
	{MCP_COUNT_MISSES, false, "mcpatterns_cache_misses_total", "Reads that found no value."},
	{MCP_COUNT_ELECTIONS, false, "mcpatterns_cache_elections_total",
		"Reads whose caller was told to rebuild the value."},
	{MCP_COUNT_TAKEOVERS, false, "mcpatterns_cache_takeovers_total",
		"Elections after a claim had run out, or the wait for it."},
	{MCP_COUNT_WAITS, false, "mcpatterns_cache_waits_total",
		"Reads that paused for another caller's value."},
	{MCP_COUNT_WAIT_MS, true, "mcpatterns_cache_wait_seconds_total",
		"Time paused for other callers' values."},
	{MCP_COUNT_EARLY, false, "mcpatterns_cache_early_total",
		"Elections before the end of the TTL."},
	{MCP_COUNT_AFTER_RESPONSE, false, "mcpatterns_cache_after_response_total",
		"Rebuilds done after the response was sent."},
	{MCP_COUNT_STORED, false, "mcpatterns_cache_stored_total", "Values stored."},
	{MCP_COUNT_REFUSED, false, "mcpatterns_cache_refused_total",
		"Results that were no longer wanted when they were computed."},
	{MCP_COUNT_UNSTORABLE, false, "mcpatterns_cache_unstorable_total",
		"Results that no server takes."},
	{MCP_COUNT_UNREADABLE, false, "mcpatterns_cache_unreadable_total",
		"Values that could not be read: foreign, corrupt, or of unknown classes."},
	{MCP_COUNT_FORGED, false, "mcpatterns_cache_forged_total",
		"Values without the signature they should have."},
	{MCP_COUNT_GAVE_UP, false, "mcpatterns_cache_gave_up_total",
		"Changes given up because others kept coming first."},
	{MCP_COUNT_UNCACHED, false, "mcpatterns_cache_uncached_total",
		"Values computed and not stored, because no server took or confirmed them."},
	{MCP_COUNT_ERRORS, false, "mcpatterns_cache_errors_total",
		"Calls that no server answered in time."},
	{MCP_COUNT_SAVED_MS, true, "mcpatterns_cache_saved_seconds_total",
		"Compute time of the values served, which was not spent again."},
};

/* False: it has counted nothing. */
static bool find_group(const page *self, size_t index, label *label_of) {
	const mcp_metrics_group *group = &self->metrics->groups[index];
	label_of->name = "group";
	php_mcp_metrics_show_name(&group->name, index == MCP_METRICS_GROUPS - 1, &label_of->value);
	return php_mcp_metrics_has_counted(group->counts, MCP_GROUP_COUNTS);
}

static void write_group_metric(page *self, const group_metric *metric) {
	begin_metric(self, metric->name, "counter", metric->help);
	for (size_t i = 0; i < MCP_METRICS_GROUPS; i++) {
		label label_of;
		if (!find_group(self, i, &label_of)) {
			continue;
		}
		uint64_t number = mcp_metrics_get(&self->metrics->groups[i].counts[metric->which]);
		if (metric->is_ms) {
			append_seconds(self, metric->name, "", &label_of, (double)number / 1e3);
		} else {
			append_count(self, metric->name, "", &label_of, number);
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
		if (find_group(self, i, &label_of)) {
			append_histogram(self, &shown, &label_of);
		}
	}
}

/* --- servers --- */

static uint64_t timeouts_of(const page *self, const mcp_metrics_server *server) {
	(void)self;
	return mcp_metrics_get(&server->timeouts);
}

static uint64_t failures_of(const page *self, const mcp_metrics_server *server) {
	(void)self;
	return mcp_metrics_get(&server->failures);
}

static uint64_t openings_of(const page *self, const mcp_metrics_server *server) {
	(void)self;
	return mcp_metrics_get(&server->openings);
}

static uint64_t when_down_of(const page *self, const mcp_metrics_server *server) {
	(void)self;
	return mcp_metrics_get(&server->when_down);
}

static uint64_t calls_of(const page *self, const mcp_metrics_server *server) {
	(void)self;
	return mcp_metrics_get(&server->calls);
}

static uint64_t is_open(const page *self, const mcp_metrics_server *server) {
	return mcp_metrics_state_is_open(&server->state, self->now_ms);
}

typedef struct server_metric {
	const char *name;
	const char *type;
	const char *help;
	uint64_t (*number_of)(const page *self, const mcp_metrics_server *server);
} server_metric;

static const server_metric server_metrics[] = {
	{"mcpatterns_server_calls_total", "counter", "Requests sent.", calls_of},
	{"mcpatterns_server_timeouts_total", "counter", "Requests that were not answered in time.",
		timeouts_of},
	{"mcpatterns_server_failures_total", "counter",
		"Requests without a proper answer, timeouts included.", failures_of},
	{"mcpatterns_server_breaker_openings_total", "counter",
		"How often a process began to leave the server alone.", openings_of},
	{"mcpatterns_server_when_down_total", "counter",
		"Answers that objects gave in the server's place (whenDown, quiet).", when_down_of},
	{"mcpatterns_server_breaker_open", "gauge",
		"Whether a process leaves the server alone now (1) or none does (0).", is_open},
};

static bool find_server(const page *self, size_t index, label *label_of) {
	const mcp_metrics_server *server = &self->metrics->servers[index];
	label_of->name = "server";
	php_mcp_metrics_show_name(&server->name, index == MCP_METRICS_SERVERS - 1, &label_of->value);
	return mcp_metrics_get(&server->calls) > 0;
}

static void write_server_metric(page *self, const server_metric *metric) {
	begin_metric(self, metric->name, metric->type, metric->help);
	for (size_t i = 0; i < MCP_METRICS_SERVERS; i++) {
		label label_of;
		if (find_server(self, i, &label_of)) {
			uint64_t number = metric->number_of(self, &self->metrics->servers[i]);
			append_count(self, metric->name, "", &label_of, number);
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
		if (find_server(self, i, &label_of)) {
			append_histogram(self, &shown, &label_of);
		}
	}
}

/* --- locks --- */

typedef struct lock_metric {
	mcp_lock_count which;
	const char *name;
	const char *help;
} lock_metric;

static const lock_metric lock_metrics[] = {
	{MCP_COUNT_ACQUISITIONS, "mcpatterns_lock_acquisitions_total", "Locks acquired."},
	{MCP_COUNT_CONTENTION, "mcpatterns_lock_contention_total",
		"Attempts that found the lock taken."},
	{MCP_COUNT_LOSSES, "mcpatterns_lock_losses_total",
		"Locks that ran out, or were taken away, before their release."},
};

static void write_lock_metric(page *self, const lock_metric *metric) {
	begin_metric(self, metric->name, "counter", metric->help);
	for (size_t i = 0; i < MCP_METRICS_LOCKS; i++) {
		const mcp_metrics_lock *lock = &self->metrics->locks[i];
		if (php_mcp_metrics_has_counted(lock->counts, MCP_LOCK_COUNTS)) {
			label label_of = {.name = "lock"};
			php_mcp_metrics_show_name(&lock->name, i == MCP_METRICS_LOCKS - 1, &label_of.value);
			append_count(self, metric->name, "", &label_of,
				mcp_metrics_get(&lock->counts[metric->which]));
		}
	}
}

/* --- all --- */

static void write_head(page *self) {
	char number[NUMBER_MAX];
	write_seconds(number, (double)mcp_metrics_get(&self->metrics->since_ms) / 1e3);
	begin_metric(self, "mcpatterns_counting_since_seconds", "gauge",
		"Unix time since when is counted.");
	smart_str_append_printf(&self->text, "mcpatterns_counting_since_seconds %s\n", number);
	begin_metric(self, "mcpatterns_processes", "gauge", "Processes alive that count.");
	smart_str_append_printf(&self->text, "mcpatterns_processes %zu\n",
		php_mcp_processes_count(self->metrics));
	begin_metric(self, "mcpatterns_strip_failures_total", "counter",
		"Writes of the strip's file that failed.");
	smart_str_append_printf(&self->text, "mcpatterns_strip_failures_total %" PRIu64 "\n",
		mcp_metrics_get(&self->metrics->strip_failures));
}

zend_string *php_mcp_prometheus_write(const mcp_metrics *metrics) {
	if (metrics == NULL) {
		return ZSTR_EMPTY_ALLOC();
	}
	page self = {.metrics = metrics, .now_ms = mcp_wall_ms(php_mcp_environment_get())};
	write_head(&self);
	for (size_t i = 0; i < sizeof(group_metrics) / sizeof(group_metrics[0]); i++) {
		write_group_metric(&self, &group_metrics[i]);
	}
	write_compute_times(&self);
	for (size_t i = 0; i < sizeof(server_metrics) / sizeof(server_metrics[0]); i++) {
		write_server_metric(&self, &server_metrics[i]);
	}
	write_round_trips(&self);
	for (size_t i = 0; i < sizeof(lock_metrics) / sizeof(lock_metrics[0]); i++) {
		write_lock_metric(&self, &lock_metrics[i]);
	}
	return smart_str_extract(&self.text);
}
