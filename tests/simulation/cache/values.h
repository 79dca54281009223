/* Recognizable values: each write has a different value, so that a read shows its writer. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_VALUES_H
#define SIM_VALUES_H

#include "cache/history.h"

typedef struct sim_payload {
	char bytes[32];
	size_t length;
	uint32_t flags;
} sim_payload;

/* `number` is for SIM_NUMBER only. The others are made from the entry that writes them. */
sim_value sim_value_make(sim_value_kind kind, unsigned entry, int64_t number);

sim_payload sim_value_encode(const sim_value *value, unsigned key);
sim_value sim_value_decode(mcp_bytes payload, uint32_t flags, unsigned key);

/* Returns the writer of a number, regardless of later increments. Small numbers have no known writer. */
int64_t sim_value_writer(const sim_value *number);

bool sim_value_equals(const sim_value *a, const sim_value *b);

#endif
