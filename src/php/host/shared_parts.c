/* Opens this host's change counters, near cache, wake-up words and lock holders. Set in MINIT and MSHUTDOWN only: threads
 * and forked children use them unchanged, except each thread's own record as a holder. */
/* SPDX-License-Identifier: MIT */
#include "shared_parts.h"

#include "process.h"
#include "shared_memory.h"

#define OWN_COUNTERS 4096 /* a power of two */

static struct {
	mcp_changes changes;
	mcp_shm_cache room;
	mcp_wakeups bells;
	mcp_holders holders;
	bool has_room, has_bells, has_holders;
	/* without shared memory: one counter for all keys, then those of single keys */
	mcp_atomic_u64 *own;
} host;

void php_mcp_shared_parts_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_NEAR, &size);
	host.has_room = memory != NULL && mcp_shm_cache_open(&host.room, memory, size);
	if (host.has_room) {
		host.changes = host.room.changes;
	} else {
		host.own = pecalloc(1 + OWN_COUNTERS, sizeof(*host.own), true);
		host.changes = (mcp_changes){host.own, host.own + 1, OWN_COUNTERS - 1};
	}
	memory = php_mcp_shared_memory_part(MCP_SHARED_BELLS, &size);
	host.has_bells = memory != NULL && MCP_G(environment).doze != NULL &&
		mcp_wakeups_open(&host.bells, memory, size);
	memory = php_mcp_shared_memory_part(MCP_SHARED_HOLDERS, &size);
	uint32_t drawn = (uint32_t)mcp_random_u64(&MCP_G(environment)) | 1;
	host.has_holders = memory != NULL && mcp_holders_open(&host.holders, memory, size, drawn);
}

void php_mcp_shared_parts_stop(void) {
	php_mcp_holders_leave(&MCP_G(holder));
	if (host.own != NULL) {
		pefree((void *)host.own, true);
	}
	memset(&host, 0, sizeof(host));
}

const mcp_changes *php_mcp_near_changes(void) {
	return &host.changes;
}

const mcp_shm_cache *php_mcp_near_shared_room(void) {
	return host.has_room ? &host.room : NULL;
}

/* True if the process is alive, even if it is another user's. */
static bool is_alive(uint32_t pid) {
	return !php_mcp_process_is_gone(pid, 0);
}

mcp_near_writer php_mcp_near_this_writer(void) {
	uint32_t pid = (uint32_t)php_mcp_process_id();
	if (UNEXPECTED(MCP_G(near_writer).pid != pid)) {
		MCP_G(near_writer) = (mcp_near_writer){pid, php_mcp_process_namespace(), is_alive};
	}
	return MCP_G(near_writer);
}

char *php_mcp_near_copy(void) {
	if (MCP_G(near_copy) == NULL) {
		MCP_G(near_copy) = pemalloc(MCP_NEAR_SLOT_MAX, true);
	}
	return MCP_G(near_copy);
}

const mcp_wakeups *php_mcp_wakeups(void) {
	return host.has_bells ? &host.bells : NULL;
}

void php_mcp_holders_leave(mcp_holder *holder) {
	bool is_ours = holder->name.pid == (uint32_t)php_mcp_process_id();
	if (host.has_holders && is_ours && holder->name.machine != 0) {
		mcp_holder_leave(holder);
	}
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
	bool is_shared = host.has_holders && name.machine != 0;
	mcp_holder_enter(&MCP_G(holder), is_shared ? &host.holders : NULL, &name,
		php_mcp_process_is_gone);
	MCP_G(late_locks).count = 0; /* the parent's: it may hold one of them now */
}
