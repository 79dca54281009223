/* A mark tells what a server held before this process came to it: everything whose cas id is below the mark's, for
 * a server counts them in one row over all its connections. No clock is asked. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MARK_H
#define MCP_STORE_MARK_H

#include "../store.h"

/* Zero-initialised: there is none. */
typedef struct mcp_mark {
	uint64_t cas;
	bool is_set;
} mcp_mark;

/* Writes an item of this process, whose number is random, and reads its cas id. MCP_OK, or why there is no mark.
 * Two round trips. Ends no view. */
mcp_status mcp_mark_take(mcp_mark *mark, mcp_store *server, uint64_t process_number);

/* Says whether an item is newer than the mark; one of a server that gives no cas ids may always be from before. */
static inline bool mcp_mark_is_after(const mcp_mark *mark, uint64_t cas) {
	return mark->is_set && cas < mark->cas;
}

#endif
