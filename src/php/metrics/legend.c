/* Tells what the names in Metrics::read() and the strip's letters mean, so that what shows them needs no list of them. */
/* SPDX-License-Identifier: MIT */
#include "legend.h"

#include "../../core/metrics/metrics.h"

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

/* Adds those that Metrics::read() has. */
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

void php_mcp_legend_fill(zval *legend) {
	zval counts;
	zval letters;
	array_init(&counts);
	add_counts(&counts, "host", &mcp_counts_of_host);
	add_counts(&counts, mcp_counted_caches.what, mcp_counted_caches.counts);
	add_counts(&counts, mcp_counted_servers.what, mcp_counted_servers.counts);
	add_counts(&counts, mcp_counted_locks.what, mcp_counted_locks.counts);
	add_counts(&counts, mcp_counted_sessions.what, mcp_counted_sessions.counts);
	array_init(&letters);
	add_letters(&letters);
	array_init(legend);
	add_assoc_zval(legend, "counts", &counts);
	add_assoc_zval(legend, "letters", &letters);
}
