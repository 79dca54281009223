/* Shared by the files of the copies: the state of a copy that was read, and the order of versions. Private
 * to this folder. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COPIES_INTERNAL_H
#define MCP_PATTERNS_COPIES_INTERNAL_H

#include "../../core/envelope/envelope.h"
#include "../../core/bytes.h"
#include "copies.h"

/* D1: the order of a key's versions. */
typedef struct mcp_version {
	uint64_t epoch;
	uint64_t created_ms;
	uint32_t election;
} mcp_version;

/* Below 0: `a` is older. 0: equal. */
int mcp_version_compare(const mcp_version *a, const mcp_version *b);

/* Distance of a stamp, in microseconds, from the version that it follows. If two versions follow the
 * same version, an overwrite is the newer version, whatever the hosts' clocks show. */
typedef enum mcp_step {
	/* the same value again (an expire), a claim without a value, a result that does not reach a copy */
	MCP_STEP_CARRIED = 1,
	MCP_STEP_MADE = 16,      /* a value based on a value that was read, or its expiry */
	MCP_STEP_OVERWRITE = 32, /* over any version; at the clock's time if that is later */
	MCP_STEP_ELECTION = 64,  /* for each election of an epoch */
} mcp_step;

/* A time before every successor of this version, and after every sibling. */
uint64_t mcp_version_place_us(const mcp_version *version);
/* Whether the version was based on a miss, directly or indirectly. The stamps of such versions have no
 * order. */
bool mcp_version_follows_nothing(const mcp_version *version);

typedef struct mcp_ends {
	uint64_t soft_ms, hard_ms, grace_ms;
} mcp_ends;

static inline mcp_ends mcp_ends_of(const mcp_envelope *envelope) {
	return (mcp_ends){envelope->soft_ms, envelope->hard_ms, envelope->grace_ms};
}

static inline bool mcp_ends_equal(const mcp_ends *a, const mcp_ends *b) {
	return a->soft_ms == b->soft_ms && a->hard_ms == b->hard_ms && a->grace_ms == b->grace_ms;
}

typedef enum mcp_copy_state {
	MCP_COPY_UNREACHED,
	MCP_COPY_ABSENT,
	MCP_COPY_ODD,         /* not an envelope of this key */
	MCP_COPY_PLACEHOLDER, /* placeholder of an election or a repair */
	MCP_COPY_VALUE,
	MCP_COPY_TOMBSTONE,
} mcp_copy_state;

/* A copy that was read. */
typedef struct mcp_copy {
	mcp_store *store; /* its server */
	unsigned index;
	mcp_copy_state state;
	mcp_status status; /* status of the read */
	mcp_item item;     /* a view; unset if absent or unreached */
	mcp_bytes payload; /* part of the item; unset if odd */
	mcp_version version;
	bool has_claim;
	uint64_t claim_token; /* 0: no claim */
	uint64_t claim_hash;  /* hash that changes with the claim or pause */
	uint64_t claimed_us;  /* claimed_us_of */
	uint64_t place_us;    /* place_of; 0: not an envelope */
	uint32_t newest_election;
	mcp_ends ends;
	bool has_no_memory; /* its server is out of memory for the tombstone being written */
} mcp_copy;

/* Number of copies of a key: at most the number of servers. */
unsigned mcp_copies_count(const mcp_copies *copies);

uint64_t mcp_copies_claim_hash(const mcp_envelope *envelope);

/* Read one copy. Cost: 1 round trip. */
void mcp_copies_read_one(mcp_copies *copies, const mcp_key *key, unsigned index, mcp_copy *copy);

static inline bool mcp_copy_is_version(const mcp_copy *copy) {
	return copy->state == MCP_COPY_VALUE || copy->state == MCP_COPY_TOMBSTONE;
}
/* Whether the copy may be served. */
bool mcp_copies_is_alive(const mcp_copies *copies, const mcp_copy *copy);

