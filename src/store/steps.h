/* A few commands on keys of one server, carried out in their order: by one send where a connection of our own has proved
 * what it speaks to, else one after the other. With them come cas ids that may be kept over user code: each bears the
 * name of its connection, and nothing is sent by one whose connection has gone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STEPS_H
#define MCP_STORE_STEPS_H

#include "store.h"

/* A write, and a look at so many keys as most semaphores have permits. */
#define MCP_STEPS_MAX 33

/* The kind of a step; in brackets what else it goes by, beside its key. */
typedef enum mcp_store_step_verb {
	MCP_STEP_ADD,           /* [record] */
	MCP_STEP_CAS,           /* [record, base] */
	MCP_STEP_TOUCH,         /* [record: its TTL; base, if there is one: of its connection alone] */
	MCP_STEP_DELETE_PROVEN, /* [base] deletes it if it is what was read */
	MCP_STEP_GET, /* this one and the next read; behind the first of them no write may follow */
	MCP_STEP_GET_AND_TOUCH, /* [record: its TTL] renews where it can, and says so */
} mcp_store_step_verb;

/* A step and its answer. */
typedef struct mcp_store_step {
	mcp_store_step_verb verb;
	const mcp_key *key;
	const mcp_record *record; /* without a wish for a proof */
	mcp_proof base;           /* an earlier read's `read` */
	bool is_at_once;          /* of the first one: see mcp_store_steps_at_once */
	/* The answer: a change's or a get's. */
	mcp_status status;
	mcp_item item; /* of a read that is MCP_OK; a view as a get's */
	/* Proves what was read. Its cas id is 0 where nothing was found, the server gives none, or the connection broke
	 * meanwhile; it names the connection where something was found or nothing. */
	mcp_proof read;
	mcp_proof proof; /* of what was read, as a record's; none where they were not sent in one go */
	bool was_renewed;
} mcp_store_step;

static inline bool mcp_store_step_is_read(const mcp_store_step *step) {
	return step->verb >= MCP_STEP_GET;
}

static inline bool mcp_store_step_has_base(const mcp_store_step *step) {
	return step->verb == MCP_STEP_CAS || step->verb == MCP_STEP_DELETE_PROVEN ||
		step->base.connection != 0;
}

/* Carries out up to MCP_STEPS_MAX steps, writes before reads, each key read once at most. Nothing is sent, and all have
 * the same status, when one of them must not be: MCP_BAD_KEY, MCP_TOO_LARGE, MCP_NO_CAS (a base without a cas id), or
 * MCP_UNSUPPORTED: a base's connection has gone, and with it what is known of the item; read it again. So it is, too,
 * with a store that takes no steps. Else each has its own: the next one is carried out whatever the server has answered,
 * but behind a failure of the connection none is; then a write is MCP_UNKNOWN, or MCP_UNREACHABLE where it is known not to have been
 * sent, and a read a failure. Nothing is sent twice but reads. */
static inline void mcp_store_steps(mcp_store *store, mcp_store_step *steps, size_t count) {
	if (store->operations->steps != NULL) {
		store->operations->steps(store, steps, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		steps[i].status = MCP_UNSUPPORTED;
	}
}

/* Carries them out in one go or not at all: MCP_UNSUPPORTED, and nothing was sent, where they would go one after the
 * other. */
static inline void mcp_store_steps_at_once(mcp_store *store, mcp_store_step *steps, size_t count) {
	steps[0].is_at_once = true;
	mcp_store_steps(store, steps, count);
}

/* --- for stores --- */

/* Answers all from this one on. */
void mcp_steps_answer(mcp_store_step *steps, size_t from, size_t count, mcp_status status);

/* The store that carries them out one by one. */
typedef struct mcp_steps_way {
	mcp_store *store;
	uint64_t (*connection)(mcp_store
			*store); /* returns the name of the one that is open, or will be */
	bool renews;     /* it costs nothing to renew before a read */
} mcp_steps_way;

/* MCP_OK if all may be sent, or what all are answered. */
mcp_status mcp_steps_judge(const mcp_steps_way *way, const mcp_store_step *steps, size_t count);
/* Judges, and carries them out by the single verbs; the reads are one get_many. */
void mcp_steps_one_by_one(const mcp_steps_way *way, mcp_store_step *steps, size_t count);

#endif
