/* Checks of the changes that each operation makes. checks.c calls them. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CHECKS_WRITES_H
#define SIM_CHECKS_WRITES_H

#include "cache/judges/checks.h"

typedef struct sim_write {
	sim_world *world;
	const sim_client *client;
	sim_entry *entry; /* operation that sent it */
	const sim_request *request;
	const sim_item *before, *after;
	unsigned key;
	bool had_envelope, has_envelope;
	bool had_plain; /* another client's value (C19) */
	sim_envelope old, new;
} sim_write;

void sim_check_main_write(sim_write *write);
void sim_check_side_write(sim_write *write);

/* --- from checks_numbers.c --- */

void sim_fail_write(const sim_write *write, const char *invariant, const char *text);
void sim_expect_write(const sim_write *write, const char *invariant, bool holds, const char *text);
bool sim_is_known_counter(const sim_register *seen, uint32_t epoch, unsigned key);
/* Returns how often a side key was frozen. */
size_t sim_marks_of(const sim_item *side);

#endif
