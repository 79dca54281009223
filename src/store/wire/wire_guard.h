/* Guard that blocks signals and sets the locale during calls into libmemcached. Without the guard, a wait in which two
 * signals are handled never ends. In some locales, a byte of a UTF-8 character is a control character, which ends a
 * key. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_GUARD_H
#define MCP_STORE_WIRE_GUARD_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef _WIN32

/* Windows has no signals, and libmemcached uses the C library's locale. */
typedef struct mcp_wire_guard {
	bool has_chosen;
} mcp_wire_guard;

static inline bool mcp_wire_guard_create(mcp_wire_guard *guard) {
	guard->has_chosen = false;
	return true;
}

static inline void mcp_wire_guard_forget(mcp_wire_guard *guard) {
	guard->has_chosen = false;
}

static inline bool mcp_wire_guard_raise(mcp_wire_guard *guard, uint64_t let_through) {
	(void)let_through;
	bool is_new = !guard->has_chosen;
	guard->has_chosen = true;
	return is_new;
}

static inline void mcp_wire_guard_lower(mcp_wire_guard *guard) {
	(void)guard;
}

static inline void mcp_wire_guard_free(mcp_wire_guard *guard) {
	(void)guard;
}

#else

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

typedef struct mcp_wire_guard {
	sigset_t blocked;
	uint64_t let_through; /* bit n - 1: signal n is not in `blocked` */
	sigset_t signals_before;
	locale_t plain;
	locale_t locale_before; /* NULL: the locale is harmless and was not changed */
} mcp_wire_guard;

/* No caller lets all signals through. */
#define MCP_WIRE_GUARD_NONE_CHOSEN UINT64_MAX

/* Lets the next mcp_wire_guard_raise choose the signals again and return true. */
static inline void mcp_wire_guard_forget(mcp_wire_guard *guard) {
	guard->let_through = MCP_WIRE_GUARD_NONE_CHOSEN;
}

/* False: memory exhausted. */
static inline bool mcp_wire_guard_create(mcp_wire_guard *guard) {
	mcp_wire_guard_forget(guard);
	guard->plain = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
	return guard->plain != (locale_t)0;
}

/* In UTF-8 and "C", these bytes have no class. In ISO 8859, the first 2 are control characters and the last can be a
 * space. */
static inline bool mcp_wire_guard_splits_letters(void) {
	return iscntrl(0x80) || isspace(0x85) || isspace(0xa0);
}

static inline void mcp_wire_guard_choose(mcp_wire_guard *guard, uint64_t let_through) {
	sigfillset(&guard->blocked);
	for (int number = 1; number <= 64; number++) {
		if ((let_through >> (number - 1)) & 1) {
			sigdelset(&guard->blocked, number);
		}
	}
	guard->let_through = let_through;
}

/* Raises the guard; always call mcp_wire_guard_lower on the same thread afterwards. Signals that the caller blocked
 * remain blocked. True: the choice of signals has changed, or is the first since mcp_wire_guard_forget. */
static inline bool mcp_wire_guard_raise(mcp_wire_guard *guard, uint64_t let_through) {
	bool is_new = guard->let_through != let_through;
	if (is_new) {
		mcp_wire_guard_choose(guard, let_through);
	}
	pthread_sigmask(SIG_BLOCK, &guard->blocked, &guard->signals_before);
	guard->locale_before = mcp_wire_guard_splits_letters() ? uselocale(guard->plain) : (locale_t)0;
	return is_new;
}

static inline void mcp_wire_guard_lower(mcp_wire_guard *guard) {
	if (guard->locale_before != (locale_t)0) {
		uselocale(guard->locale_before);
	}
	pthread_sigmask(SIG_SETMASK, &guard->signals_before, NULL);
}

static inline void mcp_wire_guard_free(mcp_wire_guard *guard) {
	freelocale(guard->plain);
}

#endif

#endif
