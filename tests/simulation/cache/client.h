/* A client's access to the world: the store that its patterns call, and the environment for clocks, randomness and
 * pauses. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "cache/world.h"

/* Connects. Can be called repeatedly. */
void sim_client_connect(sim_client *client, sim_world *world, unsigned index);
/* Breaks every connection, because another process continues. */
void sim_client_disconnect(sim_client *client);

/* Returns key number `index` as the pattern takes it. sim_item_name() converts an item back. */
mcp_key sim_key(unsigned index);
const char *sim_item_name(const sim_world *world, unsigned item);
/* True if another server serves the key, as far as this client knows. */
bool sim_client_is_away(const sim_client *client, unsigned key);
/* Number of the life of that server, as this client knows it: incremented with every outage and every lost
 * connection. */
uint64_t sim_client_life(const sim_client *client, unsigned key);
/* Returns the key's home server. store_cluster determines its other candidates. */
unsigned sim_key_home(const sim_world *world, unsigned index);

/* --- from client.c, for client_connect.c --- */

/* The door of a sim_member. */
extern const mcp_store_operations sim_member_operations;
extern const sim_way sim_member_way;
void sim_client_set_environment(sim_client *client);
/* True for the wire name of a cache key or its side key. */
bool sim_is_of_key(mcp_bytes wire);

#endif
