/* Keeps this host's lock holders. Set in MINIT and MSHUTDOWN only, except each thread's own record. */
/* SPDX-License-Identifier: MIT */
#include "holders.h"

#include "shared_memory.h"

static struct {
	mcp_holders holders;
	bool are_there;
} host;

void php_mcp_holders_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_HOLDERS, &size);
	uint32_t drawn = (uint32_t)mcp_random_u64(&MCP_G(environment)) | 1;
	host.are_there = memory != NULL && mcp_holders_open(&host.holders, memory, size, drawn);
}

void php_mcp_holders_leave(mcp_holder *holder) {
	bool is_ours = holder->name.pid == (uint32_t)php_mcp_process_id();
	if (host.are_there && is_ours && holder->name.machine != 0) {
		mcp_holder_leave(holder);
	}
}

void php_mcp_holders_stop(void) {
	php_mcp_holders_leave(&MCP_G(holder));
	host.are_there = false;
}

void php_mcp_holders_enter(void) {
	mcp_holder_name name = {
		.machine = php_mcp_process_machine(),
		.start = php_mcp_process_start(),
		.pid = (uint32_t)php_mcp_process_id(),
	};
	if (name.pid > MCP_HOLDER_PID_MAX || name.start > MCP_HOLDER_START_MAX) {
		name.machine = 0;
	}
	bool is_shared = host.are_there && name.machine != 0;
	mcp_holder_enter(&MCP_G(holder), is_shared ? &host.holders : NULL, &name,
		php_mcp_process_is_gone);
	MCP_G(late_locks).count = 0; /* the parent's: it may hold one of them now */
}
