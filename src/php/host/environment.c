/* Implements mcp_environment with the system's clocks, randomness and sleep, wake-ups by futex(2), and the clock of
 * McPatterns\Clock. */
/* SPDX-License-Identifier: MIT */
#include "environment.h"

#include "../engine/compat.h"
#include "../engine/interrupt.h"
#include "../engine/memory_left.h"
#include "process.h"

#include "ext/random/php_random.h"
#include "php_mcpatterns.h"

#ifdef __linux__
#include <sys/syscall.h>
#endif

#if defined(__linux__) && defined(SYS_futex)
#define HAS_FUTEX
/* As in linux/futex.h, which musl does not install. */
#define FUTEX_WAIT_BITSET 9
#define FUTEX_WAKE_BITSET 10
#include <stdatomic.h>
#include <unistd.h>
#endif

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull

#ifdef PHP_WIN32

#include "win32/time.h"

#define NS_PER_US 1000ull

/* Windows sleeps in short parts: another thread records the events that interrupt the engine, so these events do not
 * end a sleep. */
#define SLEEP_AT_MOST_MS 20

static uint64_t system_wall_ns(void) {
	struct timeval now;
	gettimeofday(&now, NULL);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_usec * NS_PER_US;
}

/* Includes the time for which the machine was suspended. */
static uint64_t system_steady_ns(void) {
	LARGE_INTEGER now, a_second;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&a_second);
	uint64_t ticks = (uint64_t)now.QuadPart, frequency = (uint64_t)a_second.QuadPart;
	return ticks / frequency * NS_PER_S + ticks % frequency * NS_PER_S / frequency;
}

static uint64_t system_measure_ns(void) {
	return system_steady_ns();
}

/* Sleep for a part of the remaining time, and subtract the time that has passed. Returns true if time remains. */
static bool system_sleep(uint64_t *left_ns) {
	uint64_t left_ms = (*left_ns + NS_PER_MS - 1) / NS_PER_MS;
	uint64_t began_ns = system_steady_ns();
	Sleep(left_ms < SLEEP_AT_MOST_MS ? (DWORD)left_ms : SLEEP_AT_MOST_MS);
	uint64_t passed_ns = system_steady_ns() - began_ns;
	*left_ns = passed_ns < *left_ns ? *left_ns - passed_ns : 0;
	return *left_ns > 0;
}

#else

#include <errno.h>
#include <time.h>

/* Includes the time for which this machine was suspended, as the clock of a server on another host does. A lock's
 * deadline needs this. On systems other than Linux, the monotonic clock can exclude the suspended time. */
#ifdef CLOCK_BOOTTIME
#define STEADY_CLOCK CLOCK_BOOTTIME
#else
#define STEADY_CLOCK CLOCK_MONOTONIC
#endif

