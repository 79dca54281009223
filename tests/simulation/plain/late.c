/* Abandoned connections. These hosts keep none: a wire without space for them closes the connection, and the server
 * still executes the sent commands late. */
/* SPDX-License-Identifier: MIT */
#include "store/wire/late_writes.h"

#include <stdlib.h>

bool mcp_socket_lacks_descriptors(const mcp_socket *socket) {
	return false;
}

void mcp_late_writes_set_aside(mcp_late_writes *late, const char *address, mcp_socket *socket,
	bool is_open_ended, uint64_t now_ms) {
	abort();
}

bool mcp_late_writes_are_out(mcp_late_writes *late, const char *address, uint64_t now_ms) {
	abort();
}

bool mcp_late_writes_give_one_up(mcp_late_writes *late) {
	abort();
}
