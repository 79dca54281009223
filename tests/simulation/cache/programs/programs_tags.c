/* Reads through views, tag versions of stored values, and checks of a read of many. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks.h"
#include "cache/client.h"
#include "cache/programs/programs.h"
#include "cache/families/tags.h"

#include "../../../../src/core/bytes.h"
#include "core/key/key.h"
#include "patterns/cache/entry/cache_tags.h"
#include "store/failover/failover_marks.h"

static uint64_t fingerprint_of(unsigned tag) {
	return sim_mix(0x7A6 + tag);
}

static void name_tags(sim_view *view, unsigned through) {
	view->tags = (mcp_cache_tags){
		.key_count = 1,
		.fingerprints = view->fingerprints,
		.numbers = view->numbers,
	};
	for (unsigned i = 0; i < SIM_TAGS_MAX; i++) {
		if ((through & 1u << i) != 0) {
			view->fingerprints[view->tags.count++] = fingerprint_of(i);
		}
	}
}

void sim_tags_look_through(sim_client *client, unsigned through) {
	client->cache.tags = NULL;
	if (through != 0) {
		name_tags(&client->view, through);
		client->cache.tags = &client->view.tags;
	}
}

/* --- tag versions of stored values --- */

static unsigned bits_of(const mcp_cache_tags *tags) {
	unsigned bits = 0;
	for (unsigned i = 0; tags != NULL && i < SIM_TAGS_MAX; i++) {
		for (unsigned j = 0; j < tags->count; j++) {
			bits |= tags->fingerprints[j] == fingerprint_of(i) ? 1u << i : 0;
		}
	}
	return bits;
}

void sim_tags_note(const sim_client *client, sim_entry *entry, const mcp_cache_entry *found) {
	const mcp_cache_tags *tags = client->cache.tags;
	entry->through = (uint8_t)bits_of(tags);
	entry->captured = client->world->moment + 1; /* it ends then */
	for (unsigned i = 0; tags != NULL && i < tags->count; i++) {
		entry->tag_numbers[i] = found->tag_numbers != NULL ? found->tag_numbers[i] : 0;
	}
}

mcp_bytes sim_tags_of_look(sim_entry *entry, const sim_entry *elected,
	mcp_captured_tags *captured) {
	sim_view view;
	name_tags(&view, elected->through);
	entry->through = elected->through;
	entry->captured = elected->captured;
	captured->length = view.tags.count * MCP_TAG_LENGTH;
	for (unsigned i = 0; i < view.tags.count; i++) {
		mcp_tag tag = {view.fingerprints[i], elected->tag_numbers[i]};
		mcp_tag_write(captured->bytes + (size_t)i * MCP_TAG_LENGTH, tag);
	}
	return mcp_captured_tags_view(captured);
}

mcp_status sim_tags_of_now(sim_client *client, sim_entry *entry, mcp_captured_tags *captured) {
	mcp_key key = sim_key(entry->key);
	mcp_status status = mcp_cache_capture_now(&client->cache, &key, captured);
	entry->through = (uint8_t)bits_of(client->cache.tags);
	entry->captured = ++client->world->moment;
	return status;
}

void sim_program_invalidate(sim_client *client, const sim_task *task) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_INVALIDATE, task->key);
	if (entry != NULL) {
		sim_view view;
		name_tags(&view, task->through);
		entry->through = task->through;
		entry->is_strict = task->is_strict;
		mcp_status status = mcp_cache_invalidate(&client->cache, mcp_bytes_none(), &view.tags,
			task->is_strict, NULL);
		sim_program_end(client, entry, status);
	}
}

/* --- checks of a read of many --- */

static bool is_alone(const sim_client *client) {
	const sim_world *world = client->world;
	for (unsigned i = 0; i < world->client_count; i++) {
		if (i != client->index && world->clients[i].entry >= 0) {
			return false;
		}
	}
	return world->late_count == 0;
}

void sim_tags_begin_look(sim_client *client, sim_entry *entry) {
	entry->was_alone = is_alone(client);
}

/* True if no other client was active from the beginning to now. */
static bool was_alone(const sim_client *client, const sim_entry *entry) {
	const sim_world *world = client->world;
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *other = &world->entries[i];
		if (other->client != entry->client && other->started > entry->started) {
			return false;
		}
	}
	return entry->was_alone && world->late_count == 0;
}

/* 0 if the tag is missing. */
static uint64_t number_at(const sim_world *world, const sim_server *server, const mcp_key *key,
	uint64_t fingerprint) {
	mcp_key_buffer buffer;
	mcp_key tag = mcp_key_tag(&buffer, mcp_bytes_none(), fingerprint, key->route);
	uint64_t number = 0;
	for (unsigned i = 0; i < SIM_OTHERS_MAX; i++) {
		const sim_item *item = &server->items[SIM_OF_KEYS + i];
		mcp_bytes name = mcp_bytes_of(world->others[i], strlen(world->others[i]));
		if (item->is_present && mcp_bytes_equal(name, tag.wire)) {
			mcp_decimal_parse_u64(mcp_bytes_of(item->bytes, item->length), &number);
		}
	}
	return number;
}

static bool holds(const sim_world *world, const sim_server *server, const mcp_key *key,
	mcp_bytes tags) {
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		mcp_tag tag = mcp_tags_at(tags, i);
		if (number_at(world, server, key, tag.fingerprint) != tag.number) {
			return false;
		}
	}
	return true;
}

/* True if the client can have heard from the home server after the value was stored: then a value elsewhere is from
 * an earlier outage (F7). */
static bool may_be_left_behind(const sim_client *client, const sim_entry *look,
	const mcp_envelope *there) {
	const sim_world *world = client->world;
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		bool is_own = entry->client == look->client && entry->process == look->process;
		bool was_home = !entry->was_away || !entry->is_away;
		if (is_own && was_home && entry->wall_high > there->created_ms) {
			return look->server != sim_key_home(world, look->key);
		}
	}
	return false;
}

void sim_tags_check_look(sim_client *client, const sim_entry *entry, const mcp_cache_entry *found) {
	sim_world *world = client->world;
	sim_envelope there;
	if (client->failover == NULL || found->has_value || found->trouble != MCP_OK ||
		!was_alone(client, entry)) {
		return;
	}
	mcp_key key = sim_key(entry->key);
	size_t at = mcp_failover_marks_index(mcp_store_owner(client->store, &key));
	const sim_server *server = &world->servers[at];
	bool has_value = at == entry->server &&
		sim_open(&server->items[2 * entry->key], entry->key, &there) && there.envelope.has_value;
	if (has_value && there.envelope.hard_ms > sim_wall_ms(client) &&
		mcp_envelope_grace_ms(&there.envelope) > 0 &&
		!may_be_left_behind(client, entry, &there.envelope) &&
		holds(world, server, &key, there.envelope.tags)) {
		sim_world_fail(world, "T5", "client %u misses what is at server %zu with its tags",
			client->index, at);
	}
}
