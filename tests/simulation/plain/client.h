/* A client's two doors to the world: the store that its patterns call, and the environment they take
 * clocks, randomness and pauses from. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_CLIENT_H
#define PLAIN_CLIENT_H

#include "plain/world.h"

void plain_client_prepare(plain_client *client, plain_world *world, unsigned index);

/* Executes a request, which takes effect now. */
mcp_status plain_client_execute(plain_world *world, const sim_request *request, uint64_t *number,
	mcp_proof *proof);
/* Lands one that was thought lost. */
void plain_client_land(plain_world *world, unsigned late);

/* Kills the client that runs: it never comes back. */
void plain_client_die(plain_client *client);

/* Does its part of plain_client_prepare. */
void plain_client_set_environment(plain_client *client);

#endif
