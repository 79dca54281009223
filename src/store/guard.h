/* What is switched off around a call into libmemcached: signals, of which two during one wait make it
 * endless, and a user's locale in which half a UTF-8 letter is a control character that ends a key. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_GUARD_H
#define MCP_STORE_GUARD_H

#include <ctype.h>
#include <stdbool.h>

#ifdef _WIN32

/* No signals there; libmemcached's own locale is the C library's. */
typedef struct mcp_guard {
	bool is_raised;
} mcp_guard;

static inline bool mcp_guard_create(mcp_guard *guard) {
	guard->is_raised = false;
	return true;
}

static inline void mcp_guard_raise(mcp_guard *guard) {
	guard->is_raised = true;
}

static inline void mcp_guard_lower(mcp_guard *guard) {
	guard->is_raised = false;
}

static inline void mcp_guard_free(mcp_guard *guard) {
	(void)guard;
}

#else

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

typedef struct mcp_guard {
	sigset_t all;
	sigset_t signals_before;
	locale_t plain;
	locale_t locale_before; /* NULL: it was harmless and stayed */
} mcp_guard;

/* False: no memory. */
static inline bool mcp_guard_create(mcp_guard *guard) {
	sigfillset(&guard->all);
	guard->plain = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
	return guard->plain != (locale_t)0;
}

/* In UTF-8 and in "C" these bytes have no class; in the ISO 8859 family the first two are control
 * characters and the last may be a space. */
static inline bool mcp_guard_splits_letters(void) {
	return iscntrl(0x80) || isspace(0x85) || isspace(0xa0);
}

/* Then mcp_guard_lower on the same thread, whatever happens. */
static inline void mcp_guard_raise(mcp_guard *guard) {
	pthread_sigmask(SIG_SETMASK, &guard->all, &guard->signals_before);
	guard->locale_before = mcp_guard_splits_letters() ? uselocale(guard->plain) : (locale_t)0;
}

static inline void mcp_guard_lower(mcp_guard *guard) {
	if (guard->locale_before != (locale_t)0) {
		uselocale(guard->locale_before);
	}
	pthread_sigmask(SIG_SETMASK, &guard->signals_before, NULL);
}

static inline void mcp_guard_free(mcp_guard *guard) {
	freelocale(guard->plain);
}

#endif

#endif
