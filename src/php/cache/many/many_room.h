/* The buffer of a call on many keys, kept by the process because new pages cost more than the replies. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MANY_ROOM_H
#define MCP_PHP_MANY_ROOM_H

#include "../../../store/buffer.h"

/* Maximum size of the kept buffer, which does not count for memory_limit. A larger buffer belongs to the request and
 * counts. */
#define MCP_MANY_ROOM_MAX ((size_t)16 * 1024 * 1024)

/* One for each thread. All zero: no buffer is kept. */
typedef struct mcp_batch_scratch {
	mcp_buffer kept;
} mcp_batch_scratch;

/* Returns memory for `count` times `size` bytes, about 1 KiB for each key. A nested call during user code gets its own
 * memory if the buffer is taken. Beyond memory_limit the request ends. */
void *php_mcp_batch_scratch_take(size_t count, size_t size);
void php_mcp_batch_scratch_give_back(void *memory);

/* Ends with the thread. */
void php_mcp_batch_scratch_free(mcp_batch_scratch *room);

#endif
