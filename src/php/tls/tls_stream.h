/* The TLS channel of a direct wire (store/wire/socket.h). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TLS_TLS_STREAM_H
#define MCP_PHP_TLS_TLS_STREAM_H

#include "../../store/wire/socket.h"
#include "tls_options.h"

/* True if this PHP has ext/openssl. */
bool php_mcp_tls_stream_is_supported(void);

/* Create a closed channel, which its owner frees. The options are borrowed and must outlive the channel. `name`: the
 * host, unless the options contain another name. */
mcp_channel php_mcp_channel_stream_create(const char *name, const mcp_tls_options *options);

#endif
