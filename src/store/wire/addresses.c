/* Connection to one of a host name's addresses. The system's resolver is queried for each connection,
 * because addresses change, and the resolver knows how long a result is valid. */
/* SPDX-License-Identifier: MIT */
#include "addresses.h"

#include <stdio.h>

static struct addrinfo *find_addresses(const mcp_socket_address *address) {
	struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;
	char port[8];
	snprintf(port, sizeof(port), "%u", (unsigned)address->port);
	return getaddrinfo(address->host, port, &hints, &found) == 0 ? found : NULL;
}

static uint32_t count_addresses(const struct addrinfo *addresses) {
	uint32_t number = 0;
	for (; addresses != NULL; addresses = addresses->ai_next) {
		number++;
	}
	return number;
}

mcp_socket_outcome mcp_addresses_try(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, mcp_addresses_connect *connect_to) {
	struct addrinfo *found = find_addresses(address);
	mcp_socket_outcome outcome = MCP_SOCKET_NO_ADDRESS;
	for (const struct addrinfo *one = found; one != NULL && outcome != MCP_SOCKET_DONE;
		 one = one->ai_next) {
		uint64_t left_ms = mcp_deadline_left_ms(deadline);
		mcp_deadline share =
			mcp_deadline_begin(deadline->environment, (uint32_t)(left_ms / count_addresses(one)));
		outcome = connect_to(socket, one, &share);
	}
	if (found != NULL) {
		freeaddrinfo(found);
	}
	return outcome;
}
