/* The end that the world must still come to when its faults have ended: from wherever it stands, a slow rebuild
 * is stored and the key becomes fresh. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_LIVENESS_H
#define SIM_LIVENESS_H

#include "cache/world.h"

/* Ends the faults (clients still at work are killed, or go on) and sets the probes to work. */
void sim_liveness_begin(sim_world *world);
/* Looks, when nothing is under way any more, at what became of it, and at the whole history. */
void sim_liveness_end(sim_world *world);

/* Runs the probe's tasks. */
void sim_liveness_run(sim_client *client, const sim_task *task);

#endif
