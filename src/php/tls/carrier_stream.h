/* The carrier of a direct wire's bytes by TLS (store/wire/direct/channel.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CARRIER_STREAM_H
#define MCP_PHP_CARRIER_STREAM_H

#include "../../store/wire/direct/channel.h"
#include "tls_options.h"

/* Makes a closed one; whoever it is given to frees it. The options are borrowed and must outlive it. `name`: the host. */
mcp_channel php_mcp_channel_stream_create(const char *name, const mcp_tls_options *options);

#endif
