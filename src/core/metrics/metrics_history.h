/* The sums of all counts as they stood every two seconds of the last two minutes and every minute of the last hour:
 * what a chart is drawn from that nobody was looking at while it happened. Each sample carries a check of all its
 * words, so that one which is being taken, or was left half taken by a process that was killed, is not there for a
 * reader. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_HISTORY_H
#define MCP_CORE_METRICS_HISTORY_H

#include "counts.h"
#include "metrics_text.h"

/* More than two minutes of steps, and more than an hour of minutes. */
#define MCP_HISTORY_SAMPLES 64
#define MCP_HISTORY_STEP_MS 2000
#define MCP_HISTORY_MINUTE_MS 60000
/* Sums of all counts of caches, locks and servers, in whole cache lines with what is before them. */
#define MCP_HISTORY_SUMS \
	MCP_METRICS_LAST(3, MCP_CACHE_COUNTS + MCP_LOCK_COUNTS + MCP_SERVER_COUNTS + MCP_SESSION_COUNTS)
/* At most so many are read. */
#define MCP_HISTORY_SHOWN (2 * MCP_HISTORY_SAMPLES)

typedef struct mcp_history_sample {
	mcp_metrics_word number; /* how many steps the clock had had; 0: none is here */
	mcp_metrics_word check;  /* of the number, the time and the sums */
	mcp_metrics_word at_ms;  /* Unix time */
	mcp_metrics_word sums[MCP_HISTORY_SUMS];
} mcp_history_sample;

typedef struct mcp_history {
	mcp_history_sample steps[MCP_HISTORY_SAMPLES];
	mcp_history_sample minutes[MCP_HISTORY_SAMPLES];
} mcp_history;

/* A sample as it was read. */
typedef struct mcp_history_shown {
	uint64_t at_ms;
	uint64_t sums[MCP_HISTORY_SUMS];
} mcp_history_shown;

/* True if it is this caller, the only one of all processes in a step, that is to call mcp_history_add(). */
bool mcp_history_is_due(mcp_history *history, uint64_t now_ms);
void mcp_history_add(mcp_history *history, uint64_t now_ms, const uint64_t sums[MCP_HISTORY_SUMS]);

/* Reads those since `since_ms`, oldest first: of the last two minutes all, and of the hour before one a minute. None
 * is there of a time at which nothing was done. Returns how many there are, at most MCP_HISTORY_SHOWN. */
size_t mcp_history_read(const mcp_history *history, uint64_t now_ms, uint64_t since_ms,
	mcp_history_shown *shown);
/* Forgets what is there. */
void mcp_history_clear(mcp_history *history);

#endif
