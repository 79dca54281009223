/* One pause of waiting for another process: the one place where patterns wait, so that every wait ends at
 * its deadline, as soon as the caller has something else to run, and, where another process of the host may say so, when
 * what is waited for has come (core/waking/wakeups.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_WAITING_H
#define MCP_PATTERNS_WAITING_H

#include "../core/backoff.h"
#include "../core/environment.h"
#include "../core/status.h"
#include "../core/waking/wakeups.h"

typedef enum mcp_wait {
	MCP_WAIT_AGAIN, /* look again */
	MCP_WAIT_OVER,  /* the deadline had come before; there was no pause */
	/* A pattern that waits returns MCP_INTERRUPTED at once, with nothing held that it did not hold
	 * before. Its caller runs what is to be run, and calls again with the same pauses. */
	MCP_WAIT_INTERRUPTED,
} mcp_wait;

/* The pauses of one wait, from its first to its last, however often it is interrupted: the deadline counts
 * from where it began, and a pause that was cut is slept to its end before anything is looked at again, so
 * that no flood of signals makes a waiter look more often. Zero-initialised: not begun. Times are of the
 * monotonic clock, but for the stamp's. */
typedef struct mcp_pauses {
	bool has_begun;
	bool was_cut;  /* the last one */
	bool was_rung; /* the last one was ended by another process, and nothing was waited for since */
	bool
		is_listening; /* the bell's sequence was noted before the last look, so that a change since is heard */
	uint64_t begun_ms;
	uint64_t pause_end_ms;
	mcp_wakeup_slot place; /* its bell NULL: every look is by the clock */
	uint32_t noted;
	uint32_t rings;  /* how often the wait was rung for in vain */
	bool is_in_vain; /* the last ring, unless the look behind it has found something */
	uint64_t deaf_until_ms;
	uint64_t holder;       /* of what only one can have, as the last look has found it */
	uint64_t stamp_end_ms; /* of the host's clock; no sleep on the bell lasts longer */
} mcp_pauses;

/* Says whether there was any pause, or a second look in its place: what was wanted was another's at first. */
static inline bool mcp_pauses_have_waited(const mcp_pauses *pauses) {
	return pauses->pause_end_ms != 0 || pauses->is_listening;
}

/* Goes on with the pause that was cut. */
mcp_wait mcp_waiting_go_on(const mcp_environment *environment, mcp_pauses *pauses);

/* Sleeps until `end_ms`, for what only time brings. */
static inline mcp_wait mcp_waiting_until(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms) {
	pauses->pause_end_ms = end_ms;
	return mcp_waiting_go_on(environment, pauses);
}

/* Begins, before the first look of a pattern's call, the wait, or goes on with the pause that was cut. */
static inline mcp_wait mcp_waiting_begin(const mcp_environment *environment, mcp_pauses *pauses) {
	if (!pauses->has_begun) {
		pauses->has_begun = true;
		pauses->begun_ms = mcp_monotonic_ms(environment);
	}
	return pauses->was_cut ? mcp_waiting_go_on(environment, pauses) : MCP_WAIT_AGAIN;
}

/* Chooses the bell that the next pauses may be ended by. The first of them then is none: who was not listening at the last
 * look has to look once more. */
void mcp_waiting_listen(mcp_pauses *pauses, mcp_wakeup_slot place);

/* Sleeps for the next pause, or for what is left of the last one, and never past end_ms. Signals that came
 * while a server was asked do not wait for the pause to end. */
mcp_wait mcp_waiting_pause(const mcp_environment *environment, mcp_pauses *pauses, uint64_t end_ms);
/* Pauses, but no longer than until `free_ms`, when what is waited for is free at the latest. */
mcp_wait mcp_waiting_pause_for(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms, uint64_t free_ms);

/* Says that the last look has found what was waited for, where the call waits on for something else: the ring that it
 * followed was not in vain. */
static inline void mcp_waiting_note_found(mcp_pauses *pauses) {
	pauses->is_in_vain = false;
}

/* Notes by which stamp what only one can have is another's, before each pause: where it was given back and another has taken
 * it first, the ring was not in vain. Each such ring has its own giving back, so that they do not come without end, and who
 * was unlucky often is not to hear worse than others. */
static inline void mcp_waiting_note_holder(mcp_pauses *pauses, uint64_t stamp) {
	if (stamp != pauses->holder) {
		pauses->holder = stamp;
		mcp_waiting_note_found(pauses);
	}
}

/* Tells the other listeners of what this one has just found by the clock: it was changed where nobody rings for this host. */
void mcp_waiting_tell(const mcp_environment *environment, const mcp_pauses *pauses);
/* Wakes another one, where this listener has found more of what only one can have than it takes: it may have been woken for
 * the one, and have taken another that was given back where nobody rings for this host. */
void mcp_waiting_tell_of_more(const mcp_environment *environment, const mcp_pauses *pauses);
/* Ends a call that waits for what only one can have. If this listener was woken for it, and an interruption or a failure
 * comes before an answer says what has become of it, another is woken in its place: a handler may run for long, and not
 * come back. Returns the status. */
mcp_status mcp_waiting_end_for_one(const mcp_environment *environment, mcp_pauses *pauses,
	mcp_status status);

#endif
