/* The addresses of a host's name, each of which may be the one that answers. */
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

/* Connects to one of them. */
typedef mcp_socket_outcome mcp_addresses_connect(mcp_socket *socket, const struct addrinfo *one,
	mcp_deadline *deadline);

/* Connects to any; each gets its share of the time that is left, so that one which swallows everything leaves some.
 * Looking the name up is not bounded by the deadline. */
mcp_socket_outcome mcp_addresses_try(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, mcp_addresses_connect *connect_to);

#endif
