/* Where one cache's calls are counted: the host's metrics and the cache's group in them. Off is a NULL in the place of
 * a meter. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METER_H
#define MCP_CORE_METER_H

#include "../compiler.h"
#include "metrics.h"

/* All that the meters of one thread share; outlives them. */
typedef struct mcp_meters {
	mcp_metrics *metrics; /* NULL: nothing is counted */
	uint64_t who;         /* of mcp_trace_who, without a group */
} mcp_meters;

/* A line of the trace's file, which is told the letters of one cache, too. */
typedef struct mcp_trace_line mcp_trace_line;
struct mcp_trace_line {
	void (*note)(mcp_trace_line *line, char letter);
};

/* More than any key has: what is left of a key's length after it is taken off is more than any, too, so that one
 * comparison tells a hit whether it may note a short name right away. */
#define MCP_METER_NEVER_SHORT (SIZE_MAX / 2)

typedef struct mcp_meter {
	const mcp_meters *meters;
	mcp_metrics_group *group;
	mcp_trace_line *line; /* NULL nearly always */
	uint64_t index;       /* the group's; a whole word, as it goes into each event */
	size_t scope_length;  /* of each key's beginning, which says no more than the group */
	/* scope_length where there is no such line, or else MCP_METER_NEVER_SHORT. */
	size_t short_cut;
} mcp_meter;

static inline void mcp_meter_add(const mcp_meter *meter, mcp_count_of_cache which, uint64_t by) {
	mcp_metrics_add(&meter->group->counts[which], by);
}

/* Counts of one object; they only ever grow. */
typedef struct mcp_cache_statistics {
	uint64_t counts[MCP_CACHE_COUNTS];
} mcp_cache_statistics;

/* Counts for one object and, where there is a meter, for its group. */
static inline void mcp_meter_tally(const mcp_meter *meter, mcp_cache_statistics *own,
	mcp_count_of_cache which, uint64_t by) {
	own->counts[which] += by;
	if (meter != NULL && by > 0) {
		mcp_meter_add(meter, which, by);
	}
}

/* Raises for both what counts the largest there was. */
static inline void mcp_meter_raise(const mcp_meter *meter, mcp_cache_statistics *own,
	mcp_count_of_cache which, uint64_t to) {
	own->counts[which] = own->counts[which] > to ? own->counts[which] : to;
	if (meter != NULL) {
		mcp_metrics_raise(&meter->group->counts[which], to);
	}
}

static inline mcp_trace *mcp_meter_trace(const mcp_meter *meter) {
	return &meter->meters->metrics->trace;
}

/* Returns this process and group, as an event with this letter has them. */
static inline uint64_t mcp_meter_who(const mcp_meter *meter, char letter) {
	return mcp_trace_with_letter(meter->meters->who | meter->index, letter);
}

/* Notes an event of the key that users call so. */
static inline void mcp_meter_note(const mcp_meter *meter, char letter, uint64_t now_ms,
	mcp_bytes name) {
	if (meter->line != NULL) {
		meter->line->note(meter->line, letter);
	}
	mcp_trace_note(mcp_meter_trace(meter), mcp_meter_who(meter, letter), now_ms, name);
}

/* Returns the name in a key without the pool's prefix. */
static inline mcp_bytes mcp_meter_name(const mcp_meter *meter, mcp_bytes body) {
	size_t skipped = meter->scope_length < body.length ? meter->scope_length : 0;
	return mcp_bytes_of(body.data + skipped, body.length - skipped);
}

#endif
