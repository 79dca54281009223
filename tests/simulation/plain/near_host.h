/* Hosts with a memory for near values: the first two clients are processes of one host, and the third is of another. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_SIMULATION_NEAR_HOST_H
#define MCP_SIMULATION_NEAR_HOST_H

#include "patterns/cache/look/cache_near.h"
#include "plain/client.h"

static inline unsigned plain_host_of(const plain_client *client) {
	return client->index < 2 ? 0 : 1;
}

/* Makes a writer no process of which dies in the middle of a writing: that is tests/core/test_near_room_torn.c's. */
static inline mcp_near_writer plain_near_writer(void) {
	return (mcp_near_writer){1, 1, NULL};
}

/* Makes a host; `rooms`: each host's; `copy`: the process's scratch of MCP_NEAR_SLOT_MAX bytes. */
static inline mcp_near_host plain_near_host(const plain_client *client, const mcp_near_room *rooms,
	char *copy, uint32_t age_max_ms) {
	const mcp_near_room *room = &rooms[plain_host_of(client)];
	return (mcp_near_host){
		.environment = &client->environment,
		.changes = &room->changes,
		.room = room,
		.writer = plain_near_writer,
		.whose = 1,
		.age_max_ms = age_max_ms,
		.copy = copy,
	};
}

#endif
