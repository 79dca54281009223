/* The programs that change the stored value. A lost update reads and computes again. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "cache/programs/programs.h"
#include "cache/judges/state.h"

enum { UPDATE_TRIES_MAX = 4 };

/* From the second round on, a running number is frozen first. */
static const sim_entry *read_to_update(sim_client *client, unsigned index, bool has_lost,
	mcp_cache_entry *found) {
	if (!has_lost) {
		return sim_program_read(client, index, found);
	}
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_READ, index);
	if (entry != NULL) {
		entry->may_freeze = true;
		mcp_key key = sim_key(index);
		mcp_cache_read_still(&client->cache, &key, found);
		sim_program_end_found(client, entry, found);
	}
	return entry;
}

/* 0 if the key is missing. */
static uint64_t version_of(const sim_world *world, unsigned key) {
	uint64_t version = 0;
	for (unsigned i = 0; i < world->server_count; i++) {
		const sim_server *server = &world->servers[i];
		const sim_item *item = &server->items[2 * key];
		if (item->is_present) {
			version = sim_mix(version + (item->cas ^ (uint64_t)server->generation << 32)) | 1;
		}
	}
	return version;
}

/* A value that is a miss for a strict object when it reads must be one when it stores, too, if no client has
 * written (C16). */
static void check_refused(const sim_client *client, const sim_entry *entry, uint64_t version) {
	const sim_world *world = client->world;
	/* With failover, another server may be used. */
	bool was_none = !world->entries[entry->origin].has_value && !world->scenario->fails_over;
	if (was_none && version != 0 && version == version_of(world, entry->key) &&
		!world->has_clock_moves && client->copies == NULL) {
		sim_world_fail(client->world, "C16",
			"an update by client %u finds a value where none was, though nobody wrote one",
			client->index);
	}
}

void sim_program_update(sim_client *client, const sim_task *task) {
	for (int i = 0; i < UPDATE_TRIES_MAX; i++) {
		mcp_cache_entry found;
		uint64_t version = version_of(client->world, task->key);
		const sim_entry *origin = read_to_update(client, task->key, i > 0, &found);
		if (origin == NULL || found.trouble != MCP_OK) {
			return;
		}
		mcp_cache_seen seen = mcp_cache_see(&found);
		sim_program_compute(client, task->compute_ms);
		sim_entry *entry = sim_program_begin(client, SIM_ENTRY_UPDATE, task->key);
		if (entry == NULL) {
			return;
		}
		entry->origin = sim_program_index(client, origin);
		sim_payload payload;
		mcp_cache_value value = sim_program_fill(task, entry, &payload);
		entry->lifetime.keeps_grace = value.lifetime.keeps_grace && seen.has_value;
		mcp_key key = sim_key(task->key);
		mcp_status status = mcp_cache_update(&client->cache, &key, &seen, &value);
		sim_program_end(client, entry, status);
		if (status != MCP_EXISTS) {
			return;
		}
		check_refused(client, entry, version);
	}
}

void sim_program_pull(sim_client *client, const sim_task *task) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_PULL, task->key);
	if (entry == NULL) {
		return;
	}
	mcp_key key = sim_key(task->key);
	mcp_cache_entry found;
	mcp_status status = mcp_cache_pull(&client->cache, &key, &found);
	entry->verdict = found.verdict;
	entry->has_value = status == MCP_OK && found.has_value;
	if (status == MCP_OK && !found.has_value) {
		status = MCP_NOT_FOUND; /* a possible mark was deleted */
	}
	if (entry->has_value) {
		entry->seen = sim_value_decode(found.payload, found.flags, task->key);
	}
	sim_program_end(client, entry, status);
}

/* Sets the initial number for a missing value, and what is stored then. */
static mcp_cache_initial begin_at(const sim_task *task, sim_entry *entry) {
	sim_value_kind kind = task->value_kind == SIM_NUMBER ? SIM_NUMBER : SIM_INTEGER;
	entry->value = sim_value_make(kind, sim_entry_id(entry), task->number);
	entry->lifetime = task->lifetime;
	entry->has_initial = task->has_initial;
	mcp_cache_initial initial = {.number = entry->value.number, .lifetime = task->lifetime};
	int64_t sum;
	entry->fits_initial = sim_state_add_up(&entry->value, task->by, &sum);
	entry->value.number = sum;
	return initial;
}

void sim_program_increment(sim_client *client, const sim_task *task) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_INCREMENT, task->key);
	if (entry == NULL) {
		return;
	}
	mcp_key key = sim_key(task->key);
	entry->by = task->by;
	mcp_cache_initial initial = begin_at(task, entry);
	mcp_status status = mcp_cache_increment_from(&client->cache, &key, task->by,
		task->has_initial ? &initial : NULL, &entry->number);
	sim_program_end(client, entry, status);
}

/* Among concurrent forgets of an item, exactly one reports that it removed the item (C15). With several copies,
 * each of them writes. */
static mcp_status forget(sim_client *client, const sim_entry *entry, const mcp_key *key) {
	bool was_there;
	mcp_status status = mcp_cache_forget(&client->cache, key, &was_there);
	/* A mark, and commands for a recovered server, are effects, too. */
	bool is_alone = !client->world->scenario->fails_over && client->copies == NULL;
	if (is_alone && was_there != (status == MCP_OK && entry->effects > 0)) {
		sim_world_fail(client->world, "C15", "a forget by client %u removes %s and says %s",
			client->index, entry->effects > 0 ? "an item" : "nothing",
			was_there ? "that it did" : "that nothing was there");
	}
	return status;
}

void sim_program_alter(sim_client *client, const sim_task *task, sim_entry_kind kind) {
	sim_entry *entry = sim_program_begin(client, kind, task->key);
	if (entry == NULL) {
		return;
	}
	mcp_key key = sim_key(task->key);
	mcp_status status;
	if (kind == SIM_ENTRY_DELETE) {
		status = forget(client, entry, &key);
	} else if (kind == SIM_ENTRY_EXPIRE) {
		status = mcp_cache_expire(&client->cache, &key);
	} else {
		entry->lifetime = task->lifetime;
		status = mcp_cache_touch(&client->cache, &key, task->lifetime);
	}
	sim_program_end(client, entry, status);
}