static uint64_t system_read_ns(clockid_t clock_id) {
	struct timespec now;
	if (UNEXPECTED(clock_gettime(clock_id, &now) != 0)) {
		/* Fallback for a sandbox that supports only the oldest clocks. */
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t system_wall_ns(void) {
	return system_read_ns(CLOCK_REALTIME);
}

static uint64_t system_steady_ns(void) {
	return system_read_ns(STEADY_CLOCK);
}

static uint64_t system_measure_ns(void) {
	return system_read_ns(CLOCK_MONOTONIC);
}

/* Sleep until a signal arrives or the time ends. Returns true if time remains. */
static bool system_sleep(uint64_t *left_ns) {
	struct timespec left = {
		.tv_sec = (time_t)(*left_ns / NS_PER_S),
		.tv_nsec = (long)(*left_ns % NS_PER_S),
	};
	bool is_interrupted = nanosleep(&left, &left) != 0 && errno == EINTR;
	*left_ns = is_interrupted ? (uint64_t)left.tv_sec * NS_PER_S + (uint64_t)left.tv_nsec : 0;
	return is_interrupted;
}

#endif

static mcp_clock *clock_of(const mcp_environment *environment) {
	return environment->context;
}

#if defined(CLOCK_REALTIME_COARSE) && !defined(PHP_WIN32)

#define HAS_EARLY_WALL
/* Reads the time of the kernel's last tick: at most 10 ms old, because CONFIG_HZ is at least 100, unless the tick
 * itself is late. */
#define TICK_MS 10

static uint64_t early_wall_ms(const mcp_environment *environment) {
	const mcp_clock *clock = clock_of(environment);
	if (UNEXPECTED(clock->is_frozen)) {
		return clock->frozen_at_ms;
	}
	return system_read_ns(CLOCK_REALTIME_COARSE) / NS_PER_MS + TICK_MS + clock->wall_offset_ms;
}
#endif

static uint64_t shown_wall_ms(const mcp_clock *clock) {
	if (UNEXPECTED(clock->is_frozen)) {
		return clock->frozen_at_ms;
	}
	return system_wall_ns() / NS_PER_MS + clock->wall_offset_ms;
}

static uint64_t wall_ms(const mcp_environment *environment) {
	return shown_wall_ms(clock_of(environment));
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	return system_steady_ns() / NS_PER_MS + clock_of(environment)->monotonic_offset_ms;
}

/* Replaces monotonic_ms for one reading. */
static uint64_t noting_monotonic_ms(const mcp_environment *environment) {
	MCP_G(environment).monotonic_ms = monotonic_ms;
	return clock_of(environment)->noted_ms = monotonic_ms(environment);
}

static uint64_t monotonic_ns(const mcp_environment *environment) {
	return system_steady_ns() + clock_of(environment)->monotonic_offset_ms * NS_PER_MS;
}

/* Mix values that differ between any two calls on a host, for systems without a working random source: tokens are
 * then unique but not secret (SplitMix64's finalizer). */
static uint64_t take_without_source(void) {
	uint64_t mixed =
		system_measure_ns() ^ (system_wall_ns() << 20) ^ ((uint64_t)php_mcp_process_id() << 40);
	mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
	return mixed ^ (mixed >> 31);
}

static zend_always_inline uint64_t take_random(mcp_randomness *randomness) {
	uint64_t *number = &randomness->numbers[--randomness->left];
	uint64_t taken = *number;
	*number = 0;
	return taken;
}

static zend_never_inline uint64_t fetch_and_take(mcp_randomness *randomness) {
	randomness->left = 0;
	if (UNEXPECTED(php_random_bytes_silent(randomness->numbers, sizeof(randomness->numbers)) ==
			FAILURE)) {
		return take_without_source();
	}
	randomness->left = MCP_RANDOM_NUMBERS;
	randomness->fetched_by = php_mcp_process_id();
	return take_random(randomness);
}

static uint64_t random_u64(const mcp_environment *environment) {
	(void)environment;
	mcp_randomness *randomness = &MCP_G(randomness);
	bool is_ours = randomness->left > 0 && randomness->fetched_by == php_mcp_process_id();
	return EXPECTED(is_ours) ? take_random(randomness) : fetch_and_take(randomness);
}

/* After a signal that does not interrupt the engine, continue to sleep until the deadline. */
static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	mcp_clock *clock = clock_of(environment);
	if (clock->is_frozen) {
		php_mcp_environment_advance_clock(clock, duration_ms);
		return;
	}
	uint64_t left_ns = duration_ms * NS_PER_MS;
	while (system_sleep(&left_ns) && !php_mcp_interrupt_is_pending(environment)) {
	}
}

/* --- wake-ups. The futex is not private, because processes share the word. Timeouts are absolute: a process that is
 * stopped between reading the clock and sleeping must not oversleep. --- */

#ifdef HAS_FUTEX

/* Set if a sandbox forbids futex(2). Shared by all threads, which get the same result. */
static atomic_bool is_refused;

/* Clock of FUTEX_WAIT_BITSET's timeouts. 0 disables wake-ups, for example while McPatterns\Clock has moved this
 * thread's time. The clock itself never shows 0, because no process runs in the first millisecond after boot. */
static uint64_t bell_ms(const mcp_environment *environment) {
	const mcp_clock *clock = clock_of(environment);
	bool is_moved = clock->is_frozen || clock->monotonic_offset_ms != 0;
	return is_moved || atomic_load_explicit(&is_refused, memory_order_relaxed)
		? 0
		: system_read_ns(CLOCK_MONOTONIC) / NS_PER_MS;
}

/* Returns errno, or 0 if the thread was woken. */
static int wait_until(const mcp_atomic_u32 *word, uint32_t noted, uint32_t bits, uint64_t end_ms) {
	struct timespec end = {
		.tv_sec = (time_t)(end_ms * NS_PER_MS / NS_PER_S),
		.tv_nsec = (long)(end_ms * NS_PER_MS % NS_PER_S),
	};
	long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET, noted, &end, NULL, bits);
	return result == 0 ? 0 : errno;
}

