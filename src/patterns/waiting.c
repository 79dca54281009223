/* Sleeps for a pause, or until a wake-up on a bell, whichever ends first. */
/* SPDX-License-Identifier: MIT */
#include "waiting.h"

#include "../core/waking/wakeups.h"

/* Stamp the bell and note its sequence, before the caller's next read. Returns false if the wait has no bell. */
static bool listens(const mcp_environment *environment, mcp_pauses *pauses) {
	pauses->is_listening = false;
	if (pauses->place.bell == NULL) {
		return false;
	}
	uint64_t now_ms = mcp_bell_ms(environment);
	if (now_ms == 0) {
		return false;
	}
	pauses->stamp_end_ms = mcp_bell_stamp(pauses->place.bell, now_ms);
	pauses->noted = mcp_bell_sequence(pauses->place.bell);
	pauses->is_listening = pauses->stamp_end_ms != 0;
	return pauses->is_listening;
}

/* From the second useless wake-up on, ignore wake-ups at the start of the next pause. This time grows by 1 ms with
 * each useless wake-up, up to the whole pause. Therefore, there are at most about twice as many reads as without
 * wake-ups. The read after a wake-up is never delayed, because most wake-ups are useful. */
static void judge_ring(mcp_pauses *pauses, uint64_t now_ms) {
	if (pauses->is_in_vain) {
		uint64_t end_ms = now_ms + pauses->rings++;
		pauses->deaf_until_ms = end_ms < pauses->pause_end_ms ? end_ms : pauses->pause_end_ms;
		pauses->is_in_vain = false;
	}
}

/* Returns false if this process cannot sleep on a bell. */
static bool sleep_on_bell(const mcp_environment *environment, mcp_pauses *pauses,
	uint32_t pause_ms) {
	uint64_t now_ms = pauses->is_listening ? mcp_bell_ms(environment) : 0;
	if (now_ms == 0) {
		return false;
	}
	if (now_ms >= pauses->stamp_end_ms) {
		/* the stamp has expired, so no process notifies: stamp again before the next read */
		return true;
	}
	uint64_t end_ms = now_ms + pause_ms;
	end_ms = end_ms < pauses->stamp_end_ms ? end_ms : pauses->stamp_end_ms;
	const mcp_wakeup_slot *place = &pauses->place;
	switch (environment->doze(environment, &place->bell->sequence, pauses->noted, place->bit,
		end_ms)) {
		case MCP_DOZE_WOKEN:
			pauses->was_rung = pauses->is_in_vain = true;
			return true;
		case MCP_DOZE_OVER:
			return true;
		default:
			pauses->place.bell = NULL;
			pauses->is_listening = false;
			return false;
	}
}

static mcp_wait sleep_out(const mcp_environment *environment, mcp_pauses *pauses, uint64_t now_ms) {
	pauses->was_rung = false;
	if (!mcp_is_interrupted(environment) && now_ms < pauses->deaf_until_ms) {
		mcp_sleep_ms(environment, (uint32_t)(pauses->deaf_until_ms - now_ms));
		now_ms = mcp_monotonic_ms(environment);
	}
	if (now_ms < pauses->pause_end_ms && !mcp_is_interrupted(environment)) {
		uint32_t pause_ms = (uint32_t)(pauses->pause_end_ms - now_ms);
		if (!sleep_on_bell(environment, pauses, pause_ms)) {
			mcp_sleep_ms(environment, pause_ms);
		}
	}
	pauses->was_cut = mcp_is_interrupted(environment);
	if (pauses->was_cut) {
		return MCP_WAIT_INTERRUPTED;
	}
	listens(environment, pauses);
	return MCP_WAIT_AGAIN;
}

mcp_wait mcp_waiting_go_on(const mcp_environment *environment, mcp_pauses *pauses) {
	return sleep_out(environment, pauses, mcp_monotonic_ms(environment));
}

void mcp_waiting_listen(mcp_pauses *pauses, mcp_wakeup_slot place) {
	bool is_another = place.bell != pauses->place.bell || place.bit != pauses->place.bit;
	pauses->is_listening = pauses->is_listening && !is_another;
	pauses->place = place;
}

mcp_wait mcp_waiting_pause(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms) {
	uint64_t now_ms = mcp_monotonic_ms(environment);
	pauses->was_rung = false;
	if (now_ms >= end_ms || end_ms <= pauses->begun_ms) {
		return MCP_WAIT_OVER;
	}
	if (!pauses->was_cut) {
		if (!pauses->is_listening && listens(environment, pauses)) {
			return MCP_WAIT_AGAIN;
		}
		uint64_t waited_ms = mcp_pauses_waited_ms(pauses, now_ms);
		uint64_t pause_ms = mcp_backoff_waiting_ms(waited_ms, mcp_random_u64(environment));
		pauses->pause_end_ms = end_ms - now_ms > pause_ms ? now_ms + pause_ms : end_ms;
		judge_ring(pauses, now_ms);
	}
	return sleep_out(environment, pauses, now_ms);
}

mcp_wait mcp_waiting_pause_for(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms, uint64_t free_ms) {
	/* The start is rounded up: before it, a pause would be over at once. */
	free_ms = free_ms > pauses->begun_ms ? free_ms : pauses->begun_ms + 1;
	if (free_ms >= end_ms) {
		return mcp_waiting_pause(environment, pauses, end_ms);
	}
	mcp_wait next = mcp_waiting_pause(environment, pauses, free_ms);
	return next == MCP_WAIT_OVER ? MCP_WAIT_AGAIN : next;
}

void mcp_waiting_tell(const mcp_environment *environment, const mcp_pauses *pauses) {
	if (pauses->is_listening && !pauses->was_rung &&
		mcp_bell_sequence(pauses->place.bell) == pauses->noted && mcp_bell_ms(environment) != 0) {
		mcp_ring(environment, pauses->place, false);
	}
}

void mcp_waiting_tell_of_more(const mcp_environment *environment, const mcp_pauses *pauses) {
	if (pauses->is_listening && mcp_bell_ms(environment) != 0) {
		mcp_ring(environment, pauses->place, true);
	}
}

mcp_status mcp_waiting_end_for_one(const mcp_environment *environment, mcp_pauses *pauses,
	mcp_status status) {
	bool is_answered = status == MCP_OK || status == MCP_NOT_STORED;
	if (pauses->was_rung && !is_answered && mcp_bell_ms(environment) != 0) {
		mcp_ring(environment, pauses->place, true);
	}
	return status;
}
