/* The promises of the cache as a sequential state machine: possible results of an operation in a state, and the
 * next state. linearize.c handles concurrency. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/spec.h"

#include "cache/values.h"

static bool may_be_there(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return state->has_value && (spec->ignores_times || entry->wall_low < state->hard_high_ms);
}

static bool may_be_gone(const sim_entry *entry, const sim_state *state) {
	return !state->has_value || entry->wall_high >= state->hard_low_ms;
}

static bool may_be_fresh(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return state->has_value && (spec->ignores_times || entry->wall_low < state->soft_high_ms);
}

static bool may_be_stale(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return spec->ignores_times || entry->wall_high >= state->soft_low_ms;
}

static bool is_same(const sim_spec *spec, const sim_value *seen, const sim_state *state) {
	const sim_value *value = &state->value;
	if (spec->ignores_numbers && sim_value_is_number(seen) && sim_value_is_number(value)) {
		return sim_value_writer(seen) == sim_value_writer(value);
	}
	return sim_value_equals(seen, value);
}

/* True if the current value is the one that the caller could not decode. */
static bool is_distrusted(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return entry->is_distrusting && state->has_value &&
		sim_value_equals(&spec->entries[entry->origin].seen, &state->value);
}

/* True if the value is hidden: a strict object treats a stale value as a miss (C16). */
static bool is_hidden(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return entry->is_strict && may_be_stale(spec, entry, state);
}

/* True if the result may show the current value, or a miss. */
static bool shows(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	if (!entry->has_value) {
		return may_be_gone(entry, state) || is_distrusted(spec, entry, state) ||
			is_hidden(spec, entry, state);
	}
	return may_be_there(spec, entry, state) && is_same(spec, &entry->seen, state);
}

/* True if fresh or stale is correct. */
static bool judges(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	if (!entry->has_value) {
		return true;
	}
	if (!may_be_there(spec, entry, state)) {
		return false;
	}
	return entry->verdict == MCP_VERDICT_FRESH ? may_be_fresh(spec, entry, state)
											   : may_be_stale(spec, entry, state);
}

static int16_t index_of(const sim_spec *spec, const sim_entry *entry) {
	return (int16_t)(entry - spec->entries);
}

static bool elect(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	bool is_due = entry->is_early || entry->is_forced || may_be_gone(entry, state) ||
		is_distrusted(spec, entry, state) || (entry->has_value && may_be_stale(spec, entry, state));
	if (!is_due) {
		return false;
	}
	if (entry->is_placed) {
		/* A placeholder exists now. A value that was expired for this client's clock is gone. */
		state->has_value = false;
		state->is_foreign = false;
	}
	if (state->claim_count < SIM_CLAIMS_MAX) {
		state->rank = (int16_t)(state->rank + !entry->claim.is_overdue);
		state->claims[state->claim_count++] = (sim_claim){index_of(spec, entry), state->rank};
	}
	return true;
}

/* An election that its own caller does not learn of: an overdue caller's number comes after it. A placeholder can
 * replace a value that was expired for this client's clock. */
static bool elect_nobody(const sim_entry *entry, sim_state *state) {
	if (entry->is_placed && may_be_gone(entry, state)) {
		state->has_value = state->is_foreign = false;
	}
	state->rank = (int16_t)(state->rank + entry->has_claimed);
	return entry->has_claimed;
}

/* A read, and its possible election. */
static bool look(const sim_spec *spec, const sim_entry *entry, sim_part part, sim_state *state) {
	if (part != SIM_JUDGED && !shows(spec, entry, state)) {
		return false;
	}
	if (part == SIM_SHOWN) {
		return true;
	}
	if (sim_entry_is_elected(entry)) {
		return elect(spec, entry, state);
	}
	state->rank = (int16_t)(state->rank + entry->has_claimed);
	return judges(spec, entry, state);
}

/* True if the current value is the one that an overdue caller was shown but did not return. A number can have been
 * incremented since. */
static bool may_be_disregarded(const sim_entry *origin, const sim_state *state) {
	bool are_numbers = sim_value_is_number(&origin->seen) && sim_value_is_number(&state->value);
	return origin->claim.is_over_value && origin->has_value && state->has_value &&
		(are_numbers || sim_value_equals(&origin->seen, &state->value));
}

static bool is_disregarded(const sim_entry *origin, const sim_state *state) {
	return may_be_disregarded(origin, state) && !sim_value_is_number(&state->value);
}