/* The sleep continues after a signal that does not interrupt this environment. */
static mcp_doze doze(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t noted,
	uint32_t bits, uint64_t end_ms) {
	if (atomic_load_explicit(&is_refused, memory_order_relaxed)) {
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

static void wake(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	(void)environment;
	int kept = errno;
	syscall(SYS_futex, word, FUTEX_WAKE_BITSET, wakes_one ? 1 : INT_MAX, NULL, NULL, bits);
	errno = kept;
}

#endif

static mcp_item_size_limits item_size_limits(const mcp_environment *environment) {
	(void)environment;
	size_t limit = (size_t)MCP_G(item_size_limit);
	return limit == 0
		? (mcp_item_size_limits){SIZE_MAX, SIZE_MAX}
		: (mcp_item_size_limits){limit, php_mcp_memory_left_beside(zend_memory_usage(false))};
}

static uint32_t keepalive_s(const mcp_environment *environment) {
	(void)environment;
	return (uint32_t)MCP_G(tcp_keepalive);
}

void php_mcp_environment_init(mcp_environment *environment, mcp_clock *clock) {
	*environment = (mcp_environment){
		.wall_ms = wall_ms,
#ifdef HAS_EARLY_WALL
		.early_wall_ms = early_wall_ms,
#endif
		.monotonic_ms = monotonic_ms,
		.monotonic_ns = monotonic_ns,
		.random_u64 = random_u64,
		.sleep_ms = sleep_ms,
#ifdef HAS_FUTEX
		.bell_ms = bell_ms,
		.doze = doze,
		.wake = wake,
#endif
		.context = clock,
		.is_interrupted = php_mcp_interrupt_is_pending,
		.deadly_signals = php_mcp_interrupt_deadly_signals,
		.item_size_limits = item_size_limits,
		.keepalive_s = keepalive_s,
		.failing = &clock->failing,
	};
}

const mcp_environment *php_mcp_environment_get(void) {
	return &MCP_G(environment);
}

void php_mcp_environment_keep_next_reading(void) {
	MCP_G(clock).noted_ms = 0;
	MCP_G(environment).monotonic_ms = noting_monotonic_ms;
}

uint64_t php_mcp_environment_noted_ms(void) {
	uint64_t noted_ms = MCP_G(clock).noted_ms;
	return noted_ms != 0 ? noted_ms : mcp_monotonic_ms(&MCP_G(environment));
}

uint64_t php_mcp_environment_wall_ns(void) {
	return system_wall_ns();
}

uint64_t php_mcp_environment_measure_ns(void) {
	return system_measure_ns();
}

uint32_t php_mcp_environment_elapsed_ms(uint64_t since_ns) {
	uint64_t elapsed_ms = mcp_ns_to_ms(php_mcp_environment_measure_ns() - since_ns);
	return elapsed_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)elapsed_ms;
}

/* Adjust the monotonic clock to a new wall time, so that data that has expired by one clock is not valid by the other.
 * A later wall time advances the monotonic clock. An earlier one does not change it. */
static void go_on_until(mcp_clock *clock, uint64_t wall_ms_then) {
	uint64_t wall_ms_now = shown_wall_ms(clock);
	if (wall_ms_then > wall_ms_now) {
		clock->monotonic_offset_ms += wall_ms_then - wall_ms_now;
	}
}

void php_mcp_environment_freeze_clock(mcp_clock *clock, uint64_t wall_ms_now) {
	go_on_until(clock, wall_ms_now);
	clock->is_frozen = true;
	clock->frozen_at_ms = wall_ms_now;
	clock->wall_offset_ms = 0;
}

void php_mcp_environment_advance_clock(mcp_clock *clock, uint64_t duration_ms) {
	clock->monotonic_offset_ms += duration_ms;
	if (clock->is_frozen) {
		clock->frozen_at_ms += duration_ms;
	} else {
		clock->wall_offset_ms += duration_ms;
	}
}

void php_mcp_environment_unfreeze_clock(void) {
	mcp_clock *clock = &MCP_G(clock);
	if (EXPECTED(!clock->is_frozen && clock->wall_offset_ms == 0)) {
		return;
	}
	go_on_until(clock, system_wall_ns() / NS_PER_MS);
	clock->is_frozen = false;
	clock->frozen_at_ms = 0;
	clock->wall_offset_ms = 0;
}
