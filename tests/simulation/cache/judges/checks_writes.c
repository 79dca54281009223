/* Checks the changes of each operation: which client may claim, the ancestor of a result, and what must stay
 * unchanged. C1 to C4, C6, C7, C15, I4 to I6. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks_writes.h"

#include "core/backoff.h"
#include "cache/values.h"

static bool is_known_epoch(const sim_register *seen, uint64_t epoch) {
	for (unsigned i = 0; i < seen->epoch_count; i++) {
		if (seen->epochs[i] == epoch) {
			return true;
		}
	}
	return false;
}

static void note(const sim_write *write) {
	sim_register *seen = &write->world->seen;
	const mcp_envelope *envelope = &write->new.envelope;
	if (!is_known_epoch(seen, envelope->epoch) && seen->epoch_count < SIM_REGISTER_MAX) {
		seen->epochs[seen->epoch_count++] = envelope->epoch;
	}
	if (envelope->has_counter && seen->counter_count < SIM_REGISTER_MAX &&
		!sim_is_known_counter(seen, envelope->counter_epoch, write->key)) {
		seen->counter_keys[seen->counter_count] = (uint8_t)write->key;
		seen->counters[seen->counter_count++] = envelope->counter_epoch;
	}
	if (envelope->has_claim && seen->election_count < SIM_REGISTER_MAX) {
		seen->elections[seen->election_count++] = (sim_election){
			.epoch = envelope->epoch,
			.token = envelope->claim_token,
			.number = envelope->newest_election,
			.key = (uint8_t)write->key,
		};
	}
}

static bool is_same_value(const sim_write *write) {
	const sim_envelope *old = &write->old, *new = &write->new;
	return new->envelope.has_value == old->envelope.has_value &&new->flags ==
		old->flags &&mcp_bytes_equal(new->payload, old->payload) &&
		new->envelope.created_ms == old->envelope.created_ms &&new->envelope.value_election ==
		old->envelope.value_election;
}

static bool is_same_counter(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	return new->has_counter == old->has_counter &&
		(!new->has_counter || new->counter_epoch == old->counter_epoch);
}

static bool is_same_lifetime(const sim_write *write) {
	return write->new.envelope.soft_ms == write->old.envelope.soft_ms &&
		write->new.envelope.hard_ms == write->old.envelope.hard_ms;
}

static void expect_value_kept(const sim_write *write) {
	sim_expect_write(write, "C1", is_same_value(write), "changes the value");
	sim_expect_write(write, "I4", is_same_counter(write), "loses the running number");
	sim_expect_write(write, "C7", is_same_lifetime(write), "changes the value's lifetime");
}

static void expect_new_epoch(const sim_write *write) {
	sim_expect_write(write, "C3", !is_known_epoch(&write->world->seen, write->new.envelope.epoch),
		"stores under an old epoch");
	sim_expect_write(write, "C3", !write->new.envelope.has_claim, "keeps a claim");
}

/* Returns the earliest time, by the client's clock, of its decision to write: after its read. */
static uint64_t judged_ms(const sim_write *write) {
	uint64_t looked_ms = write->request->looked_ms;
	uint64_t high_ms = write->entry->wall_high;
	return looked_ms < high_ms ? looked_ms : high_ms;
}

/* An end is accepted only if clocks within a lease of each other allow it (C2, C6). It can pass between the
 * decision and the write. */
static bool is_believed(const sim_write *write, uint64_t end_ms, uint64_t longest_ms) {
	return end_ms > write->entry->wall_high &&
		end_ms - judged_ms(write) <= longest_ms + write->client->cache.lease_ms;
}

static bool has_claim_alive(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope;
	return write->had_envelope && old->has_claim &&
		is_believed(write, old->claim_end_ms, old->claim_lease_ms);
}

static bool has_pause_alive(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope;
	uint64_t longest_ms = mcp_envelope_is_uncacheable(old)
		? write->client->cache.lease_ms
		: mcp_backoff_failure_pause_max_ms(old->failures);
	return old->has_failure && is_believed(write, old->pause_end_ms, longest_ms);
}

