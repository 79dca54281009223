/* Written in MINIT and MSHUTDOWN alone: threads and forked children find it as it was made. */
/* SPDX-License-Identifier: MIT */
#include "wakeups.h"

#include "futex.h"
#include "shared_memory.h"

static struct {
	mcp_wakeups bells;
	bool are_there;
} host;

void php_mcp_wakeups_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_BELLS, &size);
	host.are_there = memory != NULL && php_mcp_futex_is_possible() &&
		mcp_wakeups_open(&host.bells, memory, size);
}

void php_mcp_wakeups_stop(void) {
	host.are_there = false;
}

const mcp_wakeups *php_mcp_wakeups(void) {
	return host.are_there ? &host.bells : NULL;
}
