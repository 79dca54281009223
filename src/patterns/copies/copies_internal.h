/* The common part of the copies' files: what one copy was found to be, and the order of versions. Private to
 * src/patterns/copies*.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_COPIES_INTERNAL_H
#define MCP_PATTERNS_COPIES_INTERNAL_H

#include "../../core/envelope/freshness.h"
#include "../../store/buffer.h"
#include "copies.h"

/* D1: the order of a key's versions. */
typedef struct mcp_version {
	uint64_t epoch;
	uint64_t created_ms;
	uint32_t election;
} mcp_version;

/* Compares; below 0: `a` is older; 0: the same. */
int mcp_version_compare(const mcp_version *a, const mcp_version *b);

/* How long a version may be served. */
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
	MCP_COPY_ODD,         /* no envelope of this key */
	MCP_COPY_FOREIGN,     /* on copy 0: another client's value, which the cache reads */
	MCP_COPY_PLACEHOLDER, /* an election's, or a repair's */
	MCP_COPY_VALUE,
	MCP_COPY_TOMBSTONE,
} mcp_copy_state;

/* A copy as it was found. */
typedef struct mcp_copy {
	mcp_store *store; /* its server */
	unsigned index;
	mcp_copy_state state;
	mcp_status status; /* of the read */
	mcp_item item;     /* a view; unless absent or unreached */
	mcp_bytes payload; /* a part of it; unless odd or foreign */
	mcp_version version;
	bool has_claim;
	uint64_t claim_token; /* 0: it has none */
	uint64_t claim_mark;  /* differs when the claim, or a pause, does */
	mcp_ends ends;
} mcp_copy;

/* Counts the copies of this key: no more than there are servers. */
unsigned mcp_copies_count(const mcp_copies *copies);

uint64_t mcp_copies_claim_mark(const mcp_envelope *envelope);

/* Looks at one copy: one round trip. */
void mcp_copies_look(mcp_copies *copies, const mcp_key *key, unsigned index, mcp_copy *copy);
/* Weighs what a reply of this copy's server says. */
void mcp_copies_weigh(mcp_copies *copies, const mcp_key *key, const mcp_reply *reply,
	mcp_copy *copy);

static inline bool mcp_copy_is_version(const mcp_copy *copy) {
	return copy->state == MCP_COPY_VALUE || copy->state == MCP_COPY_TOMBSTONE;
}
/* Says whether it may be served. */
bool mcp_copies_is_alive(const mcp_copies *copies, const mcp_copy *copy);

/* The sum of the copies that were asked so far. */
typedef struct mcp_found {
	mcp_copy first;  /* that was reached; when has_first */
	mcp_copy answer; /* the newest value or tombstone; when has_answer */
	bool has_first, has_answer;
	bool is_decided; /* no other copy need be asked */
	unsigned reached;
	mcp_status failure; /* of the first that was not; MCP_OK: none */
} mcp_found;

void mcp_copies_take(const mcp_copies *copies, mcp_found *found, const mcp_copy *copy);
/* Chooses the copy to answer with, where elections are held, too; NULL if none was reached. */
const mcp_copy *mcp_copies_choose(const mcp_found *found);
/* Makes a reply of it. */
void mcp_copies_answer(const mcp_found *found, mcp_reply *reply);

/* The memory of what the cache was last told of a key: a write that it sends follows from that. */
typedef struct mcp_copies_memo {
	uint64_t fingerprint;
	mcp_store *store;
	unsigned index;
	mcp_copy_state state;
	mcp_version version;
	uint64_t claim_token, claim_mark;
	mcp_ends ends;
} mcp_copies_memo;

struct mcp_copies {
	mcp_store store; /* first: it is its store */
	mcp_environment environment;
	mcp_store *beneath;
	const mcp_environment *host;
	uint32_t lease_ms;
	bool reads_foreign; /* the cache does */
	unsigned wanted;    /* copies */
	uint64_t newest;    /* the largest epoch that was read since the last forgetting */
	mcp_buffer memos;   /* of mcp_copies_memo */
	mcp_buffer kept;    /* values that outlive their views */
	mcp_buffer pending; /* the record being written */
};

