/* Wraps the system's clocks and sleep. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SYSTEM_TIME_H
#define MCP_PHP_SYSTEM_TIME_H

#include "php.h"

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull

#ifdef PHP_WIN32

#include "win32/time.h"

#define NS_PER_US 1000ull

/* Another thread records events that interrupt the engine, so they do not end a sleep. */
#define SLEEP_AT_MOST_MS 20

static inline uint64_t php_mcp_system_wall_ns(void) {
	struct timeval now;
	gettimeofday(&now, NULL);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_usec * NS_PER_US;
}

/* Includes the time that the machine is suspended. */
static inline uint64_t php_mcp_system_steady_ns(void) {
	LARGE_INTEGER now, a_second;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&a_second);
	uint64_t ticks = (uint64_t)now.QuadPart, frequency = (uint64_t)a_second.QuadPart;
	return ticks / frequency * NS_PER_S + ticks % frequency * NS_PER_S / frequency;
}

static inline uint64_t php_mcp_system_measure_ns(void) {
	return php_mcp_system_steady_ns();
}

/* Sleep for a part of the remaining time and subtract it. Returns true if time remains. */
static inline bool php_mcp_system_sleep(uint64_t *left_ns) {
	uint64_t left_ms = (*left_ns + NS_PER_MS - 1) / NS_PER_MS;
	uint64_t began_ns = php_mcp_system_steady_ns();
	Sleep(left_ms < SLEEP_AT_MOST_MS ? (DWORD)left_ms : SLEEP_AT_MOST_MS);
	uint64_t passed_ns = php_mcp_system_steady_ns() - began_ns;
	*left_ns = passed_ns < *left_ns ? *left_ns - passed_ns : 0;
	return *left_ns > 0;
}

#else

#include <errno.h>
#include <time.h>

/* Includes suspended time, as the clock of a server on another host does: a lock's deadline needs it. On systems
 * other than Linux, the monotonic clock may exclude it. */
#ifdef CLOCK_BOOTTIME
#define STEADY_CLOCK CLOCK_BOOTTIME
#else
#define STEADY_CLOCK CLOCK_MONOTONIC
#endif

static inline uint64_t php_mcp_system_read_ns(clockid_t clock_id) {
	struct timespec now;
	if (UNEXPECTED(clock_gettime(clock_id, &now) != 0)) {
		/* For a sandbox that supports only the oldest clocks. */
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static inline uint64_t php_mcp_system_wall_ns(void) {
	return php_mcp_system_read_ns(CLOCK_REALTIME);
}

static inline uint64_t php_mcp_system_steady_ns(void) {
	return php_mcp_system_read_ns(STEADY_CLOCK);
}

static inline uint64_t php_mcp_system_measure_ns(void) {
	return php_mcp_system_read_ns(CLOCK_MONOTONIC);
}

/* Sleep until a signal or the end. Returns true if time remains. */
static inline bool php_mcp_system_sleep(uint64_t *left_ns) {
	struct timespec left = {
		.tv_sec = (time_t)(*left_ns / NS_PER_S),
		.tv_nsec = (long)(*left_ns % NS_PER_S),
	};
	bool is_interrupted = nanosleep(&left, &left) != 0 && errno == EINTR;
	*left_ns = is_interrupted ? (uint64_t)left.tv_sec * NS_PER_S + (uint64_t)left.tv_nsec : 0;
	return is_interrupted;
}

#endif

#endif
