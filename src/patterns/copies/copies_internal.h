/* The state of a copy that was read, and the order of versions, for all files of this folder. Private to this
 * folder. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COPIES_INTERNAL_H
#define MCP_PATTERNS_COPIES_INTERNAL_H

#include "../../core/envelope/envelope.h"
#include "../../core/bytes.h"
#include "copies.h"

/* A version of a key. Its fields determine the order of versions (D1). */
typedef struct mcp_version {
	uint64_t epoch;
	uint64_t created_ms;
	uint32_t election;
} mcp_version;

/* Below 0: `a` is older. 0: the versions are equal. */
int mcp_version_compare(const mcp_version *a, const mcp_version *b);

/* Distance, in microseconds, between the stamp of a version and the version that it follows. If two versions follow
 * the same version, an overwrite is the newer one, whatever the hosts' clocks show. */
typedef enum mcp_stamp_distance {
	/* the same value again (an expire), a claim without a value, or a result that cannot reach a copy */
	MCP_DISTANCE_CARRIED = 1,
	MCP_DISTANCE_MADE = 16,      /* a value based on a value that was read, or on its expiry */
	MCP_DISTANCE_OVERWRITE = 32, /* over any version; at the clock's time if this is later */
	MCP_DISTANCE_ELECTION = 64,  /* per election of an epoch */
} mcp_stamp_distance;

/* Return a time before every successor of this version, and after every sibling, which follows the same version. */
uint64_t mcp_version_place_us(const mcp_version *version);
/* Whether the version is based on a miss, directly or indirectly. The stamps of such versions have no order. */
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
	MCP_COPY_PLACEHOLDER, /* a placeholder of an election or a repair */
	MCP_COPY_VALUE,
	MCP_COPY_TOMBSTONE,
} mcp_copy_state;

/* A copy that was read. */
typedef struct mcp_copy {
	mcp_store *store; /* its server */
	unsigned index;
	mcp_copy_state state;
	mcp_status status; /* status of the read */
	mcp_item item;     /* a view; unset if ABSENT or UNREACHED */
	mcp_bytes payload; /* part of the item; unset if ODD */
	mcp_version version;
	bool has_claim;
	uint64_t claim_token; /* 0: no claim */
	uint64_t claim_hash;  /* hash that changes with the claim or pause */
	uint64_t claimed_us;  /* claimed_us_of */
	uint64_t place_us;    /* place_of; 0: not an envelope */
	uint32_t newest_election;
	mcp_ends ends;
	bool has_no_memory; /* its server is out of memory for the tombstone that is being written */
} mcp_copy;

/* Number of copies of a key, at most the number of servers. */
unsigned mcp_copies_count(const mcp_copies *copies);

uint64_t mcp_copies_claim_hash(const mcp_envelope *envelope);

/* Read one copy. Cost: 1 round trip. */
void mcp_copies_read_one(mcp_copies *copies, const mcp_key *key, unsigned index, mcp_copy *copy);

static inline bool mcp_copy_is_version(const mcp_copy *copy) {
	return copy->state == MCP_COPY_VALUE || copy->state == MCP_COPY_TOMBSTONE;
}
/* Whether the copy may be served. */
bool mcp_copies_is_alive(const mcp_copies *copies, const mcp_copy *copy);

/* Result of the reads of copies so far. */
typedef struct mcp_found {
	mcp_copy first;  /* first copy that was reached, if has_first */
	mcp_copy answer; /* newest value or tombstone, if has_answer */
	bool has_first, has_answer;
	bool is_decided; /* no further copy must be read */
	unsigned reached;
	uint64_t newest_us; /* largest place of the copies that were read */
	mcp_status failure; /* status of the first unreachable copy; MCP_OK: none */
} mcp_found;

/* The cache's last read of a key, on which its next write is based. */
typedef struct mcp_copies_memo {
	uint64_t fingerprint;
	mcp_copy copy; /* without its item, and without its store, which can be closed before a write */
	uint64_t newest_us; /* largest place of all copies that were read */
	bool has_all;       /* all copies replied */
} mcp_copies_memo;

struct mcp_copies {
	mcp_store store; /* first member, because an mcp_store is cast to it */
	mcp_environment environment;
	const mcp_environment *host;
	uint32_t lease_ms;
	unsigned wanted;    /* number of copies */
	uint64_t newest_us; /* largest place since mcp_copies_forget */
	mcp_buffer memos;   /* array of mcp_copies_memo */
	mcp_buffer kept;    /* values that outlive their views */
	mcp_buffer pending; /* record that is being written */
};

static inline mcp_copies *mcp_copies_of(mcp_store *store) {
	return (mcp_copies *)(void *)store;
}

/* Return the last read of the key; NULL if it was not read. */
const mcp_copies_memo *mcp_copies_recall(const mcp_copies *copies, uint64_t fingerprint);

/* --- stamps (copies_read.c) --- */

/* Make the stamp for an overwrite, which is later than all versions that were read, and never before the clock's
 * time. */
uint64_t mcp_copies_stamp(const mcp_copies *copies);
/* Make the stamp for a successor of a version with this place. It is after this version, and before every overwrite
 * by a caller that has read this version. Place 0: the successor is based on a miss, and is before all versions that
 * were set. */
uint64_t mcp_copies_date(const mcp_copies *copies, uint64_t place_us, mcp_stamp_distance distance);

/* --- reading (copies_read.c) --- */

mcp_status mcp_copies_get(mcp_store *store, const mcp_key *key, mcp_item *item);
void mcp_copies_get_many(mcp_store *store, mcp_op *const *ops, size_t count);

/* Replace the item of `at` with `source`, if the item has not changed since it was read. */
mcp_status mcp_copies_put_back(mcp_copies *copies, const mcp_key *key, const mcp_copy *at,
	const mcp_copy *source);

/* --- writing (copies_write.c) --- */

/* A version that is being written to all copies. */
typedef struct mcp_copies_write {
	const mcp_key *key;
	mcp_record record;
	mcp_envelope envelope;
	mcp_version version;
	mcp_version made_of; /* base version; unset for an overwrite */
	bool is_touch;       /* the write only gives a stored version a new expiry */
	bool carries_old;    /* the value is that of the base version (touch or expire) */
	bool overwrites;     /* the write replaces any version (set or delete) */
	bool has_stood;      /* the version was stored on copy 0 */
	bool has_met_newer;  /* another copy has a newer version */
	bool was_put_back;   /* a repair replaced this version on copy 0 with an older one */
	mcp_status failure;  /* MCP_OK: every copy written so far has this version or a newer one */
	mcp_copy copies[MCP_COPIES_MAX];
} mcp_copies_write;

/* Give an overwrite a stamp after all versions that were read. */
void mcp_copies_restamp(mcp_copies *copies, mcp_copies_write *write);
/* Give a version a stamp after its base, whose place this is. */
void mcp_copies_stamp_made(mcp_copies *copies, mcp_copies_write *write, uint64_t place_us);
/* Stamp a result that cannot reach a copy with the time of its election. The stamp is after the base, after the
 * result's own claim, and after any election over this base on the copy that was not reached. It is before every set
 * or delete by a caller that has read the claim (C3). */
void mcp_copies_stamp_result(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);
/* Whether the newer `version` can follow or overwrite the version that is being written. If not, both have the same
 * base, and `version` is from a copy that had lost the other one. */
bool mcp_copies_is_after(const mcp_copies_write *write, const mcp_version *version);

/* --- changes, as in store.h (copies_write.c) --- */

mcp_status mcp_copies_change(mcp_store *store, mcp_op *op);

#endif
