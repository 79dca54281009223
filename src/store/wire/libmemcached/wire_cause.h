/* The cause of a call that failed, as libmemcached knows it: which failure it is, and why. Asked before the
 * connection is closed, because that forgets it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_CAUSE_H
#define MCP_STORE_WIRE_CAUSE_H

#include "../../../core/status.h"
#include "../../reason.h"

#include <libmemcached/memcached.h>

/* How long was waited for what did not come. */
typedef struct mcp_wire_patience {
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
} mcp_wire_patience;

mcp_status mcp_wire_cause_status(const memcached_st *handle, memcached_return_t code);

/* Says whether a unix socket's other side had gone before it took any of the request, which then is not whole. */
bool mcp_wire_cause_took_nothing(const memcached_st *handle);

/* True if there is no connection, and libmemcached has kept its reason to itself. */
bool mcp_wire_cause_is_hidden(const memcached_st *handle, memcached_return_t code);

/* Says it in words, for the status that mcp_wire_cause_status has for it. */
void mcp_wire_cause_say(const memcached_st *handle, memcached_return_t code, mcp_status status,
	mcp_wire_patience patience, mcp_reason *reason);

#endif
