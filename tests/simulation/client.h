/* A client's two doors to the world: the store that its patterns call, and the environment they take
 * clocks, randomness and pauses from. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "world.h"

void sim_client_connect(sim_client *client, sim_world *world, unsigned index);

/* Key number `index` as the pattern takes it, and back. */
mcp_key sim_key(unsigned index);
const char *sim_item_name(unsigned item);

#endif
