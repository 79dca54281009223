/* A crash of the code under test is a failure of the seed that it happened with, and says so. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CRASH_H
#define SIM_CRASH_H

#include <stdint.h>

/* From now on a crash ends the run with "FAILED crash: seed N of FAMILY". Left to a sanitizer where there is one. */
void sim_crash_catch(void);
/* What runs now; `family` is borrowed. */
void sim_crash_name(uint64_t seed, const char *family);

#endif
