/* Addresses of a host name, tried in order. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ADDRESSES_H
#define MCP_STORE_ADDRESSES_H

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <netdb.h>
#include <sys/socket.h>
#endif

#include "socket.h"

/* Connects to one address. */
typedef mcp_socket_outcome mcp_addresses_connect(mcp_socket *socket, const struct addrinfo *one,
	mcp_deadline *deadline);

/* Connects to the first address that works. Each address gets a share of the remaining time, so that an unresponsive
 * address leaves time for the next address. The name lookup is not bounded by the deadline. */
mcp_socket_outcome mcp_addresses_try(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, mcp_addresses_connect *connect_to);

#endif
