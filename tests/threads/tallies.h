/* Numbers that all threads of a process count together, by names. */
/* SPDX-License-Identifier: MIT */
#ifndef TALLIES_H
#define TALLIES_H

#include <stdint.h>

/* Adds to the number of this name, which is 0 at first, and returns what it is then. */
int64_t tallies_add(const char *name, int64_t by);
/* Raises it to this, if it is less. */
void tallies_raise(const char *name, int64_t to);
/* Returns the name of the number at this place; NULL behind the last one. */
const char *tallies_name(int place);

#endif
