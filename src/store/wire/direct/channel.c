/* Channel over a plain socket. */
/* SPDX-License-Identifier: MIT */
#include "channel.h"

/* The table has the socket's own functions, without wrappers: nearly all bytes pass here. */

static mcp_socket let_go(mcp_socket *socket) {
	mcp_socket bare = *socket;
	socket->descriptor = -1;
	return bare;
}

/* disown: closing the child's descriptor does not affect the connection. */
const mcp_channel_operations mcp_channel_socket = {
	.connect = mcp_socket_connect,
	.send = mcp_socket_send,
	.try_to_send = mcp_socket_try_to_send,
	.receive = mcp_socket_receive,
	.is_silent = mcp_socket_is_silent,
	.close = mcp_socket_close,
	.disown = mcp_socket_close,
	.let_go = let_go,
	.is_plain = true,
};
