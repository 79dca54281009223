/* Waits for another process, for all patterns. A wait ends at its deadline, when the process must run other code, or
 * when another process of the host reports the awaited change. Such a report is called a wake-up, and the shared word
 * that carries it a bell (core/waking/wakeups.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_WAITING_H
#define MCP_PATTERNS_WAITING_H

#include "../core/backoff.h"
#include "../core/environment.h"
#include "../store/store.h"
#include "../core/waking/wakeups.h"

typedef enum mcp_wait {
	MCP_WAIT_AGAIN, /* read again */
	MCP_WAIT_OVER,  /* no pause: the deadline had already passed */
	/* The pattern must return MCP_INTERRUPTED immediately, without a new hold or claim. Its caller
	 * handles the interruption, and calls again with the same pauses. */
	MCP_WAIT_INTERRUPTED,
} mcp_wait;

/* State of one wait, kept across interruptions, because the deadline counts from the beginning of the wait. An
 * interrupted pause is continued to its end before the next read, so that signals do not cause extra reads.
 * Zero-initialized: not begun. Times are monotonic, except stamp_end_ms. */
typedef struct mcp_pauses {
	bool has_begun;
	bool was_cut;  /* the last pause was interrupted */
	bool was_rung; /* a wake-up ended the last pause */
	/* the bell's sequence was noted before the last read, so that a later wake-up is noticed */
	bool is_listening;
	uint64_t begun_ms; /* rounded up, so that no wait is shorter than its caller asked */
	uint64_t pause_end_ms;
	mcp_wakeup_slot place; /* without a bell, only the end of a pause causes a read */
	uint32_t noted;
	uint32_t rings;  /* number of useless wake-ups */
	bool is_in_vain; /* the last wake-up was useless, unless the read after it succeeds */
	uint64_t deaf_until_ms;
	uint64_t holder;       /* stamp of the current holder, found by the last read */
	uint64_t stamp_end_ms; /* latest end of a sleep on the bell, by the bells' clock */
} mcp_pauses;

/* Whether there was a pause, or a second read instead of the first pause. If so, another caller had the awaited item
 * first. */
static inline bool mcp_pauses_have_waited(const mcp_pauses *pauses) {
	return pauses->pause_end_ms != 0 || pauses->is_listening;
}

static inline uint64_t mcp_pauses_waited_ms(const mcp_pauses *pauses, uint64_t now_ms) {
	return now_ms > pauses->begun_ms ? now_ms - pauses->begun_ms : 0;
}

/* Continue an interrupted pause. */
mcp_wait mcp_waiting_go_on(const mcp_environment *environment, mcp_pauses *pauses);

/* Sleep until `end_ms`. The caller has chosen no bell, so no wake-up ends this sleep. */
static inline mcp_wait mcp_waiting_until(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms) {
	pauses->pause_end_ms = end_ms;
	return mcp_waiting_go_on(environment, pauses);
}

/* Call before the first read of a call. Begins the wait, or continues the interrupted pause. */
static inline mcp_wait mcp_waiting_begin(const mcp_environment *environment, mcp_pauses *pauses) {
	if (!pauses->has_begun) {
		pauses->has_begun = true;
		pauses->begun_ms = mcp_ns_to_ms(mcp_monotonic_ns(environment));
	}
	return pauses->was_cut ? mcp_waiting_go_on(environment, pauses) : MCP_WAIT_AGAIN;
}

/* Choose the bell that can end the next pauses. The first of these pauses does not sleep. The caller must read again,
 * because no sequence was noted before the last read. */
void mcp_waiting_listen(mcp_pauses *pauses, mcp_wakeup_slot place);

/* Sleep for the next pause, or for the rest of the last pause, at most until end_ms. A signal that arrived during a
 * round trip ends the pause immediately. */
mcp_wait mcp_waiting_pause(const mcp_environment *environment, mcp_pauses *pauses, uint64_t end_ms);
/* Like mcp_waiting_pause, but sleep at most until `free_ms`, the latest time at which the awaited item becomes
 * free. */
mcp_wait mcp_waiting_pause_for(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms, uint64_t free_ms);

/* Report that the last read found something new, although the call continues to wait. The last wake-up was therefore
 * useful. */
static inline void mcp_waiting_found_more(mcp_pauses *pauses) {
	pauses->is_in_vain = false;
}

/* Note the current holder's stamp before each pause. If the holder is a new one, the wake-up was useful, although
 * another waiter was faster. Each such wake-up needs its own release, so their number is limited, and an unlucky
 * waiter is not penalized. */
static inline void mcp_waiting_see_holder(mcp_pauses *pauses, uint64_t stamp) {
	if (stamp != pauses->holder) {
		pauses->holder = stamp;
		mcp_waiting_found_more(pauses);
	}
}

/* Wake up other listeners after a read without a wake-up has found a change, because the process that made the change
 * did not notify this host. */
void mcp_waiting_tell(const mcp_environment *environment, const mcp_pauses *pauses);
/* Wake up another listener if this listener found more free items than it takes. Its own item might have been
 * released without a notification, and then the item of the notification is still free. */
void mcp_waiting_tell_of_more(const mcp_environment *environment, const mcp_pauses *pauses);
/* End a call that waits for an exclusive item, and return the status. If this listener was woken up, but an
 * interruption or a failure came before the result, wake up another listener, because a signal handler can take long
 * or never return. */
mcp_status mcp_waiting_end_for_one(const mcp_environment *environment, mcp_pauses *pauses,
	mcp_status status);

#endif
