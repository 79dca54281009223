/* The state of a key in the model, and the changes that spec.c applies. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/state.h"

static const uint64_t never = UINT64_MAX;

void sim_state_clear(sim_state *state) {
	memset(state, 0, sizeof(*state));
}

static uint64_t fold(uint64_t hash, uint64_t word) {
	return (hash ^ word) * 0xFF51AFD7ED558CCDu ^ (hash >> 29);
}

uint64_t sim_state_hash(const sim_state *state) {
	uint64_t hash = state->counted_until_ms * 8 + state->has_value + 2u * state->is_foreign +
		4u * state->claim_count;
	/* Hash each separately: similar intervals have equal sums, and restrictions of one state would be applied to
	 * the other. */
	if (state->has_value) {
		hash = fold(hash, (uint64_t)state->value.number);
		hash = fold(hash, (uint64_t)state->value.id << 8 | state->value.kind);
		hash = fold(hash, state->soft_low_ms);
		hash = fold(hash, state->soft_high_ms);
		hash = fold(hash, state->hard_low_ms);
		hash = fold(hash, state->hard_high_ms);
		hash = fold(hash, state->grace_ms);
		hash = fold(hash, state->fresh_until_ms);
		hash = fold(hash, state->is_plain);
	}
	for (unsigned i = 0; i < state->claim_count; i++) {
		hash = fold(hash,
			(uint64_t)state->claims[i].entry * 64 +
				(uint64_t)(state->rank - state->claims[i].rank));
	}
	return hash;
}

void sim_state_forget_claims(sim_state *state) {
	state->claim_count = 0;
}

void sim_state_remove(sim_state *state) {
	state->has_value = false;
	state->is_foreign = false;
	sim_state_forget_claims(state);
}

static uint64_t plus(uint64_t from_ms, uint64_t by_ms) {
	return from_ms == never || by_ms == MCP_NEVER_MS ? never : from_ms + by_ms;
}

static void end_after_grace(sim_state *state) {
	state->hard_low_ms = plus(state->soft_low_ms, state->grace_ms);
	state->hard_high_ms = plus(state->soft_high_ms, state->grace_ms);
}

/* True for operations that keep the grace period of the current value (C7). */
static bool keeps_grace(const sim_entry *entry) {
	bool may_keep = entry->kind == SIM_ENTRY_TOUCH || entry->kind == SIM_ENTRY_REPLACE ||
		entry->kind == SIM_ENTRY_UPDATE;
	return may_keep && entry->lifetime.keeps_grace;
}

void sim_state_give_lifetime(const sim_entry *entry, sim_state *state) {
	const mcp_lifetime *lifetime = &entry->lifetime;
	state->is_plain = false;
	bool is_endless = lifetime->ttl_ms == 0;
	state->soft_low_ms = is_endless ? never : entry->wall_low + lifetime->ttl_ms;
	state->soft_high_ms = is_endless ? never : entry->wall_high + lifetime->ttl_ms;
	if (!keeps_grace(entry)) {
		state->grace_ms = lifetime->grace_ms;
	}
	end_after_grace(state);
	if (state->counted_until_ms < state->hard_high_ms) {
		state->counted_until_ms = state->hard_high_ms;
	}
	if (state->fresh_until_ms < state->soft_high_ms) {
		state->fresh_until_ms = state->soft_high_ms;
	}
}

void sim_state_give_value(const sim_entry *entry, sim_state *state) {
	state->has_value = true;
	state->is_foreign = false;
	state->value = entry->value;
	state->counted_until_ms = 0;
	state->fresh_until_ms = 0;
	sim_state_give_lifetime(entry, state);
}

int sim_state_find_claim(const sim_state *state, int16_t entry) {
	for (int i = 0; i < state->claim_count; i++) {
		if (state->claims[i].entry == entry) {
			return i;
		}
	}
	return -1;
}

/* Claims elected before this one may no longer store (C3). */
void sim_state_settle_claims(sim_state *state, int16_t rank) {
	unsigned kept = 0;
	for (unsigned i = 0; i < state->claim_count; i++) {
		if (state->claims[i].rank > rank) {
			state->claims[kept++] = state->claims[i];
		}
	}
	state->claim_count = (uint8_t)kept;
}

void sim_state_put_plain(const sim_entry *entry, sim_state *state) {
	sim_state_remove(state);
	bool has_grace = entry->lifetime.grace_ms > 0;
	state->has_value = has_grace;
	state->is_foreign = !has_grace;
	state->is_plain = true;
	state->value = entry->value;
	state->grace_ms = entry->lifetime.grace_ms;
	state->soft_low_ms = 0;
	state->hard_low_ms = plus(entry->wall_low, state->grace_ms);
	state->soft_high_ms = state->hard_high_ms = never;
	state->counted_until_ms = state->fresh_until_ms = never;
}

void sim_state_expire(const sim_entry *entry, sim_state *state) {
	sim_state_forget_claims(state);
	if (state->is_plain) {
		return;
	}
	if (entry->wall_low < state->soft_low_ms) {
		state->soft_low_ms = entry->wall_low;
	}
	if (entry->wall_high < state->soft_high_ms) {
		state->soft_high_ms = entry->wall_high;
	}
	end_after_grace(state);
}

bool sim_state_add_up(const sim_value *value, int64_t by, int64_t *sum) {
	if (__builtin_add_overflow(value->number, by, sum)) {
		return false;
	}
	if (value->number >= 0 && *sum < 0) {
		*sum = 0;
	}
	return true;
}
