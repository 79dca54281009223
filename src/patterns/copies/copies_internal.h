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

/* How far, in microseconds, a stamp lies above what it follows: so that of two versions which both follow a third one, an
 * overwrite is the newer one, whatever their hosts' clocks show. */
typedef enum mcp_step {
	MCP_STEP_CARRIED =
		1, /* the same value anew (an expire), a claim without a value, a result that misses a copy */
	MCP_STEP_MADE = 16,      /* a value made of one that was read, or its end */
	MCP_STEP_OVERWRITE = 32, /* whatever is there; by the clock when that shows more */
	MCP_STEP_ELECTION = 64,  /* for each election of an epoch */
} mcp_step;

/* Returns the time that what is made of this version follows, and siblings of it do not reach. */
uint64_t mcp_version_place_us(const mcp_version *version);
/* Says whether it was made where nothing was found, or of what was: such stamps have no order among them. */
bool mcp_version_follows_nothing(const mcp_version *version);
/* Returns the time that an overwrite of this item has to be above. */
uint64_t mcp_copies_place_us(const mcp_envelope *envelope, uint64_t claimed_us);
/* Returns when the claim was taken, by its holder's clock; 0: there is none. */
uint64_t mcp_copies_claimed_us(const mcp_envelope *envelope);

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
	mcp_bytes payload; /* a part of it; unless odd */
	mcp_version version;
	bool has_claim;
	uint64_t claim_token; /* 0: it has none */
	uint64_t claim_mark;  /* differs when the claim, or a pause, does */
	uint64_t claimed_us;  /* mcp_copies_claimed_us */
	uint64_t place_us;    /* mcp_copies_place_us; 0: no envelope */
	uint32_t newest_election;
	mcp_ends ends;
	bool has_no_memory; /* its server, for the tombstone that is being written */
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
	mcp_copy answer; /* the newest value or tombstone, or what stands for one; when has_answer */
	bool has_first, has_answer;
	bool is_decided; /* no other copy need be asked */
	unsigned reached;
	uint64_t newest_us; /* the largest place of them */
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
	mcp_copy copy; /* without its item, and its store, which may be closed until a write follows */
	uint64_t newest_us; /* the largest place of all copies that were asked */
	bool has_all;       /* each of them answered */
} mcp_copies_memo;

struct mcp_copies {
	mcp_store store; /* first: it is its store */
	mcp_environment environment;
	mcp_store *beneath;
	const mcp_environment *host;
	uint32_t lease_ms;
	unsigned wanted;    /* copies */
	uint64_t newest_us; /* the largest place that was read since the last forgetting */
	mcp_buffer memos;   /* of mcp_copies_memo */
	mcp_buffer kept;    /* values that outlive their views */
	mcp_buffer pending; /* the record being written */
};

static inline mcp_copies *mcp_copies_of(mcp_store *store) {
	return (mcp_copies *)(void *)store;
}

void mcp_copies_remember(mcp_copies *copies, const mcp_key *key, const mcp_found *found);
/* NULL if it was not asked for. */
const mcp_copies_memo *mcp_copies_recall(const mcp_copies *copies, uint64_t fingerprint);
/* Returns the store of the copy that is remembered, as it is now. */
mcp_store *mcp_copies_remembered(const mcp_copies *copies, const mcp_key *key,
	const mcp_copies_memo *memo);

/* --- stamps (copies_read.c) --- */

/* Makes a stamp for an overwrite: above all that were read, and never below the clock. */
uint64_t mcp_copies_stamp(const mcp_copies *copies);
/* Makes a stamp for what follows from something with this place: behind that, and before every overwrite by who has
 * found it. 0: it follows from nothing at all, and comes before whatever was set. */
uint64_t mcp_copies_date(const mcp_copies *copies, uint64_t place_us, mcp_step step);

