/* Names the items of an online counter, and adds to the numbers among them: each lives as long as its
 * slot is asked for. */
/* SPDX-License-Identifier: MIT */
#include "online_slots.h"

#include "../counter/counter.h"

enum {
	HASH_HEX_LENGTH = 32,
	MARK_NAME_LENGTH = 2 * HASH_HEX_LENGTH + 1,
};

mcp_key mcp_online_slot_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot) {
	return mcp_key_append(buffer, online->key, slot);
}

mcp_key mcp_online_mark_key(const mcp_online *online, mcp_key_buffer *buffer, mcp_bytes visitor) {
	const mcp_key *key = online->key;
	char name[MARK_NAME_LENGTH];
	mcp_key_hash_hex(name, MCP_SPACE_ONLINE, mcp_bytes_none(), online->name);
	name[HASH_HEX_LENGTH] = ':';
	mcp_key_hash_hex(name + HASH_HEX_LENGTH + 1, MCP_SPACE_SEEN, mcp_bytes_none(), visitor);
	/* Behind the pool's prefix, which is what the counter's own key begins with. */
	mcp_key_parts parts = {
		.space = MCP_SPACE_SEEN,
		.prefix = mcp_bytes_of(key->wire.data, key->wire.length - key->route.length),
		.name = mcp_bytes_of(name, sizeof(name)),
	};
	return mcp_key_make(buffer, &parts);
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
