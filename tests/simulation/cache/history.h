/* The history of requests and results: an entry for each operation on each key, with its beginning and end, and for
 * each fault that removes an item. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_HISTORY_H
#define SIM_HISTORY_H

#include "cache/scenario.h"

enum { SIM_ENTRIES_MAX = 192, SIM_TAGS_MAX = 2 };

typedef enum sim_entry_kind {
	SIM_ENTRY_READ,
	SIM_ENTRY_LOOKUP,   /* ends as a read or with a claim */
	SIM_ENTRY_REMEMBER, /* like a lookup */
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
	SIM_ENTRY_SIDE_LOST, /* only the side key was lost: the number is the envelope's (`by`) */
	SIM_ENTRY_GARBLED,
	SIM_ENTRY_PLAIN,      /* a client without envelopes stored `value` */
	SIM_ENTRY_INVALIDATE, /* of the tags in `through` */
} sim_entry_kind;

/* A value in the checks: texts and empty values by the entry that wrote them, numbers as numbers. */
typedef struct sim_value {
	sim_value_kind kind;
	bool is_broken; /* was not written by any client */
	uint16_t id;
	int64_t number;
} sim_value;

static inline bool sim_value_is_number(const sim_value *value) {
	return value->kind == SIM_INTEGER || value->kind == SIM_NUMBER;
}

/* The position of a version in the order of its key (D1). */
typedef struct sim_version {
	uint64_t epoch, created_ms;
	uint32_t election;
} sim_version;

typedef struct sim_entry {
	sim_entry_kind kind;
	uint8_t client, key;
	uint8_t process; /* of the client: incremented at each crash */
	uint8_t server;  /* lost, garbled: affected server; else the last one asked for the key */
	bool was_away;   /* with failover: the client used another server at the beginning, */
	bool is_away;    /* at the end, */
	uint64_t life;   /* in this life of the home server */
	bool is_ended;
	bool may_freeze;              /* a read for an update that lost a round */
	bool is_strict;               /* treats a stale value as a miss (C16) */
	bool is_distrusting;          /* of the value that `origin` was shown */
	bool is_unknown;              /* it may have happened or may still happen */
	uint8_t serial;               /* per client, from 0 */
	uint64_t preceded_by;         /* hash of the operations that had ended at its beginning */
	uint32_t started, ended;      /* moments of the world */
	uint64_t wall_low, wall_high; /* range of its client's wall clock meanwhile */
	/* the request */
	sim_value value; /* the value to store */
	mcp_lifetime lifetime;
	int64_t by;
	bool has_initial;  /* increment: `value` is stored if there is none, `by` included */
	bool fits_initial; /* `value` did not overflow */
	int16_t origin;    /* publish, abandon, rearm: the elected entry; update: the read */
	bool is_early;
	bool is_marking;            /* abandon: the result cannot be stored */
	bool is_forced, is_patient; /* remember's force; its stale: false */
	uint64_t begun_ms;          /* remember: by its client's monotonic clock */
	uint32_t oldest_claim_ms;   /* remember: how long its caller has held another claim; 0: none */
	uint8_t reads;              /* of its key, up to 2: its first read */
	uint64_t first_epoch;       /* found this value, */
	uint32_t first_election;    /* if any */
	/* the result */
	mcp_status status;
	mcp_verdict verdict;
	bool has_value;
	bool is_unreadable;
	sim_value seen;
	sim_version shown; /* version of `seen`, for reads */
	mcp_claim claim;   /* if elected */
	bool is_placed;    /* it has written a placeholder: the value is gone */
	bool has_claimed;  /* it has written a claim, even if it does not know */
	bool has_begun;    /* increment: it has stored its initial value */
	bool is_in_vain;   /* counted for an envelope that was lost together with its side key */
	int64_t number;    /* increment */
	unsigned calls;
	unsigned effects; /* writes that changed an item */
	uint32_t slept_ms;
	bool has_seen_plain;      /* its last read found a value without an envelope (C19) */
	uint64_t paused_until_ms; /* as its last read found; 0: no pause and no mark */
	bool is_marked;           /* the pause was a mark */
	unsigned pauses;
	/* with tags */
	uint8_t through; /* of its client's view, one bit per tag; of the value that it stores */
	uint64_t tag_numbers[SIM_TAGS_MAX]; /* as its read found them; of the value that it stores */
	uint32_t captured;                  /* latest moment at which these versions were current */
	bool was_alone;                     /* no other client was active at its beginning */
} sim_entry;

static inline sim_version sim_version_of(const mcp_envelope *envelope) {
	return (sim_version){envelope->epoch, envelope->created_ms, envelope->value_election};
}

/* Compares epoch, election and time of storing. */
static inline bool sim_version_is_older(sim_version one, sim_version other) {
	if (one.epoch != other.epoch) {
		return one.epoch < other.epoch;
	}
	if (one.election != other.election) {
		return one.election < other.election;
	}
	return one.created_ms < other.created_ms;
}

/* Extends the range of its client's wall clock. */
static inline void sim_entry_see_wall(sim_entry *entry, uint64_t low_ms, uint64_t high_ms) {
	entry->wall_low = low_ms < entry->wall_low ? low_ms : entry->wall_low;
	entry->wall_high = high_ms > entry->wall_high ? high_ms : entry->wall_high;
}

static inline bool sim_entry_is_elected(const sim_entry *entry) {
	return (entry->kind == SIM_ENTRY_LOOKUP || entry->kind == SIM_ENTRY_REMEMBER) &&
		entry->is_ended && entry->verdict == MCP_VERDICT_ELECTED;
}

/* Independent of the order of the clients' operations; below 256. */
static inline unsigned sim_entry_id(const sim_entry *entry) {
	return entry->client * 40u + entry->serial % 40u;
}

const char *sim_entry_name(sim_entry_kind kind);
/* Writes "a text of set by client 2", "17", and so on, for messages. */
void sim_value_describe(const sim_value *value, char *out, size_t size);

#endif