/* Another client's value gets an envelope with the same bytes and an end that counts from now (C19). */
static void check_adoption(const sim_write *write, bool keeps_ends) {
	const mcp_envelope *new = &write->new.envelope;
	uint64_t grace_ms = write->world->scenario->foreign_grace_ms;
	mcp_bytes before = mcp_bytes_of(write->before->bytes, write->before->length);
	bool is_same = new->has_value &&
		write->new.flags == write->before->flags &&mcp_bytes_equal(write->new.payload, before);
	sim_expect_write(write, "C19", is_same, "changes another client's value");
	sim_expect_write(write, "C19", new->created_ms == MCP_CREATED_UNKNOWN, "knows its age");
	sim_expect_write(write, "C3", !is_known_epoch(&write->world->seen, new->epoch),
		"puts it under an old epoch");
	bool is_ended_now =
		new->soft_ms >= write->entry->wall_low &&new->soft_ms <= write->entry->wall_high;
	bool has_its_grace = mcp_envelope_grace_ms(new) == grace_ms;
	sim_expect_write(write, "C19", !keeps_ends || (is_ended_now && has_its_grace),
		"gives it other ends");
}

/* A claim is taken only if permitted, and not longer than permitted (C1, C2, C4). */
static void check_election(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	const sim_entry *entry = write->entry;
	uint32_t lease_ms = write->world->scenario->lease_ms;
	sim_expect_write(write, "C1", new->has_claim &&new->claim_token != 0, "writes no claim");
	sim_expect_write(write, "C1", !has_claim_alive(write), "claims over a live claim");
	sim_expect_write(write, "C2", new->claim_end_ms <= entry->wall_high + lease_ms,
		"claims for longer than a lease");
	sim_expect_write(write, "C2", new->claim_end_ms > entry->wall_low, "claims for no time");
	if (write->had_plain) {
		check_adoption(write, true);
		sim_expect_write(write, "C1", new->newest_election == 1, "does not count its election");
		return;
	}
	if (!write->had_envelope) {
		sim_expect_write(write, "C4", entry->kind == SIM_ENTRY_REMEMBER,
			"claims a key that is not there");
		sim_expect_write(write, "C4", !new->has_value, "makes a value up");
		return;
	}
	bool is_cold = !old->has_value || old->hard_ms <= entry->wall_high;
	bool is_paused = has_pause_alive(write);
	/* A value that this caller could not decode counts as missing, and stays for others. */
	bool is_none = is_cold || (entry->is_distrusting && new->has_value);
	bool has_waited = entry->kind == SIM_ENTRY_REMEMBER && is_none;
	sim_expect_write(write, "C6", !is_paused || has_waited, "claims in the pause after a failure");
	sim_expect_write(write, "C6", !is_paused || !mcp_envelope_is_uncacheable(old),
		"claims where no result could be stored");
	sim_expect_write(write, "C3", new->epoch == old->epoch, "claims under another epoch");
	sim_expect_write(write, "C1", new->newest_election == old->newest_election + 1,
		"does not count its election");
	bool is_due = is_none || old->soft_ms <= entry->wall_high;
	sim_expect_write(write, "C1", entry->is_early || entry->is_forced || is_due,
		"claims before the soft end");
	sim_expect_write(write, "C17", entry->is_early || is_due || sim_is_first(entry, old),
		"computes once more what was computed while it waited");
	if (new->has_value || !is_cold) {
		expect_value_kept(write);
	}
}

/* A result needs the right ancestor (C3). */
static void check_publish(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	const sim_entry *origin = &write->world->entries[write->entry->origin];
	sim_expect_write(write, "C3", write->had_envelope, "stores where nothing is any more");
	if (!write->had_envelope) {
		return;
	}
	sim_expect_write(write, "C3", old->epoch == origin->claim.epoch, "stores over another epoch");
	sim_expect_write(write, "C3", old->value_election < origin->claim.election,
		"stores over a later election's value");
	sim_expect_write(write, "C3",
		new->epoch == old->epoch &&new->newest_election == old->newest_election,
		"does not keep epoch and newest election");
	sim_expect_write(write, "C3", new->value_election == origin->claim.election,
		"does not say which election it comes from");
	sim_expect_write(write, "I3", !new->has_counter, "keeps the running number");
	sim_expect_write(write, "C1", !new->has_claim || new->claim_token == old->claim_token,
		"claims while it publishes");
	bool is_foreign_claim = old->has_claim && old->newest_election > origin->claim.election;
	sim_expect_write(write, "C3", new->has_claim == is_foreign_claim,
		"drops a later claim, or keeps its own");
}

