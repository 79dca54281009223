/* Implements wake-ups with futex(2). Set in MINIT and MSHUTDOWN only: threads and forked children use them
 * unchanged. */
/* SPDX-License-Identifier: MIT */
#include "wakeups.h"

#include "shared_memory.h"
#include "system_time.h"

static struct {
	mcp_wakeups bells;
	bool are_there;
} host;

void php_mcp_wakeups_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_BELLS, &size);
	host.are_there = memory != NULL && php_mcp_futex_is_possible() &&
		mcp_wakeups_open(&host.bells, memory, size);
}

void php_mcp_wakeups_stop(void) {
	host.are_there = false;
}

const mcp_wakeups *php_mcp_wakeups(void) {
	return host.are_there ? &host.bells : NULL;
}

/* Not the private futex, because processes share the word. Timeouts are absolute: a process stopped between reading
 * the clock and sleeping must not oversleep. */

#ifdef __linux__
#include <sys/syscall.h>
#endif

#if defined(__linux__) && defined(SYS_futex)

#include <linux/futex.h>
#include <stdatomic.h>
#include <unistd.h>

/* Shared by all threads, which get the same result. */
static atomic_bool is_refused;

bool php_mcp_futex_is_possible(void) {
	return !atomic_load_explicit(&is_refused, memory_order_relaxed);
}

/* Clock of FUTEX_WAIT_BITSET's timeouts. Never 0: no process runs in the first millisecond after boot. */
uint64_t php_mcp_futex_now_ms(void) {
	return php_mcp_system_read_ns(CLOCK_MONOTONIC) / NS_PER_MS;
}

/* Returns errno, or 0 if it was woken. */
static int wait_until(const mcp_atomic_u32 *word, uint32_t noted, uint32_t bits, uint64_t end_ms) {
	struct timespec end = {
		.tv_sec = (time_t)(end_ms * NS_PER_MS / NS_PER_S),
		.tv_nsec = (long)(end_ms * NS_PER_MS % NS_PER_S),
	};
	long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET, noted, &end, NULL, bits);
	return result == 0 ? 0 : errno;
}

mcp_doze php_mcp_futex_doze(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t noted, uint32_t bits, uint64_t end_ms) {
	if (!php_mcp_futex_is_possible()) {
		return MCP_DOZE_NONE;
	}
	for (;;) {
		switch (wait_until(word, noted, bits, end_ms)) {
			case 0:
			case EAGAIN:
				return MCP_DOZE_WOKEN;
			case ETIMEDOUT:
				return MCP_DOZE_OVER;
			case EINTR:
				if (mcp_is_interrupted(environment)) {
					return MCP_DOZE_OVER;
				}
				break;
			default:
				atomic_store_explicit(&is_refused, true, memory_order_relaxed);
				return MCP_DOZE_NONE;
		}
	}
}

void php_mcp_futex_wake(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t bits, bool wakes_one) {
	(void)environment;
	int kept = errno;
	syscall(SYS_futex, word, FUTEX_WAKE_BITSET, wakes_one ? 1 : INT_MAX, NULL, NULL, bits);
	errno = kept;
}

#else

bool php_mcp_futex_is_possible(void) {
	return false;
}

uint64_t php_mcp_futex_now_ms(void) {
	return 0;
}

mcp_doze php_mcp_futex_doze(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t noted, uint32_t bits, uint64_t end_ms) {
	(void)environment;
	(void)word;
	(void)noted;
	(void)bits;
	(void)end_ms;
	return MCP_DOZE_NONE;
}

void php_mcp_futex_wake(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t bits, bool wakes_one) {
	(void)environment;
	(void)word;
	(void)bits;
	(void)wakes_one;
}

#endif
