/* The bytes of its item identify a version. */
/* SPDX-License-Identifier: MIT */
#include "plain/versions.h"

#include "core/vendor/xxh64.h"

static unsigned add(plain_versions *versions, uint64_t hash, uint64_t now_ms) {
	if (versions->count < PLAIN_VERSIONS_MAX) {
		versions->of[versions->count].hash = hash;
		versions->of[versions->count++].from_ms = now_ms;
	}
	return versions->count - 1;
}

static uint64_t hash_of_item(plain_world *world, const mcp_key *key) {
	mcp_item item;
	bool is_there = plain_peek(world, key, &item) == MCP_OK;
	return is_there ? XXH64(item.value.data, item.value.length, 1) : 0;
}

unsigned plain_versions_note(plain_versions *versions, plain_world *world, const mcp_key *key) {
	return add(versions, hash_of_item(world, key), world->now_ms);
}

void plain_versions_note_loss(plain_versions *versions, plain_world *world, const mcp_key *key) {
	uint64_t hash = hash_of_item(world, key);
	if (versions->of[versions->count - 1].hash != hash) {
		add(versions, hash, world->now_ms);
	}
}

/* Hashes from the header on, which precedes the payload. */
uint64_t plain_versions_hash(const mcp_cache_entry *shown) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	size_t length = mcp_envelope_encode(&shown->envelope, shown->stored.length, header);
	return XXH64(shown->stored.data - length, length + shown->stored.length, 1);
}

static uint64_t end_of(const plain_versions *versions, unsigned index, uint64_t now_ms) {
	return index + 1 == versions->count ? now_ms : versions->of[index + 1].from_ms;
}

void plain_versions_check(const plain_versions *versions, plain_client *client, uint64_t shown,
	uint32_t near_ms, unsigned floor) {
	plain_world *world = client->world;
	unsigned i = versions->count;
	while (i > 0 && versions->of[i - 1].hash != shown) {
		i--;
	}
	if (i-- == 0) {
		plain_fail(world, "C9", "client %u is shown what was never there", client->index);
		return;
	}
	uint64_t end_ms = end_of(versions, i, world->now_ms);
	if (end_ms + near_ms <= world->now_ms) {
		plain_fail(world, "P1", "client %u is shown what ended %u ms ago", client->index,
			(unsigned)(world->now_ms - end_ms));
	} else if (i < floor) {
		plain_fail(world, "P2", "client %u is shown version %u, and its host has made %u",
			client->index, i, floor);
	}
}
