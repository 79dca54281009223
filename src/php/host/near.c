/* Creates the near cache's change counters and shared items. Set in MINIT and MSHUTDOWN only: threads and
 * forked children use them unchanged. */
/* SPDX-License-Identifier: MIT */
#include "near.h"

#include "php_mcpatterns.h"
#include "process.h"
#include "shared_memory.h"

#define OWN_COUNTERS 4096 /* a power of two */

static struct {
	mcp_changes changes;
	mcp_shm_cache room;
	bool is_shared;
	/* without shared memory: one counter for all keys, then those of single keys */
	mcp_atomic_u64 *own;
} host;

void php_mcp_near_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_NEAR, &size);
	host.is_shared = memory != NULL && mcp_shm_cache_open(&host.room, memory, size);
	if (host.is_shared) {
		host.changes = host.room.changes;
		return;
	}
	host.own = pecalloc(1 + OWN_COUNTERS, sizeof(*host.own), true);
	host.changes = (mcp_changes){host.own, host.own + 1, OWN_COUNTERS - 1};
}

void php_mcp_near_stop(void) {
	if (host.own != NULL) {
		pefree((void *)host.own, true);
	}
	memset(&host, 0, sizeof(host));
}

const mcp_changes *php_mcp_near_changes(void) {
	return &host.changes;
}

const mcp_shm_cache *php_mcp_near_shared_room(void) {
	return host.is_shared ? &host.room : NULL;
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

void php_mcp_near_free_copy(char *copy) {
	if (copy != NULL) {
		pefree(copy, true);
	}
}
