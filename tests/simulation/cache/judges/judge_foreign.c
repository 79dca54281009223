/* The rules for caches with several copies beside another client (C19): neither a look nor an old result goes over what
 * that one has set, and what it has set is the answer where it is read. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "cache/families/copies.h"
#include "cache/judges/checks.h"
#include "cache/values.h"

/* Recognizes what is no envelope of ours. */
static bool is_odd(const sim_item *item, unsigned key) {
	sim_envelope found;
	return item->is_present && !sim_open(item, key, &found);
}

static bool is_look(const sim_entry *entry) {
	return entry->kind == SIM_ENTRY_READ || entry->kind == SIM_ENTRY_LOOKUP ||
		entry->kind == SIM_ENTRY_REMEMBER;
}

/* Says whether an election puts what it is held over into an envelope. Where that is not read, its claim stands
 * for no value. */
static bool is_kept(const sim_world *world, const sim_item *before, const sim_item *after,
	unsigned key) {
	sim_envelope found;
	if (!sim_open(after, key, &found)) {
		return false;
	}
	if (!sim_is_plain(world, before)) {
		return !found.envelope.has_value;
	}
	return found.envelope.has_value &&
		mcp_bytes_equal(found.payload, mcp_bytes_of(before->bytes, before->length));
}

static void wrote(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before) {
	unsigned key = request->item / 2;
	const sim_item *after = &world->servers[request->server].items[request->item];
	if (entry == NULL || !is_odd(before, key)) {
		return;
	}
	/* An election over it has put it into an envelope before its result comes. */
	if (entry->kind == SIM_ENTRY_PUBLISH && sim_is_plain(world, before)) {
		sim_world_fail(world, "C19", "client %u publishes over what another has set since",
			client->index);
	}
	if (!is_look(entry)) {
		return;
	}
	if (entry->kind == SIM_ENTRY_READ || !is_kept(world, before, after, key)) {
		sim_world_fail(world, "C19", "%s by client %u puts something else over what another set",
			sim_entry_name(entry->kind), client->index);
	}
}

/* Returns who stored what is at copy 0, if it was there before this look. NULL if it was not another client. */
static const sim_entry *set_before(const sim_world *world, const sim_entry *look) {
	const sim_item *item = &world->servers[sim_key_home(world, look->key)].items[2 * look->key];
	if (!sim_is_plain(world, item)) {
		return NULL;
	}
	sim_value value =
		sim_value_decode(mcp_bytes_of(item->bytes, item->length), item->flags, look->key);
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		if (entry->kind == SIM_ENTRY_PLAIN && entry->key == look->key &&
			entry->ended < look->started && sim_value_equals(&entry->value, &value)) {
			return entry;
		}
	}
	return NULL;
}

static void ended(sim_world *world, const sim_client *client, const sim_entry *entry) {
	if (entry->has_value && entry->seen.is_broken) {
		sim_world_fail(world, "C9", "client %u was shown what nobody wrote under this key",
			client->index);
	}
	const sim_entry *set =
		is_look(entry) && entry->status == MCP_OK ? set_before(world, entry) : NULL;
	if (set != NULL && !(entry->has_value && sim_value_equals(&entry->seen, &set->value))) {
		sim_world_fail(world, "C19", "%s by client %u misses what another client has set",
			sim_entry_name(entry->kind), client->index);
	}
}

const sim_judge sim_judge_foreign = {.wrote = wrote, .ended = ended};
