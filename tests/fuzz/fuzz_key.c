/* Makes keys of arbitrary bytes and holds them to what every key must be: safe to send, with and
 * without the longest prefix, its derived keys too, and told apart from another key's. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/key/key.h"

static bool is_plain_space(mcp_key_space space) {
	return space == MCP_SPACE_CACHE || space == MCP_SPACE_COUNTER;
}

/* Requires that a key, mapped or not, begins with the head of its space. */
static void require_head(mcp_key_space space, mcp_bytes route) {
	static const char *const heads[] = {"", "", "lock:", "online:", "seen:", "tag:", "mark:",
		"log:", "set:", "row:", "rate:", "semaphore:", "unique:", "sess:"};
	const char *head = heads[space];
	require(route.length >= strlen(head) && memcmp(route.data, head, strlen(head)) == 0);
}

static void require_derived(const mcp_key *key, mcp_key_space space) {
	mcp_key_buffer buffer;
	mcp_key side = mcp_key_side(&buffer, key);
	require(mcp_key_is_safe(side.wire) && mcp_bytes_equal(side.route, key->route));
	require(side.fingerprint == key->fingerprint && side.is_safe == key->is_safe);
	if (space == MCP_SPACE_ONLINE || space >= MCP_SPACE_LOG) {
		require(mcp_key_is_safe(mcp_key_append(&buffer, key, UINT64_MAX).wire));
	}
}

/* Requires that cutting the string elsewhere into scope and name changes nothing. */
static void require_same(const mcp_key_parts *parts, const mcp_key *key) {
	char *whole = malloc(parts->scope.length + parts->name.length);
	require(whole != NULL);
	if (parts->scope.length > 0) {
		memcpy(whole, parts->scope.data, parts->scope.length);
	}
	memcpy(whole + parts->scope.length, parts->name.data, parts->name.length);
	mcp_key_parts joined = *parts;
	joined.scope = mcp_bytes_none();
	joined.name = mcp_bytes_of(whole, parts->scope.length + parts->name.length);
	mcp_key_buffer buffer;
	mcp_key other = mcp_key_make(&buffer, &joined);
	require(mcp_bytes_equal(other.wire, key->wire) && other.fingerprint == key->fingerprint);
	free(whole);
}

static void require_apart(const mcp_key_parts *parts, const mcp_key *key) {
	mcp_key_buffer buffer;
	for (int space = MCP_SPACE_CACHE; space < MCP_SPACES; space++) {
		mcp_key_parts elsewhere = *parts;
		elsewhere.space = (mcp_key_space)space;
		mcp_key other = mcp_key_make(&buffer, &elsewhere);
		bool may_be_equal = elsewhere.space == parts->space ||
			(is_plain_space(elsewhere.space) && is_plain_space(parts->space));
		require(may_be_equal || !mcp_bytes_equal(other.wire, key->wire));
	}
	/* The key sent, taken for a name, is itself or becomes another key. */
	mcp_key_parts again = *parts;
	again.scope = mcp_bytes_none();
	again.name = key->route;
	mcp_key fed_back = mcp_key_make(&buffer, &again);
	bool is_same_string = parts->scope.length + parts->name.length == key->route.length &&
		is_plain_space(parts->space) && mcp_bytes_equal(fed_back.wire, key->wire);
	require(is_same_string || !mcp_bytes_equal(fed_back.wire, key->wire));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 3) {
		return 0;
	}
	char prefix[MCP_PREFIX_MAX];
	memset(prefix, 'p', sizeof(prefix));
	const char *bytes = (const char *)data + 2;
	size_t length = size - 2, cut = data[1] % length;
	mcp_key_parts parts = {
		.space = (mcp_key_space)(data[0] % MCP_SPACES),
		.prefix = mcp_bytes_of(prefix, data[0] / MCP_SPACES % (MCP_PREFIX_MAX + 1)),
		.scope = mcp_bytes_of(bytes, cut),
		.name = mcp_bytes_of(bytes + cut, length - cut),
	};
	mcp_key_buffer buffer;
	mcp_key key = mcp_key_make(&buffer, &parts);
	require(mcp_key_is_safe(key.wire));
	require(key.route.length + parts.prefix.length == key.wire.length);
	require_head(parts.space, key.route);
	require_derived(&key, parts.space);
	require_same(&parts, &key);
	require_apart(&parts, &key);
	mcp_key_prefix_is_valid(mcp_bytes_of(bytes, length));
	return 0;
}
