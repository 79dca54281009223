/* libmemcached's memory: no more of it for an answer than the host allows, and nothing freed that is not its own. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_MEMORY_H
#define MCP_STORE_WIRE_MEMORY_H

#include "../../../core/environment.h"
#include "wire_results.h"

/* Lives longer than the handle whose memory it watches. Its pointers are borrowed. */
typedef struct mcp_wire_memory {
	const mcp_environment *environment;
	const size_t *item_max;              /* as wire.h's */
	const mcp_wire_results *replies;     /* of many keys */
	const mcp_wire_result *reply, *rest; /* of one */
	bool is_for_many;                    /* what is being read */
	size_t refused;                      /* bytes of an answer that was too large; 0: none was */
} mcp_wire_memory;

/* False if it cannot be watched. */
bool mcp_wire_memory_watch(mcp_wire_memory *memory, memcached_st *handle);

#endif
