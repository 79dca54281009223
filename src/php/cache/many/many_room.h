/* The memory of a call on many keys, about a kilobyte for each of them: kept by the process, as whoever asks for
 * thousands asks again, and new pages cost more than the answers that are written into them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MANY_ROOM_H
#define MCP_PHP_MANY_ROOM_H

#include "../../../store/buffer.h"

/* The most that is kept, which counts for no memory_limit, as that which memcached's answers are read into does not; more is
 * the request's, and counts. */
#define MCP_MANY_ROOM_MAX ((size_t)16 * 1024 * 1024)

/* One for each thread. All zero: nothing is kept. */
typedef struct mcp_batch_scratch {
	mcp_buffer kept;
} mcp_batch_scratch;

/* Takes memory for `count` times `size` bytes, for a call that may run user code, and that such code may call: who finds
 * the room taken has memory of its own. Beyond memory_limit the request ends. */
void *php_mcp_batch_scratch_take(size_t count, size_t size);
void php_mcp_batch_scratch_give_back(void *memory);

/* Ends with the thread. */
void php_mcp_batch_scratch_free(mcp_batch_scratch *room);

#endif