/* --- reading (copies_read.c, copies_read.c) --- */

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
	mcp_version made_of; /* unless it overwrites */
	bool is_touch;       /* new ends for a version that is there */
	bool carries_old;    /* the value is not its own: a touch, an expire */
	bool overwrites;     /* whatever is there: a set, a delete */
	bool has_stood;      /* it was on copy 0 */
	bool has_met_newer;  /* on another copy */
	bool was_put_back;   /* what is older, on copy 0 where this one had stood */
	mcp_status failure;  /* MCP_OK: every copy that was written has it, or something newer */
	mcp_copy copies[MCP_COPIES_MAX];
} mcp_copies_write;

/* Takes a copy of the record: its views may die. False if it is no envelope, or there is no memory. */
bool mcp_copies_begin(mcp_copies *copies, const mcp_key *key, const mcp_record *record,
	mcp_copies_write *write);
/* Looks at all copies but one (`except` at least the count: at all). One round trip each. */
void mcp_copies_survey(mcp_copies *copies, mcp_copies_write *write, unsigned except);
/* Says whether all copies but one were reached. */
bool mcp_copies_has_reached_all(const mcp_copies *copies, const mcp_copies_write *write,
	unsigned except);
/* Gives an overwrite a stamp above what was read, unless it has one. */
void mcp_copies_restamp(mcp_copies *copies, mcp_copies_write *write);
/* Dates a version by what it was made of, which has this place. */
void mcp_copies_stamp_made(mcp_copies *copies, mcp_copies_write *write, uint64_t place_us);
/* Dates a result that misses a copy by its election: above what it was elected over, any election of that on the copy
 * that it misses, and its own claim; below whatever was set or deleted by a caller that has found the claim (C3). */
void mcp_copies_stamp_result(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);
/* Says whether a newer version can have been made of this one, or put over it. If not, it was made of what this one was
 * made of, too, on a copy that had lost this one. */
bool mcp_copies_is_after(const mcp_copies_write *write, const mcp_version *version);
/* Writes it whatever is there, on all copies: the first one in reach says what came before it. */
mcp_status mcp_copies_overwrite(mcp_copies *copies, mcp_copies_write *write);
/* Sends the one write that decides: from `copy`, which is what the caller has seen, and no later one. MCP_OK,
 * MCP_EXISTS: another caller was faster; or a failure, which is in `write` too when it may be there nevertheless. */
mcp_status mcp_copies_decide(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *copy);
/* Writes it over what is older. All copies but one, in their order. */
void mcp_copies_carry(mcp_copies *copies, mcp_copies_write *write, unsigned except);
/* Looks at copy 0 for the last time: what the write came to. */
mcp_status mcp_copies_finish(mcp_copies *copies, mcp_copies_write *write);

/* --- elections and results (copies_write.c) --- */

/* Returns the version that comes of `over` at the earliest: a placeholder is later than the value that it was placed over. */
mcp_version mcp_copies_version_under(const mcp_copy *over);
/* Puts what another of the copies surveyed has newer than `over` in its place. MCP_OK: none has; MCP_NOT_STORED: one
 * has, and it is there now; MCP_EXISTS: `over` is not there any more. */
mcp_status mcp_copies_give_way(mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *over);
/* Claims what was read, where it was read. MCP_NOT_STORED: nothing is claimed, since another copy has something newer,
 * which is there now, unless others were faster; or copy 0 has it by now, where elections are held. */
mcp_status mcp_copies_claim(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);
/* Stores a result in the place of `over` and on all other copies. MCP_NOT_STORED: a copy has something newer than
 * `over`, which is put in its place; MCP_EXISTS: it is not there any more; a failure: not on all copies, perhaps on
 * some. One more look at copy 0 at the end, as mcp_copies_finish() has it. */
mcp_status mcp_copies_publish(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over);

/* --- changes, as store.h has them (copies_write.c) --- */

mcp_status mcp_copies_change(mcp_store *store, const mcp_key *key, const mcp_change *change);

#endif
