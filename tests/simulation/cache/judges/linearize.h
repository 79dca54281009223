/* Whether a history of concurrent operations can be explained: is there an order, true to what ended
 * before what began, in which the sequential model gives every answer that was given? */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_LINEARIZE_H
#define SIM_LINEARIZE_H

#include "cache/world.h"

typedef enum sim_explanation {
	SIM_EXPLAINED,
	SIM_UNEXPLAINED,
	SIM_UNDECIDED, /* too many orders to try */
} sim_explanation;

/* Checks every key's history and fails the world when one cannot be explained, under the name of the
 * invariant whose rule has to be left out before it can. */
void sim_linearize_check(sim_world *world);

/* How many histories were looked at since the start, and how many of them were left undecided. */
typedef struct sim_linearize_statistics {
	uint64_t histories, undecided, nodes;
} sim_linearize_statistics;
extern sim_linearize_statistics sim_linearize_total;

#endif
