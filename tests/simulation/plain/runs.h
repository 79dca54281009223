/* How families of patterns with plain items run: by seeds, and with all choices of small programs. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_RUNS_H
#define PLAIN_RUNS_H

#include "world/families.h"

extern const sim_kind plain_runs;

#endif
