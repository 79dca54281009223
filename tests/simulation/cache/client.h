/* A client's two doors to the world: the store that its patterns call, and the environment they take
 * clocks, randomness and pauses from. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "cache/world.h"

/* Connects, as often as it is called. */
void sim_client_connect(sim_client *client, sim_world *world, unsigned index);
/* Breaks every connection: another process goes on. */
void sim_client_disconnect(sim_client *client);

/* Makes key number `index` as the pattern takes it; the next goes back. */
mcp_key sim_key(unsigned index);
const char *sim_item_name(const sim_world *world, unsigned item);
/* Says whether another server stands in for the key's own, as far as this client knows. */
bool sim_client_is_away(const sim_client *client, unsigned key);
/* Numbers the lives of that server that this client knows: one more with every outage and every connection lost. */
uint64_t sim_client_life(const sim_client *client, unsigned key);
/* Returns the server that the key lives on; its other candidates follow from store_cluster. */
unsigned sim_key_home(const sim_world *world, unsigned index);

/* --- of client.c, for client_connect.c --- */

/* A sim_member's door. */
extern const mcp_store_operations sim_member_operations;
extern const sim_way sim_member_way;
void sim_client_set_environment(sim_client *client);
/* Recognizes a cache key's own wire name or its side key's. */
bool sim_is_of_key(mcp_bytes wire);

#endif
