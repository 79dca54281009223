/* The state of one key in the sequential model. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "cache/history.h"

enum { SIM_CLAIMS_MAX = 12 };

typedef struct sim_claim {
	int16_t entry;
	int16_t rank; /* order of elections; an overdue caller has that of the awaited election */
} sim_claim;

/* Times are intervals, because the moment of a clock reading within an operation is unknown. */
typedef struct sim_state {
	bool has_value;
	bool is_foreign; /* the item is another program's */
	bool is_plain;   /* another client's value: its lifetime begins with its envelope */
	sim_value value;
	uint64_t soft_low_ms, soft_high_ms;
	uint64_t hard_low_ms, hard_high_ms;
	uint64_t grace_ms; /* between these two */
	uint64_t
		counted_until_ms;    /* latest end so far: an increment reads first and increments later */
	uint64_t fresh_until_ms; /* the same for the TTL, for a strict client */
	int16_t rank;            /* of the newest election */
	uint8_t claim_count;
	sim_claim claims[SIM_CLAIMS_MAX]; /* claims that may still store (C3) */
} sim_state;

void sim_state_clear(sim_state *state);
uint64_t sim_state_hash(const sim_state *state);

/* Removes the value and ends its computations. */
void sim_state_remove(sim_state *state);
/* Sets the entry's value and lifetime. Claims stay. */
void sim_state_give_value(const sim_entry *entry, sim_state *state);
void sim_state_give_lifetime(const sim_entry *entry, sim_state *state);
/* Sets another client's value: stale, with its whole grace period left. The step checks have the rules for its ends
 * (C19). */
void sim_state_put_plain(const sim_entry *entry, sim_state *state);
/* Expires the value now. Its grace period follows, and claims end. */
void sim_state_expire(const sim_entry *entry, sim_state *state);

/* Starts a new epoch: results computed before must not be stored. */
void sim_state_forget_claims(sim_state *state);
/* Returns the index of the claim, or -1. */
int sim_state_find_claim(const sim_state *state, int16_t entry);
/* Claims with this or an earlier rank may no longer store (C3). */
void sim_state_settle_claims(sim_state *state, int16_t rank);

/* Adds like increment. False on overflow. */
bool sim_state_add_up(const sim_value *value, int64_t by, int64_t *sum);

#endif
