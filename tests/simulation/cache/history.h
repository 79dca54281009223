/* The history of what the clients asked and what they were told: one entry for each operation on each key, with
 * the moments at which it began and ended, and for each fault that takes something away. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_HISTORY_H
#define SIM_HISTORY_H

#include "cache/scenario.h"

enum { SIM_ENTRIES_MAX = 192, SIM_TAGS_MAX = 2 };

typedef enum sim_entry_kind {
	SIM_ENTRY_READ,
	SIM_ENTRY_LOOKUP,   /* ended as a read, or with a claim */
	SIM_ENTRY_REMEMBER, /* the same */
	SIM_ENTRY_PUBLISH,
	SIM_ENTRY_ABANDON,
	SIM_ENTRY_REARM,
	SIM_ENTRY_SET,
	SIM_ENTRY_ADD,
	SIM_ENTRY_REPLACE,
	SIM_ENTRY_UPDATE,
	SIM_ENTRY_DELETE,
	SIM_ENTRY_EXPIRE,
	SIM_ENTRY_TOUCH,
	SIM_ENTRY_PULL,
	SIM_ENTRY_INCREMENT,
	SIM_ENTRY_LOST,      /* evicted, expired, flushed: a fault */
	SIM_ENTRY_SIDE_LOST, /* only the side key was: back to the envelope's number (`by`) */
	SIM_ENTRY_GARBLED,
	SIM_ENTRY_PLAIN,      /* a client without envelopes stored `value` */
	SIM_ENTRY_INVALIDATE, /* `through` says which tags */
} sim_entry_kind;

/* A value as the checks know it: text and empty ones by the entry that wrote them, numbers as such. */
typedef struct sim_value {
	sim_value_kind kind;
	bool is_broken; /* read as something that nobody wrote */
	uint16_t id;
	int64_t number;
} sim_value;

static inline bool sim_value_is_number(const sim_value *value) {
	return value->kind == SIM_INTEGER || value->kind == SIM_NUMBER;
}

/* Where a version stands in the order of a key's (D1). */
typedef struct sim_version {
	uint64_t epoch, created_ms;
	uint32_t election;
} sim_version;

typedef struct sim_entry {
	sim_entry_kind kind;
	uint8_t client, key;
	uint8_t process; /* of the client: one more after each death */
	uint8_t server;  /* lost, garbled: where; else the last that was asked for the key itself */
	bool was_away;   /* with failover: when it began, its client was not where the key lives ... */
	bool is_away;    /* ... and when it ended ... */
	uint64_t life;   /* ... in this life of that server */
	bool is_ended;
	bool may_freeze;              /* a read for an update that has lost */
	bool is_strict;               /* takes an old value for none (C16) */
	bool is_distrusting;          /* of the value that `origin` was shown */
	bool is_unknown;              /* it may have happened, or may still happen */
	uint8_t serial;               /* of its client's, from 0 */
	uint64_t preceded_by;         /* hash of what had ended when it began */
	uint32_t started, ended;      /* moments of the world */
	uint64_t wall_low, wall_high; /* what its client's wall clock showed meanwhile */
	/* what was asked */
	sim_value value; /* to store */
	mcp_lifetime lifetime;
	int64_t by;
	bool has_initial;  /* increment: `value` is what it stores where none is, `by` included */
	bool fits_initial; /* that does not overflow */
	int16_t origin;    /* publish, abandon, rearm: the entry that was elected; update: the read */
	bool is_early;
	bool is_marking;            /* abandon: what was computed cannot be stored */
	bool is_forced, is_patient; /* remember's force; its stale: false */
	uint64_t begun_ms;          /* remember: on its client's monotonic clock */
	uint32_t holds_ms;          /* remember: how long its caller has held another claim; 0: none */
	uint8_t reads;              /* of its key, 2 at most: its first look ... */
	uint64_t first_epoch;       /* ... came upon this value, ... */
	uint32_t first_election;    /* ... if upon any */
	/* what came of it */
	mcp_status status;
	mcp_verdict verdict;
	bool has_value;
	bool is_unreadable;
	sim_value seen;
	sim_version shown; /* that of `seen`, for looks */
	mcp_claim claim;   /* when elected */
	bool is_placed;    /* it has written a placeholder: no value is there any more */
	bool has_claimed;  /* it has written a claim, whether it knows or not */
	bool has_begun;    /* increment: it has stored its initial value */
	bool is_in_vain;   /* it counted for an envelope that was gone by then, and so was the side key
	                  * that would have told it */
	int64_t number;    /* increment */
	unsigned calls;
	unsigned effects; /* writes that changed something */
	uint32_t slept_ms;
	bool has_seen_plain; /* its last look came upon what has no envelope, and is a value (C19) */
	uint64_t paused_until_ms; /* what the last look showed; 0: no pause and no mark */
	bool is_marked;           /* it was a mark */
	unsigned pauses;
	/* with tags */
	uint8_t through; /* of its client's view, a bit for each; of what it stores */
	uint64_t tag_numbers[SIM_TAGS_MAX]; /* as its look found them; of what it stores */
	uint32_t captured;                  /* when they were what they are: a moment at the latest */
	bool was_alone;                     /* no other client was at work when it began */
} sim_entry;

static inline sim_version sim_version_of(const mcp_envelope *envelope) {
	return (sim_version){envelope->epoch, envelope->created_ms, envelope->value_election};
}

/* Compares by epoch, election and time of storing. */
static inline bool sim_version_is_older(sim_version one, sim_version other) {
	if (one.epoch != other.epoch) {
		return one.epoch < other.epoch;
	}
	if (one.election != other.election) {
		return one.election < other.election;
	}
	return one.created_ms < other.created_ms;
}

/* Widens what its client's wall clock showed meanwhile. */
static inline void sim_entry_see_wall(sim_entry *entry, uint64_t low_ms, uint64_t high_ms) {
	entry->wall_low = low_ms < entry->wall_low ? low_ms : entry->wall_low;
	entry->wall_high = high_ms > entry->wall_high ? high_ms : entry->wall_high;
}

static inline bool sim_entry_is_elected(const sim_entry *entry) {
	return (entry->kind == SIM_ENTRY_LOOKUP || entry->kind == SIM_ENTRY_REMEMBER) &&
		entry->is_ended && entry->verdict == MCP_VERDICT_ELECTED;
}

/* Returns one and the same number however the clients' operations were interleaved; below 256. */
static inline unsigned sim_entry_id(const sim_entry *entry) {
	return entry->client * 40u + entry->serial % 40u;
}

const char *sim_entry_name(sim_entry_kind kind);
/* Writes "a text of set by client 2", "17", ...: for messages. */
void sim_value_describe(const sim_value *value, char *out, size_t size);

#endif
