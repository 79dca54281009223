/* Hosts with a near cache and wake-up words. The first clients, 2 or the family's number, are processes of one
 * host, the others of another. */
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

/* Call it before a run. */
void plain_hosts_prepare(void);

/* Returns the store of a process of the client's host: its changes also reach the near cache. */
mcp_store *plain_host_store(const plain_client *client, mcp_store *store);
/* The same, with wake-ups. The client can also sleep until one. */
mcp_store *plain_host_ringing_store(plain_client *client, mcp_store *store);

mcp_near_host plain_near_host(const plain_client *client, uint32_t age_max_ms);

#endif
