/* Stamps bells and raises their sequences. A stamp is the latest end of any listener's sleep, rounded up,
 * so that most listeners need not renew the stamp. */
/* SPDX-License-Identifier: MIT */
#include "wakeups.h"

enum {
	/* Much longer than any single sleep, so that a wait renews the stamp once per second. */
	STAMP_MS = 1024,
	STEP_MS = 256,
	/* No listener's stamp ends this late, however long the listener was delayed. */
	NONSENSE_MS = 60000,
	ATTEMPTS_MAX = 4,
};

bool mcp_wakeups_open(mcp_wakeups *bells, void *memory, size_t size) {
	size_t count = 1;
	if (size < sizeof(mcp_wakeup)) {
		return false;
	}
	while (count * 2 * sizeof(mcp_wakeup) <= size) {
		count *= 2;
	}
	*bells = (mcp_wakeups){memory, count - 1};
	return true;
}

static bool is_nonsense(uint64_t until_ms, uint64_t now_ms) {
	return until_ms > now_ms + NONSENSE_MS;
}

static bool stamp(mcp_wakeup *bell, uint64_t end_ms, uint64_t now_ms) {
	uint64_t found = atomic_load_explicit(&bell->awaited_until_ms, memory_order_relaxed);
	for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
		if (found >= end_ms && !is_nonsense(found, now_ms)) {
			return true;
		}
		if (atomic_compare_exchange_strong(&bell->awaited_until_ms, &found, end_ms)) {
			return true;
		}
	}
	return false;
}

/* The fence ensures that the reads of the sequence and of the key follow the stamp. */
uint64_t mcp_bell_stamp(mcp_wakeup *bell, uint64_t now_ms) {
	uint64_t end_ms = (now_ms + STEP_MS - 1) / STEP_MS * STEP_MS + STAMP_MS;
	bool is_stamped = stamp(bell, end_ms, now_ms);
	mcp_atomics_fence();
	return is_stamped ? end_ms : 0;
}

uint32_t mcp_bell_sequence(const mcp_wakeup *bell) {
	return atomic_load_explicit(&bell->sequence, memory_order_acquire);
}

bool mcp_bell_is_awaited(uint64_t stamped_until_ms, uint64_t now_ms) {
	return stamped_until_ms > now_ms && !is_nonsense(stamped_until_ms, now_ms);
}

void mcp_bell_raise(mcp_wakeup *bell) {
	atomic_fetch_add_explicit(&bell->sequence, 1, memory_order_seq_cst);
}

bool mcp_ring_is_awaited_until(const mcp_environment *environment, uint64_t until_ms) {
	uint64_t now_ms = mcp_bell_ms(environment);
	return now_ms != 0 && mcp_bell_is_awaited(until_ms, now_ms);
}

/* Raise before the wake, so that a process that is about to sleep does not sleep. */
void mcp_ring(const mcp_environment *environment, mcp_wakeup_slot place, bool wakes_one) {
	mcp_bell_raise(place.bell);
	environment->wake(environment, &place.bell->sequence, place.bit, wakes_one);
}
