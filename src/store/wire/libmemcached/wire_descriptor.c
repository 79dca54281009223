/* Believes what stands in the instance if the system agrees: a socket, connected to this very server. */
/* SPDX-License-Identifier: MIT */
#include "wire_descriptor.h"

#include <stdbool.h>
#include <string.h>

#ifdef _WIN32

int mcp_wire_descriptor_find(const memcached_st *handle) {
	(void)handle;
	return MCP_WIRE_DESCRIPTOR_HIDDEN;
}

#else

#include <netinet/in.h>
#include <sys/socket.h>

/* The beginning of memcached_instance_st (libmemcached 1.1.4, src/libmemcached/instance.hpp), which has 18 KiB. */
typedef struct instance_head {
	bool options[5];
	short events, revents;
	uint32_t responses;
	in_port_t port;
	int descriptor;
} instance_head;

typedef union peer_address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
	struct sockaddr_storage room;
} peer_address;

/* A unix socket's path may be another name of the one that the server has bound. */
static bool is_at(const peer_address *peer, in_port_t port) {
	switch (peer->any.sa_family) {
		case AF_INET:
			return ntohs(peer->ipv4.sin_port) == port;
		case AF_INET6:
			return ntohs(peer->ipv6.sin6_port) == port;
		case AF_UNIX:
			return port == 0;
		default:
			return false;
	}
}

int mcp_wire_descriptor_find(const memcached_st *handle) {
	const memcached_instance_st *instance = memcached_server_instance_by_position(handle, 0);
	instance_head head;
	peer_address peer = {.room = {0}};
	socklen_t length = sizeof(peer);
	memcpy(&head, instance, sizeof(head));
	bool is_known = head.port == memcached_server_port(instance) &&
		getpeername(head.descriptor, &peer.any, &length) == 0 && is_at(&peer, head.port);
	return is_known ? head.descriptor : MCP_WIRE_DESCRIPTOR_HIDDEN;
}

#endif
