/* Scratch memory for a read of many slots. The caller provides it, so that patterns that count in slots do not
 * allocate. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SLOTS_SCRATCH_H
#define MCP_PATTERNS_SLOTS_SCRATCH_H

#include "../core/key/key.h"
#include "../store/store.h"

/* Number of elements of each array: mcp_online_read_length or mcp_limit_slots_summed. */
typedef struct mcp_slots_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_op *replies;
	uint64_t *numbers;
} mcp_slots_scratch;

#endif
