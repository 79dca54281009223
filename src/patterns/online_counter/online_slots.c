/* Names the items of an online counter, and adds to the numbers among them: each lives as long as its
 * slot is asked for. */
/* SPDX-License-Identifier: MIT */
#include "online_slots.h"

#include "../counter/counter.h"

enum {
	HASH_HEX_LENGTH = 32,
	MARK_NAME_LENGTH = 2 * HASH_HEX_LENGTH + 1,
};

/* Follows a counter's hash where another key has a visitor's, and is no hash. */
#define RETURNED "returned"

/* Makes the key behind the pool's prefix, which is what the counter's own key begins with. */
static mcp_key seen_key(const mcp_online *online, mcp_key_buffer *buffer, mcp_bytes name) {
	const mcp_key *key = online->key;
	mcp_key_parts parts = {
		.space = MCP_SPACE_SEEN,
		.prefix = mcp_bytes_of(key->wire.data, key->wire.length - key->route.length),
		.name = name,
	};
	return mcp_key_make(buffer, &parts);
}

/* Writes the hash of the counter's name and the ':' behind it. */
static char *begin_seen_name(const mcp_online *online, char *out) {
	mcp_key_hash_hex(out, MCP_SPACE_ONLINE, mcp_bytes_none(), online->name);
	out[HASH_HEX_LENGTH] = ':';
	return out + HASH_HEX_LENGTH + 1;
}

mcp_key mcp_online_slot_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot) {
	return mcp_key_append(buffer, online->key, slot);
}

mcp_key mcp_online_returned_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot) {
	char name[MARK_NAME_LENGTH];
	char *end = begin_seen_name(online, name);
	memcpy(end, RETURNED, sizeof(RETURNED) - 1);
	end += sizeof(RETURNED) - 1;
	mcp_key_buffer without_slot;
	mcp_key key = seen_key(online, &without_slot, mcp_bytes_of(name, (size_t)(end - name)));
	return mcp_key_append(buffer, &key, slot);
}

mcp_key mcp_online_mark_key(const mcp_online *online, mcp_key_buffer *buffer, mcp_bytes visitor) {
	char name[MARK_NAME_LENGTH];
	char *end = begin_seen_name(online, name);
	mcp_key_hash_hex(end, MCP_SPACE_SEEN, mcp_bytes_none(), visitor);
	return seen_key(online, buffer, mcp_bytes_of(name, sizeof(name)));
}

mcp_status mcp_online_bump(const mcp_online *online, const mcp_key *key, uint64_t slot,
	uint64_t by) {
	mcp_counter counter = {
		.store = online->store,
		.environment = online->environment,
		.key = key,
		.ttl_ms = mcp_window_slot_ttl_ms(&online->window, slot, mcp_wall_ms(online->environment)),
	};
	if (counter.ttl_ms == 0) {
		return MCP_NOT_FOUND;
	}
	int64_t number;
	return mcp_counter_start(&counter, 0, (int64_t)by, &number);
}
