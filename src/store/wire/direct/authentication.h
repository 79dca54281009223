/* Shows a server who asks: memcached's authentication by the text protocol (its option -Y, protocol.txt, "Authentication").
 * It is the first request of a connection, and before it the server refuses all others. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_AUTHENTICATION_H
#define MCP_STORE_AUTHENTICATION_H

#include "wire_direct_line.h"

/* Authenticates the connection that has just been opened, where there is a password. Whatever goes wrong is a connection
 * that could not be had, with its reason, which never has a byte of user, password or a server's echo of them: MCP_UNREACHABLE,
 * and the caller closes it. The server is left alone then like one that is away. */
mcp_status mcp_direct_authenticate(mcp_direct *wire);

#endif