static inline mcp_copies *mcp_copies_of(mcp_store *store) {
	return (mcp_copies *)(void *)store;
}

/* Forgets, as another key is asked for. */
void mcp_copies_forget(mcp_copies *copies);
void mcp_copies_remember(mcp_copies *copies, const mcp_key *key, const mcp_found *found);
/* NULL if it was not asked for. */
const mcp_copies_memo *mcp_copies_recall(const mcp_copies *copies, const mcp_key *key);

/* Makes a stamp by D1: above all that were read, and never below the clock. */
uint64_t mcp_copies_stamp(const mcp_copies *copies);

/* --- reading (copies_read.c, copies_many.c) --- */

mcp_status mcp_copies_get(mcp_store *store, const mcp_key *key, mcp_item *item);
void mcp_copies_get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies);

/* Repairs by D2: if copy 0 answered that it has nothing, and `found->answer` has a value, puts it there, when
 * all goes well. The answer is found->answer still. */
void mcp_copies_repair(mcp_copies *copies, const mcp_key *key, mcp_found *found);
/* Puts `source` in the place of what `at` was found to be, if that is there still. */
mcp_status mcp_copies_put_back(mcp_copies *copies, const mcp_key *key, const mcp_copy *at,
	const mcp_copy *source);

/* --- writing (copies_write.c) --- */

/* One version on its way to all copies. */
typedef struct mcp_copies_write {
	const mcp_key *key;
	mcp_record record;
	mcp_envelope envelope;
	mcp_version version;
	uint64_t made_of;   /* the epoch of what it was made of; unless it overwrites */
	bool is_touch;      /* new ends for a version that is there */
	bool carries_old;   /* the value is not its own: a touch, an expire */
	bool overwrites;    /* whatever is there: a set, a delete */
	bool has_stood;     /* it was on copy 0 */
	bool has_met_newer; /* on another copy, or another client's on copy 0 */
	mcp_status failure; /* MCP_OK: every copy that was written has it, or something newer */
	mcp_copy copies[MCP_COPIES_MAX];
} mcp_copies_write;

/* Takes a copy of the record: its views may die. False if it is no envelope, or there is no memory. */
bool mcp_copies_begin(mcp_copies *copies, const mcp_key *key, const mcp_record *record,
	mcp_copies_write *write);
/* Looks at all copies but one (`except` at least the count: at all). One round trip each. */
void mcp_copies_survey(mcp_copies *copies, mcp_copies_write *write, unsigned except);
/* Gives it a stamp above what was read, unless it has one. */
void mcp_copies_restamp(mcp_copies *copies, mcp_copies_write *write);
/* Writes it whatever is there, on all copies: the first one in reach says what came before it. */
mcp_status mcp_copies_overwrite(mcp_copies *copies, mcp_copies_write *write);
/* Sends the one write that decides: from `copy`, which is what the caller has seen, and no later one. MCP_OK,
 * MCP_EXISTS: another caller was faster; or a failure, which is in `write` too when it may be there nevertheless. */
mcp_status mcp_copies_decide(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *copy);
/* Writes it over what is older. All copies but one, in their order. */
void mcp_copies_carry(mcp_copies *copies, mcp_copies_write *write, unsigned except);
/* Looks at copy 0 for the last time: what the write came to. */
mcp_status mcp_copies_finish(mcp_copies *copies, mcp_copies_write *write);

/* --- elections and results (copies_result.c) --- */

/* Claims what was read, where it was read. MCP_NOT_STORED: nothing is claimed, since another copy has something newer;
 * it is there now, unless others were faster. */
mcp_status mcp_copies_claim(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);
/* Stores a result in the place of `over` and on all other copies. MCP_NOT_STORED: a copy has something newer than
 * `over`, which is put in its place; MCP_EXISTS: it is not there any more; a failure: not on all copies, perhaps on
 * some. One more look at copy 0 at the end, as mcp_copies_finish() has it. */
mcp_status mcp_copies_publish(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);

/* --- changes, as store.h has them (copies_change.c) --- */

mcp_status mcp_copies_change(mcp_store *store, const mcp_key *key, const mcp_change *change);

#endif
