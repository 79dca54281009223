/* Reports a crash of the tested code as a failure of its run. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CRASH_H
#define SIM_CRASH_H

#include <stdint.h>

/* From now on, a crash ends the run with "FAILED crash: seed N of FAMILY". With a sanitizer, its own report is used. */
void sim_crash_catch(void);
/* Names the current run: "seed", 17, "server". */
void sim_crash_name(const char *what, uint64_t number, const char *family);

#endif
