/* The operations' meaning, one after the other, on one key: the model that no concurrent history may
 * contradict. It knows nothing of envelopes, cas ids or side keys. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_SPEC_H
#define SIM_SPEC_H

#include "cache/judges/state.h"

/* The rules that the checker may leave out of account, to find out what a failure is about. */
typedef struct sim_spec {
	const sim_entry *entries;  /* all of the world's */
	uint64_t clocks_differ_ms; /* at most */
	bool ignores_numbers, ignores_times, ignores_claims;
} sim_spec;

/* A look at a running number reads it first and the envelope after it, and an election comes after
 * both: what was shown and what was judged may be true at different moments of the operation. */
typedef enum sim_part {
	SIM_WHOLE,
	SIM_SHOWN,  /* the value */
	SIM_JUDGED, /* fresh or stale, elected or not */
} sim_part;

/* Says whether the entry, ended and known, may take effect now and end as it did; then it has. */
bool sim_spec_apply(const sim_spec *spec, const sim_entry *entry, sim_part part, sim_state *state);

/* Makes the effect of one whose outcome is unknown; false if it would have none now. */
bool sim_spec_affect(const sim_spec *spec, const sim_entry *entry, sim_state *state);

/* --- of spec_kinds.c --- */

/* Says whether it only looks, and may be elected. */
bool sim_spec_is_look(sim_entry_kind kind);

/* Says which parts of it have to be placed: SIM_WHOLE, or those that come back; never none. */
bool sim_spec_is_split(const sim_entry *entry);

/* Finds known entries that change nothing, so that they may be placed as soon as they fit. */
bool sim_spec_is_pure(const sim_entry *entry, sim_part part);

#endif
