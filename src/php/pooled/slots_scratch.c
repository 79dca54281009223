/* The room in which OnlineCounter and RateLimiter read their slots. */
/* SPDX-License-Identifier: MIT */
#include "slots_scratch.h"

#include "php.h"

void *php_mcp_slots_scratch_allocate(size_t slots, mcp_slots_scratch *scratch) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_reply) + sizeof(uint64_t) + sizeof(mcp_key_buffer);
	char *memory = safe_emalloc(slots, each, 0);
	scratch->keys = (mcp_key *)memory;
	scratch->replies = (mcp_reply *)(scratch->keys + slots);
	scratch->numbers = (uint64_t *)(scratch->replies + slots);
	scratch->buffers = (mcp_key_buffer *)(scratch->numbers + slots);
	return memory;
}
