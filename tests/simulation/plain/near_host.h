/* Hosts with a memory for near values, and with bells: the first clients, two or as many as the family says, are processes
 * of one host, and the others are of another. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_NEAR_HOST_H
#define PLAIN_NEAR_HOST_H

#include "patterns/cache/look/cache_near.h"
#include "plain/client.h"

enum { PLAIN_HOSTS = 2 };

static inline unsigned plain_host_of(const plain_client *client) {
	unsigned neighbours = client->world->family->neighbours;
	return client->index < (neighbours > 0 ? neighbours : 2) ? 0 : 1;
}

/* Empties the memory of each host. Before a run. */
void plain_hosts_prepare(void);

/* Makes the store that a process of the client's host has: what it changes there is changed near, too. */
mcp_store *plain_host_store(const plain_client *client, mcp_store *store);
/* Makes it so that it rings, too, and that the client can sleep on its host's bells. */
mcp_store *plain_host_ringing_store(plain_client *client, mcp_store *store);

mcp_near_host plain_near_host(const plain_client *client, uint32_t age_max_ms);

#endif