static void check_abandon(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	const sim_entry *origin = &write->world->entries[write->entry->origin];
	sim_expect_write(write, "C6",
		write->had_envelope && old->has_claim && old->claim_token == origin->claim.token,
		"gives back somebody else's claim");
	if (write->request->verb == MCP_OP_DELETE_IF) {
		sim_expect_write(write, "C6", !old->has_value, "deletes a value");
		return;
	}
	sim_expect_write(write, "C6", !new->has_claim, "keeps the claim");
	sim_expect_write(write, "C6",
		!new->has_failure ||
			new->pause_end_ms <= write->entry->wall_high + write->world->scenario->lease_ms ||
			new->pause_end_ms == old->pause_end_ms,
		"pauses for longer than a lease");
	bool was_marked = mcp_envelope_is_uncacheable(old);
	sim_expect_write(write, "C6",
		mcp_envelope_is_uncacheable(new) ==
			(write->entry->is_marking || (was_marked && new->pause_end_ms == old->pause_end_ms)),
		"marks what could be stored, or does not mark what could not");
	expect_value_kept(write);
}

static void check_rearm(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	const sim_entry *origin = &write->world->entries[write->entry->origin];
	sim_expect_write(write, "C3",
		write->had_envelope && old->has_claim && old->claim_token == origin->claim.token &&
			new->claim_token == old->claim_token,
		"re-arms somebody else's claim");
	sim_expect_write(write, "C2",
		new->claim_end_ms <= write->entry->wall_high + write->world->scenario->lease_ms,
		"re-arms for longer than a lease");
	expect_value_kept(write);
}

static void check_expire(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	expect_new_epoch(write);
	sim_expect_write(write, "C6", !new->has_failure, "keeps a pause or a mark");
	if (write->had_plain) {
		check_adoption(write, true);
		return;
	}
	sim_expect_write(write, "I4", is_same_counter(write), "loses the running number");
	sim_expect_write(write, "C7", new->hard_ms <= old->hard_ms &&new->soft_ms <= old->soft_ms,
		"lets the value live longer");
	sim_expect_write(write, "C1", mcp_bytes_equal(write->new.payload, write->old.payload),
		"changes the value");
}

/* A longer lifetime ends the counter, because the side key would expire first: the number moves into the envelope. */
static void check_touch(const sim_write *write) {
	if (write->had_plain) {
		check_adoption(write, false);
		return;
	}
	const sim_item *side = &write->world->servers[write->request->server].items[2 * write->key + 1];
	bool is_folded = write->old.envelope.has_counter && !write->new.envelope.has_counter;
	if (is_folded) {
		size_t marks = sim_marks_of(side);
		mcp_bytes digits = mcp_bytes_of(side->bytes + marks, side->length - marks);
		while (digits.length > 0 && digits.data[digits.length - 1] == ' ') {
			digits.length--;
		}
		bool is_same_number =
			side->is_present && marks > 0 && mcp_bytes_equal(digits, write->new.payload);
		bool was_lost = write->world->side_lost[write->key] > write->entry->started;
		sim_expect_write(write, "I4", is_same_number || was_lost, "loses the running number");
	} else {
		sim_expect_write(write, "C1", is_same_value(write), "changes the value");
		sim_expect_write(write, "I4", is_same_counter(write), "loses the running number");
	}
	sim_expect_write(write, "C3", write->new.envelope.epoch == write->old.envelope.epoch,
		"ends the epoch");
}

/* The initial value of a missing counter (I8). */
static void check_beginning(const sim_write *write) {
	expect_new_epoch(write);
	sim_expect_write(write, "I8", write->entry->has_initial, "makes something of nothing");
	sim_expect_write(write, "I8", !write->entry->has_begun, "begins twice");
	sim_expect_write(write, "I8", !write->new.envelope.has_counter, "begins with a counter");
	sim_value value = sim_value_decode(write->new.payload, write->new.flags, write->key);
	sim_expect_write(write, "I8", sim_value_equals(&value, &write->entry->value),
		"begins with another number");
	write->entry->has_begun = true;
}

