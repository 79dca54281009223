/* Text form of a server's address, for messages and as the server's identity in this process. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ADDRESS_H
#define MCP_STORE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MCP_ADDRESS_MAX 1152

/* Writes "host:port", "[host]:port" or, for port 0, "unix:///path". */
static inline void mcp_address_write(char text[MCP_ADDRESS_MAX], const char *host, uint16_t port) {
	if (port == 0) {
		snprintf(text, MCP_ADDRESS_MAX, "unix://%s", host);
	} else {
		bool is_ipv6 = strchr(host, ':') != NULL;
		snprintf(text, MCP_ADDRESS_MAX, is_ipv6 ? "[%s]:%u" : "%s:%u", host, (unsigned)port);
	}
}

#endif
