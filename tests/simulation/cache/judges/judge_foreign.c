/* The rules for caches with several copies next to another client whose values they do not read (C19): a read may
 * put only a claim over that client's value. */
/* SPDX-License-Identifier: MIT */
#include "cache/families/copies.h"
#include "cache/judges/checks.h"

/* True for an item without a valid envelope. */
static bool is_odd(const sim_item *item, unsigned key) {
	sim_envelope found;
	return item->is_present && !sim_open(item, key, &found);
}

static bool is_look(const sim_entry *entry) {
	return entry->kind == SIM_ENTRY_READ || entry->kind == SIM_ENTRY_LOOKUP ||
		entry->kind == SIM_ENTRY_REMEMBER;
}

static bool is_claim(const sim_item *item, unsigned key) {
	sim_envelope found;
	return sim_open(item, key, &found) && !found.envelope.has_value;
}

static void wrote(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before) {
	unsigned key = request->item / 2;
	const sim_item *after = &world->servers[request->server].items[request->item];
	if (entry == NULL || !is_look(entry) || !is_odd(before, key)) {
		return;
	}
	if (entry->kind == SIM_ENTRY_READ || !is_claim(after, key)) {
		sim_world_fail(world, "C19", "%s by client %u puts something else over what another set",
			sim_entry_name(entry->kind), client->index);
	}
}

static void ended(sim_world *world, const sim_client *client, const sim_entry *entry) {
	if (entry->has_value && entry->seen.is_broken) {
		sim_world_fail(world, "C9", "client %u was shown what nobody wrote under this key",
			client->index);
	}
}

const sim_judge sim_judge_foreign = {.wrote = wrote, .ended = ended};
