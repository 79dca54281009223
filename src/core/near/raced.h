/* Memory that others may write while it is read: what was read counts only if a number beside it tells afterwards that nobody has.
 * It is copied as any other, by the widest means that there are, though by the letter of C11 that is a data race. Built for
 * ThreadSanitizer it is copied by atomic bytes, so that what that reports is what no number guards. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_RACED_H
#define MCP_CORE_RACED_H

#include "../words.h"

#ifdef __SANITIZE_THREAD__

static inline void mcp_raced_read(void *to, const void *from, size_t length) {
	for (size_t i = 0; i < length; i++) {
		((char *)to)[i] = __atomic_load_n((const char *)from + i, __ATOMIC_RELAXED);
	}
}

static inline void mcp_raced_write(void *to, const void *from, size_t length) {
	for (size_t i = 0; i < length; i++) {
		__atomic_store_n((char *)to + i, ((const char *)from)[i], __ATOMIC_RELAXED);
	}
}

static inline bool mcp_raced_equal(const char *raced, const char *own, size_t length) {
	size_t i = 0;
	while (i < length && __atomic_load_n(raced + i, __ATOMIC_RELAXED) == own[i]) {
		i++;
	}
	return i == length;
}

#else

static inline void mcp_raced_read(void *to, const void *from, size_t length) {
	memcpy(to, from, length);
}

static inline void mcp_raced_write(void *to, const void *from, size_t length) {
	memcpy(to, from, length);
}

static inline bool mcp_raced_equal(const char *raced, const char *own, size_t length) {
	return mcp_words_equal(raced, own, length);
}

#endif

#endif
