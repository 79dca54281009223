/* A crash of the code under test is a failure of the run that it happened in, and says so. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CRASH_H
#define SIM_CRASH_H

#include <stdint.h>

/* Makes a crash end the run with "FAILED crash: seed N of FAMILY", from now on. Left to a sanitizer where there is one. */
void sim_crash_catch(void);
/* Names what runs now: "seed", 17, "server". */
void sim_crash_name(const char *what, uint64_t number, const char *family);

#endif
