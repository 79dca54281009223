/* Limits that the environment sets for the size of a response, whatever the server announces. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ITEM_SIZE_LIMIT_H
#define MCP_STORE_ITEM_SIZE_LIMIT_H

#include "../core/protocol/answer.h"
#include "../core/environment.h"
#include "buffer.h"

/* Size that a connection may keep between calls: responses up to this size need no check. */
#define MCP_ANSWER_ALWAYS_ALLOWED MCP_BUFFER_KEPT_MAX

/* Size of a call's response, as far as it is known. */
typedef struct mcp_expected_answer {
	size_t keys;     /* requested */
	size_t item_max; /* the server's item limit; 0: unknown */
	size_t next;     /* bytes of the next item, with its line */
	size_t whole;    /* bytes kept for the call, the next item included */
} mcp_expected_answer;

static inline size_t mcp_item_size_limit_sum(size_t a, size_t b) {
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static inline size_t mcp_item_size_limit_product(size_t a, size_t b) {
	return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* Returns the smaller of the server's and the environment's item limit, so that every stored value can be read. */
static inline size_t mcp_item_size_limit_lower(const mcp_environment *environment,
	size_t item_max) {
	if (environment->item_size_limits == NULL) {
		return item_max;
	}
	size_t of_item = environment->item_size_limits(environment).of_item;
	return item_max < of_item ? item_max : of_item;
}

static inline bool mcp_answer_is_too_large(const mcp_environment *environment,
	const mcp_expected_answer *answer) {
	if (answer->whole <= MCP_ANSWER_ALWAYS_ALLOWED || environment->item_size_limits == NULL) {
		return false;
	}
	mcp_item_size_limits limits = environment->item_size_limits(environment);
	bool is_known = answer->item_max != 0 && answer->item_max < limits.of_item;
	size_t of_item =
		mcp_item_size_limit_sum(is_known ? answer->item_max : limits.of_item, MCP_ANSWER_LINE_MAX);
	size_t of_keys = mcp_item_size_limit_product(answer->keys, of_item);
	return answer->next > of_item || answer->whole > of_keys || answer->whole > limits.of_call;
}

#endif
