/* Liveness: after the faults, from any state, a slow rebuild is stored and the key becomes fresh. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_LIVENESS_H
#define SIM_LIVENESS_H

#include "cache/world.h"

/* Ends the faults (active clients are killed, or continue) and starts the probes. */
void sim_liveness_begin(sim_world *world);
/* When nothing is in progress any more, checks the result and the whole history. */
void sim_liveness_end(sim_world *world);

void sim_liveness_run(sim_client *client, const sim_task *task);

#endif
