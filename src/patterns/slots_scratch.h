/* Scratch of the caller for a read of many slots: patterns that count in slots allocate nothing. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SLOTS_SCRATCH_H
#define MCP_PATTERNS_SLOTS_SCRATCH_H

#include "../core/key/key.h"
#include "../store/store.h"

/* Number of elements each: mcp_online_read_length, mcp_limit_slots_summed. */
typedef struct mcp_slots_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_op *replies;
	uint64_t *numbers;
} mcp_slots_scratch;

#endif