/* Result of the copies read so far. */
typedef struct mcp_found {
	mcp_copy first;  /* first copy that was reached; if has_first */
	mcp_copy answer; /* newest value or tombstone; if has_answer */
	bool has_first, has_answer;
	bool is_decided; /* no further copy must be read */
	unsigned reached;
	uint64_t newest_us; /* largest place of the copies read */
	mcp_status failure; /* status of the first unreachable copy; MCP_OK: none */
} mcp_found;

/* The cache's last read of a key, on which its next write is based. */
typedef struct mcp_copies_memo {
	uint64_t fingerprint;
	mcp_copy copy;      /* without its item and its store, which may be closed before a write */
	uint64_t newest_us; /* largest place of all copies that were read */
	bool has_all;       /* all copies replied */
} mcp_copies_memo;

struct mcp_copies {
	mcp_store store; /* first: cast from mcp_store */
	mcp_environment environment;
	const mcp_environment *host;
	uint32_t lease_ms;
	unsigned wanted;    /* number of copies */
	uint64_t newest_us; /* largest place read since mcp_copies_forget */
	mcp_buffer memos;   /* array of mcp_copies_memo */
	mcp_buffer kept;    /* values that outlive their views */
	mcp_buffer pending; /* the record being written */
};

static inline mcp_copies *mcp_copies_of(mcp_store *store) {
	return (mcp_copies *)(void *)store;
}

/* NULL if the key was not read. */
const mcp_copies_memo *mcp_copies_recall(const mcp_copies *copies, uint64_t fingerprint);

/* --- stamps (copies_read.c) --- */

/* Stamp for an overwrite: later than all versions that were read, and never before the clock's time. */
uint64_t mcp_copies_stamp(const mcp_copies *copies);
/* Stamp for a successor of a version with this place: after that version, and before every overwrite by
 * a caller that has read it. 0: based on a miss, so before all versions that were set. */
uint64_t mcp_copies_date(const mcp_copies *copies, uint64_t place_us, mcp_step step);

/* --- reading (copies_read.c) --- */

mcp_status mcp_copies_get(mcp_store *store, const mcp_key *key, mcp_item *item);
void mcp_copies_get_many(mcp_store *store, mcp_op *const *ops, size_t count);

/* Replace the item read into `at` by `source`, if the item is unchanged. */
mcp_status mcp_copies_put_back(mcp_copies *copies, const mcp_key *key, const mcp_copy *at,
	const mcp_copy *source);

/* --- writing (copies_write.c) --- */

/* One version that is being written to all copies. */
typedef struct mcp_copies_write {
	const mcp_key *key;
	mcp_record record;
	mcp_envelope envelope;
	mcp_version version;
	mcp_version made_of; /* base version, unless it overwrites */
	bool is_touch;       /* new expiry for a stored version */
	bool carries_old;    /* the value is that of the base version: a touch or expire */
	bool overwrites;     /* over any version: a set or delete */
	bool has_stood;      /* the version was stored on copy 0 */
	bool has_met_newer;  /* another copy has a newer version */
	bool was_put_back;   /* an older version was restored over this one on copy 0 */
	mcp_status failure;  /* MCP_OK: every written copy has this version, or a newer version */
	mcp_copy copies[MCP_COPIES_MAX];
} mcp_copies_write;

/* Move the stamp of an overwrite after all versions that were read. */
void mcp_copies_restamp(mcp_copies *copies, mcp_copies_write *write);
/* Stamp a version by the place of its base. */
void mcp_copies_stamp_made(mcp_copies *copies, mcp_copies_write *write, uint64_t place_us);
/* Stamp a result that does not reach a copy by its election. It is after its base, its own claim, and any
 * election over that base on the missed copy. It is before all versions that a caller set or deleted
 * after reading the claim (C3). */
void mcp_copies_stamp_result(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);
/* Whether the newer version can be a successor of this version, or an overwrite of it. Otherwise both
 * have the same base, and the newer version comes from a copy that had lost this version. */
bool mcp_copies_is_after(const mcp_copies_write *write, const mcp_version *version);

/* --- elections and results (copies_write.c) --- */

/* --- changes, as in store.h (copies_write.c) --- */

mcp_status mcp_copies_change(mcp_store *store, mcp_op *op);

#endif
