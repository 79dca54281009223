/* Whether a history of concurrent operations is explainable: an order exists that respects real time and in which
 * the sequential model gives every observed result. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_LINEARIZE_H
#define SIM_LINEARIZE_H

#include "cache/world.h"

typedef enum sim_explanation {
	SIM_EXPLAINED,
	SIM_UNEXPLAINED,
	SIM_UNDECIDED, /* too many possible orders */
} sim_explanation;

/* Checks the history of every key. An unexplainable history fails the world with the invariant whose rule must be
 * ignored to explain it. */
void sim_linearize_check(sim_world *world);

/* Since the start: checked histories, those left undecided, and nodes. */
typedef struct sim_linearize_statistics {
	uint64_t histories, undecided, nodes;
} sim_linearize_statistics;
extern sim_linearize_statistics sim_linearize_total;

#endif
