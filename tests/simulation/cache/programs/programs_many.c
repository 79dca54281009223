/* The programs for all keys at once: one operation per key, all in progress during the call. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "cache/programs/programs.h"
#include "cache/families/tags.h"

typedef struct many {
	sim_client *client;
	unsigned count;
	mcp_key keys[SIM_KEYS_MAX];
	mcp_cache_entry found[SIM_KEYS_MAX];
	sim_entry *entries[SIM_KEYS_MAX];
	mcp_value_id distrusts[SIM_KEYS_MAX];
	mcp_op replies[2 * SIM_KEYS_MAX];
	mcp_key scratch_keys[2 * SIM_KEYS_MAX];
	mcp_key_buffer buffers[SIM_KEYS_MAX];
	uint64_t tag_numbers[SIM_KEYS_MAX * SIM_TAGS_MAX];
} many;

static mcp_cache_batch batch_of(many *call) {
	return (mcp_cache_batch){call->keys, call->count, call->found, call->replies,
		call->scratch_keys, call->buffers, NULL, call->tag_numbers};
}

static bool begin(many *call, sim_client *client, sim_entry_kind kind, bool is_early) {
	call->client = client;
	call->count = client->world->scenario->key_count;
	for (unsigned i = 0; i < call->count; i++) {
		call->keys[i] = sim_key(i);
		call->entries[i] = sim_program_begin(client, kind, i);
		if (call->entries[i] == NULL) {
			return false;
		}
		call->entries[i]->is_early = is_early;
		client->entries[i] = client->entry;
	}
	client->is_at_many = true;
	return true;
}

/* All entries of a call share the range of its clock. */
static void share_wall(const many *call) {
	for (unsigned i = 0; i < call->count; i++) {
		for (unsigned j = 0; j < call->count; j++) {
			const sim_entry *from = call->entries[i];
			sim_entry_see_wall(call->entries[j], from->wall_low, from->wall_high);
		}
	}
}

static void end(const many *call, unsigned index) {
	sim_client *client = call->client;
	client->entry = client->entries[call->entries[index]->key];
	sim_program_end_found(client, call->entries[index], &call->found[index]);
}

static void follow_all(const many *call, const sim_task *task) {
	call->client->is_at_many = false;
	for (unsigned i = 0; i < call->count; i++) {
		if (sim_entry_is_elected(call->entries[i])) {
			sim_program_follow(call->client, task, call->entries[i]);
		}
	}
}

void sim_program_read_many(sim_client *client, const sim_task *task) {
	many call;
	if (!begin(&call, client, SIM_ENTRY_LOOKUP, false)) {
		return;
	}
	mcp_cache_batch batch = batch_of(&call);
	for (unsigned i = 0; i < call.count; i++) {
		sim_tags_begin_look(client, call.entries[i]);
	}
	mcp_cache_peek_many(&client->cache, &batch);
	for (unsigned i = 0; i < call.count; i++) {
		sim_tags_check_look(client, call.entries[i], &call.found[i]);
	}
	for (unsigned i = 0; i < call.count; i++) {
		bool is_due = call.found[i].verdict == MCP_VERDICT_STALE;
		if (is_due && mcp_opening_is_open(call.found[i].opening)) {
			mcp_cache_elect_among(&client->cache, &batch, i);
		}
	}
	sim_client_note_wall(client);
	share_wall(&call);
	for (unsigned i = 0; i < call.count; i++) {
		mcp_cache_count(&client->cache, &call.keys[i], &call.found[i]);
		end(&call, i);
	}
	follow_all(&call, task);
}

/* Keeps the entries that still wait. The others have ended. */
static void keep_waiting(many *call, const mcp_next_action *steps) {
	unsigned kept = 0;
	for (unsigned i = 0; i < call->count; i++) {
		if (steps[i] != MCP_REMEMBER_DONE) {
			call->entries[kept] = call->entries[i];
			call->keys[kept] = call->keys[i];
			call->distrusts[kept] = call->distrusts[i];
			kept++;
		}
	}
	call->count = kept;
}

/* Continues with a key whose entry ended with an undecodable value, under a new entry, in the common round. False
 * if the history is full. */
static bool go_on(many *call, const sim_task *task, unsigned index) {
	sim_client *client = call->client;
	unsigned key = call->entries[index]->key;
	sim_entry *entry = sim_program_begin_remember(client, task, key, call->entries[index]);
	if (entry == NULL) {
		return false;
	}
	call->entries[index] = entry;
	call->distrusts[index] = mcp_cache_value_id_of(&call->found[index]);
	client->entries[key] = client->entry;
	return true;
}

/* Reads the remaining keys once, and ends and handles those with a result. */
static void look(many *call, const sim_task *task, bool is_over) {
	sim_client *client = call->client;
	mcp_next_action steps[SIM_KEYS_MAX];
	mcp_remember wishes = sim_program_wishes(client, task);
	mcp_cache_batch batch = batch_of(call);
	mcp_cache_remember_many(&client->cache, &batch, &wishes, call->distrusts, is_over, steps);
	sim_client_note_wall(client);
	share_wall(call);
	many done = *call;
	done.count = 0;
	for (unsigned i = 0; i < call->count; i++) {
		if (steps[i] == MCP_REMEMBER_DONE) {
			end(call, i);
			bool is_distrusted = sim_program_distrusts(task, call->entries[i]);
			if (is_distrusted && go_on(call, task, i)) {
				steps[i] = MCP_REMEMBER_AGAIN;
			} else {
				done.entries[done.count++] = call->entries[i];
			}
		}
	}
	follow_all(&done, task);
	keep_waiting(call, steps);
}

void sim_program_remember_many(sim_client *client, const sim_task *task) {
	many call = {.client = client};
	if (!begin(&call, client, SIM_ENTRY_REMEMBER, task->is_early)) {
		return;
	}
	const mcp_environment *environment = &client->environment;
	mcp_pauses pauses = {.has_begun = false};
	mcp_waiting_begin(environment, &pauses);
	uint64_t deadline_ms = pauses.begun_ms + client->world->scenario->wait_ms;
	look(&call, task, client->world->scenario->wait_ms == 0);
	while (call.count > 0) {
		client->is_at_many = true;
		client->entry = client->entries[call.entries[0]->key];
		mcp_wait next = mcp_cache_wait(&client->cache, NULL, &pauses, deadline_ms);
		look(&call, task, next == MCP_WAIT_OVER);
	}
	client->is_at_many = false;
}
