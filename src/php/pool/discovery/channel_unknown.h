/* The carrier of a server that is not known: an endpoint has not told its list yet. No byte leaves by it; it says why. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CARRIER_UNKNOWN_H
#define MCP_PHP_CARRIER_UNKNOWN_H

#include "../../../store/wire/direct/channel.h"
#include "../servers/parsing/server.h"

/* Makes one that stays closed; whoever it is given to frees it. */
mcp_channel php_mcp_channel_unknown_create(const mcp_server *endpoint);

#endif
