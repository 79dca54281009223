/* A client's access to the world: the store that its patterns call, and the environment for clocks, randomness and
 * pauses. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_CLIENT_H
#define PLAIN_CLIENT_H

#include "plain/world.h"

void plain_client_prepare(plain_client *client, plain_world *world, unsigned index);

/* Executes a request now. */
mcp_status plain_client_execute(plain_world *world, const sim_request *request, sim_told *told);
/* Executes a late request. */
void plain_client_land(plain_world *world, unsigned late);
/* False: an earlier step of the same batch must land first. */
bool plain_client_may_land(const plain_world *world, unsigned late);

/* Kills the running client, which never continues. */
void plain_client_die(plain_client *client);

#endif
