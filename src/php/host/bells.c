/* Written in MINIT and MSHUTDOWN alone: threads and forked children find it as it was made. */
/* SPDX-License-Identifier: MIT */
#include "bells.h"

#include "futex.h"
#include "shared_memory.h"

static struct {
	mcp_bells bells;
	bool are_there;
} host;

void php_mcp_bells_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_BELLS, &size);
	host.are_there =
		memory != NULL && php_mcp_futex_is_possible() && mcp_bells_open(&host.bells, memory, size);
}

void php_mcp_bells_stop(void) {
	host.are_there = false;
}

const mcp_bells *php_mcp_bells(void) {
	return host.are_there ? &host.bells : NULL;
}