static bool can_publish(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	const sim_entry *origin = &spec->entries[entry->origin];
	if (spec->ignores_claims) {
		return true;
	}
	return sim_state_find_claim(state, entry->origin) >= 0 &&
		(!origin->claim.is_overdue || may_be_gone(entry, state) ||
			is_distrusted(spec, origin, state) || may_be_disregarded(origin, state));
}

static bool publish(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	if (!can_publish(spec, entry, state)) {
		return false;
	}
	int at = sim_state_find_claim(state, entry->origin);
	if (at >= 0) {
		sim_state_settle_claims(state, state->claims[at].rank);
	}
	sim_state_give_value(entry, state);
	return true;
}

/* True if its claim is gone, or was overdue and a value exists. */
static bool is_refused(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	const sim_entry *origin = &spec->entries[entry->origin];
	return spec->ignores_claims || sim_state_find_claim(state, entry->origin) < 0 ||
		(origin->claim.is_overdue && may_be_there(spec, entry, state) &&
			!is_distrusted(spec, origin, state) && !is_disregarded(origin, state));
}

static void abandon(const sim_entry *entry, sim_state *state) {
	int at = sim_state_find_claim(state, entry->origin);
	if (at >= 0) {
		state->claim_count--;
		memmove(&state->claims[at], &state->claims[at + 1],
			((size_t)state->claim_count - (size_t)at) * sizeof(sim_claim));
	}
}

static void write_value(const sim_entry *entry, sim_state *state) {
	sim_state_forget_claims(state);
	sim_state_give_value(entry, state);
}

/* Starts a counter (I8): like add, and this client's number is the result. */
static bool begin_counting(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	bool is_told = entry->is_unknown || !entry->is_ended || entry->number == entry->value.number;
	if (!is_told || !(may_be_gone(entry, state) || is_hidden(spec, entry, state))) {
		return false;
	}
	write_value(entry, state);
	return true;
}

static bool increment(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	int64_t sum;
	bool is_number = state->has_value && sim_value_is_number(&state->value);
	bool may_be_none = may_be_gone(entry, state) || is_hidden(spec, entry, state);
	switch (entry->status) {
		case MCP_NOT_FOUND:
			return may_be_none && !entry->has_initial;
		case MCP_NOT_A_NUMBER:
			return may_be_there(spec, entry, state) && !is_number;
		case MCP_OUT_OF_RANGE:
			return (is_number && !sim_state_add_up(&state->value, entry->by, &sum)) ||
				(may_be_none && entry->has_initial && !entry->fits_initial);
		default:
			break;
	}
	if (entry->has_begun) {
		return begin_counting(spec, entry, state);
	}
	/* The read found another envelope's end. This envelope's end can have passed by its clock. */
	uint64_t until_ms = entry->is_strict ? state->fresh_until_ms : state->counted_until_ms;
	bool is_in_time = spec->ignores_times || until_ms == UINT64_MAX ||
		entry->wall_low < until_ms + spec->clocks_differ_ms;
	if (!is_number || !is_in_time || !sim_state_add_up(&state->value, entry->by, &sum)) {
		return false;
	}
	state->value.number = sum;
	return spec->ignores_numbers || entry->number == sum;
}

static bool can_update(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	const sim_entry *origin = &spec->entries[entry->origin];
	if (!origin->has_value) {
		return may_be_gone(entry, state) || is_hidden(spec, entry, state);
	}
	return may_be_there(spec, entry, state) && is_same(spec, &origin->seen, state);
}

static bool can_add(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return !state->has_value || may_be_stale(spec, entry, state);
}

static void lose_side(const sim_entry *entry, sim_state *state) {
	if (state->has_value && sim_value_is_number(&state->value)) {
		state->value.number = entry->by;
	}
}

static bool may_be_changed(const sim_spec *spec, const sim_entry *entry, const sim_state *state) {
	return entry->is_strict ? may_be_fresh(spec, entry, state) : may_be_there(spec, entry, state);
}

/* Applies the changes of stores and removals. For MCP_OK only. */
static bool change(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	switch (entry->kind) {
		case SIM_ENTRY_SET:
			break;
		case SIM_ENTRY_ADD:
			if (!can_add(spec, entry, state)) {
				return false;
			}
			break;
		case SIM_ENTRY_REPLACE:
			if (!may_be_changed(spec, entry, state)) {
				return false;
			}
			break;
		case SIM_ENTRY_UPDATE:
			if (!can_update(spec, entry, state)) {
				return false;
			}
			break;
		default:
			return false;
	}
	write_value(entry, state);
	return true;
}

static bool alter(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	if (!may_be_changed(spec, entry, state)) {
		return false;
	}
	if (entry->kind == SIM_ENTRY_EXPIRE) {
		sim_state_expire(entry, state);
	} else {
		sim_state_give_lifetime(entry, state);
	}
	return true;
}

