/* Caches that keep several copies: scenarios for them, and the rules that they are to keep (D1 to D6). */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_COPIES_H
#define SIM_COPIES_H

#include "judge.h"
#include "scenario.h"

/* A few writers and readers of one key within some milliseconds, a fault or two, and an observer when all is
 * over. At most one copy is lost. */
void sim_copies_make(sim_scenario *scenario, uint64_t seed);

/* A read may not show what was settled before a change that had been acknowledged when it began. */
extern const sim_judge sim_judge_copies;

#endif
