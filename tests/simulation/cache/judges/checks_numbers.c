/* Checks changes of a side key: the running number of an envelope, and freezing (I1, I4, I6). Also reports the
 * failures of all checks of writes. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks_writes.h"

void sim_fail_write(const sim_write *write, const char *invariant, const char *text) {
	sim_world_fail(write->world, invariant, "%s by client %u: %s",
		sim_entry_name(write->entry->kind), write->entry->client, text);
}

void sim_expect_write(const sim_write *write, const char *invariant, bool holds, const char *text) {
	if (!holds) {
		sim_fail_write(write, invariant, text);
	}
}

bool sim_is_known_counter(const sim_register *seen, uint32_t epoch, unsigned key) {
	for (unsigned i = 0; i < seen->counter_count; i++) {
		if (seen->counters[i] == epoch && seen->counter_keys[i] == key) {
			return true;
		}
	}
	return false;
}

/* Returns how often a side key was frozen. */
size_t sim_marks_of(const sim_item *side) {
	size_t marks = 0;
	while (marks < side->length && side->bytes[marks] == '=') {
		marks++;
	}
	return marks;
}

/* Freezing keeps the number, or writes the envelope's number if the side key is missing. No client can increment
 * the latter. */
static void check_freeze(const sim_write *write) {
	const sim_item *old = write->before, *new = write->after;
	bool is_mark = write->request->verb == MCP_OP_PREPEND;
	sim_entry_kind kind = write->entry->kind;
	bool may_freeze = kind == SIM_ENTRY_TOUCH || kind == SIM_ENTRY_UPDATE ||
		kind == SIM_ENTRY_PULL || write->entry->may_freeze;
	sim_expect_write(write, "I6", may_freeze, "freezes the running number");
	bool is_same_epoch = old->is_present && old->flags == new->flags;
	size_t digits = old->length;
	while (!is_mark && digits > 0 && old->bytes[digits - 1] == ' ') {
		digits--;
	}
	bool is_same_number =
		digits + 1 == new->length &&memcmp(old->bytes, new->bytes + 1, digits) == 0;
	sim_expect_write(write, "I4", !is_same_epoch || is_same_number, "freezes another number");
}

/* A delete or a set never touches the side key (I6). The counter bit is set in the envelope first, and a side key
 * never restarts under the same epoch. */
void sim_check_side_write(sim_write *write) {
	mcp_op_verb verb = write->request->verb;
	bool is_made = verb == MCP_OP_ADD || verb == MCP_OP_CAS;
	if (verb == MCP_OP_PREPEND) {
		check_freeze(write);
		return;
	}
	sim_expect_write(write, "I1",
		!is_made || sim_is_known_counter(&write->world->seen, write->after->flags, write->key),
		"makes a side key before the counter bit");
	if (is_made && sim_marks_of(write->after) > 0) {
		check_freeze(write);
		return;
	}
	bool is_count = sim_verb_counts(verb);
	sim_expect_write(write, "I6",
		write->entry->kind == SIM_ENTRY_INCREMENT && (is_made || is_count), "changes the side key");
	bool is_new = !write->before->is_present || write->before->flags != write->after->flags;
	sim_expect_write(write, "I1", is_count || is_new, "starts a running number again");
	if (is_made) {
		write->world->seen.last_side_writer = write->entry;
	}
	sim_envelope main;
	const sim_server *server = &write->world->servers[write->request->server];
	bool is_counted_on = sim_open(&server->items[2 * write->key], write->key, &main) &&
		main.envelope.has_counter && main.envelope.counter_epoch == write->after->flags;
	bool could_tell = write->world->side_lost[write->key] < write->entry->started;
	write->entry->is_in_vain = write->entry->is_in_vain || (!is_counted_on && !could_tell);
}
