/* The meaning of operations one after the other on one key: the model that no concurrent history may contradict.
 * Independent of envelopes, CAS values and side keys. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_SPEC_H
#define SIM_SPEC_H

#include "cache/judges/state.h"

/* Rules that the checker can ignore to classify a failure. */
typedef struct sim_spec {
	const sim_entry *entries;  /* all of the world's */
	uint64_t clocks_differ_ms; /* maximum difference */
	bool ignores_numbers, ignores_times, ignores_claims;
} sim_spec;

/* A read of a running number reads the number first, then the envelope, and an election comes after both. The shown
 * value and the verdict can be true at different moments. */
typedef enum sim_part {
	SIM_WHOLE,
	SIM_SHOWN,  /* the value */
	SIM_JUDGED, /* fresh or stale, elected or not */
} sim_part;

/* True if the entry, ended and known, can take effect now with its result. Then applies it. */
bool sim_spec_apply(const sim_spec *spec, const sim_entry *entry, sim_part part, sim_state *state);

/* Applies the effect of an entry of unknown outcome. False if it would have none now. */
bool sim_spec_affect(const sim_spec *spec, const sim_entry *entry, sim_state *state);

/* --- from spec_kinds.c --- */

/* True for reads, which can be elected. */
bool sim_spec_is_look(sim_entry_kind kind);

/* True if its parts are placed separately: SIM_SHOWN and SIM_JUDGED, otherwise SIM_WHOLE. */
bool sim_spec_is_split(const sim_entry *entry);

/* True for known entries without changes, which are placed as soon as they fit. */
bool sim_spec_is_pure(const sim_entry *entry, sim_part part);

#endif
