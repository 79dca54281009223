/* The kind of an entry for the checker, independent of the state. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/spec.h"

bool sim_spec_is_look(sim_entry_kind kind) {
	return kind == SIM_ENTRY_READ || kind == SIM_ENTRY_LOOKUP || kind == SIM_ENTRY_REMEMBER;
}

bool sim_spec_is_split(const sim_entry *entry) {
	return sim_spec_is_look(entry->kind) &&
		(sim_entry_is_elected(entry) || (entry->has_value && sim_value_is_number(&entry->seen)));
}

bool sim_spec_is_pure(const sim_entry *entry, sim_part part) {
	if (entry->is_unknown || !entry->is_ended) {
		return false;
	}
	if (sim_spec_is_look(entry->kind)) {
		return part == SIM_SHOWN || (!sim_entry_is_elected(entry) && !entry->has_claimed);
	}
	switch (entry->kind) {
		case SIM_ENTRY_LOST:
		case SIM_ENTRY_SIDE_LOST:
		case SIM_ENTRY_GARBLED:
		case SIM_ENTRY_PLAIN:
		case SIM_ENTRY_DELETE:
			return false;
		case SIM_ENTRY_PULL:
			return !entry->has_value;
		default:
			return entry->status != MCP_OK && entry->kind != SIM_ENTRY_EXPIRE;
	}
}
