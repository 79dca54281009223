/* A tag's name never stands in a key: its fingerprint does, so that any name fits, and every tag's key is of one length. */
/* SPDX-License-Identifier: MIT */
#include "key_tag.h"

#include "../hex.h"
#include "key_view.h"

enum { HEAD_LENGTH = sizeof(MCP_KEY_TAG_HEAD) - 1 };

mcp_key mcp_key_tag(mcp_key_buffer *buffer, mcp_bytes prefix, uint64_t fingerprint,
	mcp_bytes route) {
	if (prefix.length > MCP_PREFIX_MAX) {
		return mcp_key_view_none();
	}
	char *body = mcp_key_view_append(buffer->bytes, prefix.data, prefix.length);
	char *end = mcp_key_view_append(body, MCP_KEY_TAG_HEAD, HEAD_LENGTH);
	mcp_key tag =
		mcp_key_view_of(buffer, body, end + mcp_hex_write_u64(fingerprint, end), fingerprint);
	tag.route = route;
	return tag;
}

/* Adds only hex to the key's prefix, so the tag's key is as safe. */
mcp_key mcp_key_tag_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t fingerprint) {
	mcp_key tag = mcp_key_tag(buffer, mcp_key_prefix(key), fingerprint, key->route);
	tag.is_safe = key->is_safe && tag.wire.length > 0;
	return tag;
}
