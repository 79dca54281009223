/* The state of one key in the sequential model. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "cache/history.h"

enum { SIM_CLAIMS_MAX = 12 };

typedef struct sim_claim {
	int16_t entry;
	int16_t
		rank; /* elections in their order; an overdue caller has that of the one it waited for */
} sim_claim;

/* Times are intervals, because nobody knows when within an operation its clock was read. */
typedef struct sim_state {
	bool has_value;
	bool is_foreign; /* something is there that is not ours */
	bool is_plain;   /* the value is another client's: it begins to end when it gets an envelope */
	sim_value value;
	uint64_t soft_low_ms, soft_high_ms;
	uint64_t hard_low_ms, hard_high_ms;
	uint64_t grace_ms; /* from the one to the other */
	uint64_t
		counted_until_ms; /* the latest end it ever had: an increment looks first and counts later */
	uint64_t fresh_until_ms; /* the latest soft end it ever had: the same for a strict client */
	int16_t rank;            /* of the newest election */
	uint8_t claim_count;
	sim_claim claims[SIM_CLAIMS_MAX]; /* those that may still store (C3) */
} sim_state;

void sim_state_clear(sim_state *state);
uint64_t sim_state_hash(const sim_state *state);

/* Removes the value, and with it whatever was being computed for it. */
void sim_state_remove(sim_state *state);
/* Gives it the value that the entry stores, with the lifetime that the entry gives; claims stay. */
void sim_state_give_value(const sim_entry *entry, sim_state *state);
void sim_state_give_lifetime(const sim_entry *entry, sim_state *state);
/* Puts another client's value: old, and with its grace still before it. The rules for its ends are the steps'
 * (C19). */
void sim_state_put_plain(const sim_entry *entry, sim_state *state);
/* Expires: a soft end of now, its grace after it, and no claims. */
void sim_state_expire(const sim_entry *entry, sim_state *state);

/* Forgets the claims by a new epoch: no result computed before it may be stored. */
void sim_state_forget_claims(sim_state *state);
/* Returns its place among the claims, or -1. */
int sim_state_find_claim(const sim_state *state, int16_t entry);
/* Settles by C3: claims elected before this rank, or with it, may not store any more. */
void sim_state_settle_claims(sim_state *state, int16_t rank);

/* Adds as increment does; false if it does not fit. */
bool sim_state_add_up(const sim_value *value, int64_t by, int64_t *sum);

#endif
