/* How families of caches run: scenarios by seed, and every schedule of a few operations. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CACHE_RUNS_H
#define SIM_CACHE_RUNS_H

#include "world/families.h"

enum { SIM_EXPLORED_PARTS = 6 };

extern const sim_kind sim_cache_runs;

#endif