/* Only the counter bit is set, or a negative number changes in its envelope. If the value is missing for this
 * client, it starts the counter. */
static void check_increment(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope, *new = &write->new.envelope;
	uint64_t now_ms = write->entry->wall_high;
	if (write->had_plain && !write->entry->is_strict) {
		check_adoption(write, true);
		return;
	}
	bool is_none = !write->had_envelope || !old->has_value || old->hard_ms <= now_ms ||
		(write->entry->is_strict && old->soft_ms <= now_ms);
	if (is_none && (!write->had_envelope || new->epoch != old->epoch)) {
		check_beginning(write);
		return;
	}
	sim_expect_write(write, "I5", write->had_envelope && old->has_value, "counts where nothing is");
	sim_expect_write(write, "C7", is_same_lifetime(write), "changes the value's lifetime");
	bool is_same_election = new->newest_election == old->newest_election &&new->value_election ==
		old->value_election &&new->has_claim == old->has_claim;
	sim_expect_write(write, "C3", new->epoch == old->epoch &&is_same_election,
		"changes whose value it is");
	sim_value value = sim_value_decode(write->old.payload, write->old.flags, write->key);
	sim_expect_write(write, "I7", sim_value_is_number(&value), "counts what is not a number");
}

static void check_add(const sim_write *write) {
	const mcp_envelope *old = &write->old.envelope;
	expect_new_epoch(write);
	bool is_fresh = write->had_envelope && old->has_value && old->soft_ms > write->entry->wall_high;
	sim_expect_write(write, "C15", !is_fresh, "stores over a fresh value");
}

static void check_by_kind(sim_write *write, bool is_removal) {
	switch (write->entry->kind) {
		case SIM_ENTRY_LOOKUP:
		case SIM_ENTRY_REMEMBER:
			sim_expect_write(write, "C1", !is_removal, "deletes");
			check_election(write);
			write->entry->has_claimed = true;
			break;
		case SIM_ENTRY_PUBLISH:
			check_publish(write);
			break;
		case SIM_ENTRY_ABANDON:
			check_abandon(write);
			break;
		case SIM_ENTRY_REARM:
			check_rearm(write);
			break;
		case SIM_ENTRY_SET:
		case SIM_ENTRY_REPLACE:
		case SIM_ENTRY_UPDATE:
			expect_new_epoch(write);
			break;
		case SIM_ENTRY_ADD:
			check_add(write);
			break;
		case SIM_ENTRY_EXPIRE:
			check_expire(write);
			break;
		case SIM_ENTRY_TOUCH:
			check_touch(write);
			break;
		case SIM_ENTRY_INCREMENT:
			check_increment(write);
			break;
		case SIM_ENTRY_DELETE:
		case SIM_ENTRY_PULL:
			sim_expect_write(write, "C1", is_removal, "stores");
			break;
		default:
			sim_fail_write(write, "C1", "writes");
			break;
	}
}

void sim_check_main_write(sim_write *write) {
	write->had_envelope = sim_open(write->before, write->key, &write->old);
	write->has_envelope = sim_open(write->after, write->key, &write->new);
	write->had_plain = sim_is_plain(write->world, write->before);
	mcp_op_verb verb = write->request->verb;
	bool is_removal = verb == MCP_OP_DELETE || verb == MCP_OP_DELETE_IF;
	if (!is_removal && !write->has_envelope) {
		sim_fail_write(write, "C9", "writes what is no envelope");
		return;
	}
	sim_entry_kind kind = write->entry->kind;
	bool had_any = write->had_envelope || write->had_plain;
	if ((kind == SIM_ENTRY_EXPIRE || kind == SIM_ENTRY_TOUCH) && !had_any) {
		sim_fail_write(write, "C3", "makes something of nothing");
		return;
	}
	check_by_kind(write, is_removal);
	if (!is_removal) {
		note(write);
		write->entry->is_placed = write->entry->is_placed || !write->new.envelope.has_value;
	}
}
