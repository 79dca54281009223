/* Channel for a server that discovery has not found yet: sends nothing and reports why. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CARRIER_UNKNOWN_H
#define MCP_PHP_CARRIER_UNKNOWN_H

#include "../../../store/wire/direct/channel.h"
#include "../servers/parsing/server.h"

/* Make a channel that stays closed. The owner frees it. */
mcp_channel php_mcp_channel_unknown_create(const mcp_server *endpoint);

#endif
