/* A wire on which others come between an effect and what its process makes of the answer. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_SIMULATION_NEAR_WIRE_H
#define MCP_SIMULATION_NEAR_WIRE_H

#include "plain/client.h"

/* Slows it down from now on; it is not freed with the stores around it. */
void plain_slow_down(plain_client *client);

#endif