/* Expires a missing value. Results of current computations must not be stored. */
static bool expire_nothing(const sim_entry *entry, sim_state *state) {
	if (!may_be_gone(entry, state)) {
		return false;
	}
	sim_state_forget_claims(state);
	return true;
}

static bool pull(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	if (!shows(spec, entry, state)) {
		return false;
	}
	if (entry->has_value) {
		sim_state_remove(state);
	}
	return true;
}

/* True if a change may have this status other than MCP_OK. */
static bool is_rightly_refused(const sim_spec *spec, const sim_entry *entry,
	const sim_state *state) {
	switch (entry->kind) {
		case SIM_ENTRY_PUBLISH:
			return is_refused(spec, entry, state);
		case SIM_ENTRY_ADD:
			return state->is_foreign || may_be_fresh(spec, entry, state);
		case SIM_ENTRY_REPLACE:
		case SIM_ENTRY_TOUCH:
			return may_be_gone(entry, state) || is_hidden(spec, entry, state);
		default:
			return true; /* update: reads again; abandon, rearm: belongs to another caller by now */
	}
}

bool sim_spec_apply(const sim_spec *spec, const sim_entry *entry, sim_part part, sim_state *state) {
	if (sim_spec_is_look(entry->kind)) {
		return look(spec, entry, part, state);
	}
	switch (entry->kind) {
		case SIM_ENTRY_INCREMENT:
			return increment(spec, entry, state);
		case SIM_ENTRY_PULL:
			return pull(spec, entry, state);
		case SIM_ENTRY_LOST:
		case SIM_ENTRY_DELETE:
			sim_state_remove(state);
			return true;
		case SIM_ENTRY_SIDE_LOST:
			lose_side(entry, state);
			return true;
		case SIM_ENTRY_GARBLED:
			sim_state_remove(state);
			state->is_foreign = true;
			return true;
		case SIM_ENTRY_PLAIN:
			sim_state_put_plain(entry, state);
			return true;
		default:
			break;
	}
	if (entry->kind == SIM_ENTRY_EXPIRE && entry->status != MCP_OK) {
		return expire_nothing(entry, state);
	}
	if (entry->status != MCP_OK) {
		return is_rightly_refused(spec, entry, state);
	}
	switch (entry->kind) {
		case SIM_ENTRY_PUBLISH:
			return publish(spec, entry, state);
		case SIM_ENTRY_ABANDON:
			abandon(entry, state);
			return true;
		case SIM_ENTRY_REARM:
			return spec->ignores_claims || sim_state_find_claim(state, entry->origin) >= 0;
		case SIM_ENTRY_EXPIRE:
		case SIM_ENTRY_TOUCH:
			return alter(spec, entry, state);
		default:
			return change(spec, entry, state);
	}
}

bool sim_spec_affect(const sim_spec *spec, const sim_entry *entry, sim_state *state) {
	sim_entry assumed = *entry;
	int64_t sum;
	switch (entry->kind) {
		case SIM_ENTRY_LOOKUP:
		case SIM_ENTRY_REMEMBER:
			return elect_nobody(entry, state);
		case SIM_ENTRY_PULL:
			if (!may_be_there(spec, entry, state)) {
				return false;
			}
			sim_state_remove(state);
			return true;
		case SIM_ENTRY_INCREMENT:
			if (entry->has_begun) {
				return begin_counting(spec, entry, state);
			}
			if (!state->has_value || !sim_value_is_number(&state->value) ||
				!sim_state_add_up(&state->value, entry->by, &sum)) {
				return false;
			}
			state->value.number = sum;
			return true;
		case SIM_ENTRY_READ:
		case SIM_ENTRY_REARM:
			return false;
		case SIM_ENTRY_PUBLISH:
			return publish(spec, entry, state);
		default:
			break;
	}
	if (entry->kind == SIM_ENTRY_DELETE && !state->has_value && state->claim_count == 0) {
		return false;
	}
	assumed.status = MCP_OK;
	if (entry->kind == SIM_ENTRY_ABANDON) {
		int at = sim_state_find_claim(state, entry->origin);
		abandon(entry, state);
		return at >= 0;
	}
	if (entry->kind == SIM_ENTRY_DELETE) {
		sim_state_remove(state);
		return true;
	}
	if (entry->kind == SIM_ENTRY_EXPIRE) {
		return alter(spec, &assumed, state) || expire_nothing(&assumed, state);
	}
	return entry->kind == SIM_ENTRY_TOUCH ? alter(spec, &assumed, state)
										  : change(spec, &assumed, state);
}
