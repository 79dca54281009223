/* The keys of tags' numbers, and the fingerprints that name tags. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_KEY_TAG_H
#define MCP_CORE_KEY_TAG_H

#include "key.h"

/* Begins every key of MCP_SPACE_TAG, behind the pool's prefix. */
#define MCP_KEY_TAG_HEAD "tag:"

/* Makes the key of a tag's number on the server that `route` is for: "tag:" and the fingerprint in hex. Buffer and
 * refusal as in mcp_key_side. */
mcp_key mcp_key_tag(mcp_key_buffer *buffer, mcp_bytes prefix, uint64_t fingerprint,
	mcp_bytes route);
/* Makes it for the server of a key that mcp_key_make made, behind its prefix. */
mcp_key mcp_key_tag_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t fingerprint);

/* Makes the number that names a tag in an envelope and on the wire, of `prefix`, the pool's, and its name. */
uint64_t mcp_key_tag_fingerprint(mcp_bytes prefix, mcp_bytes name);
/* Makes it for the tag that all values of a scope have: its name is a zero byte and the scope. */
uint64_t mcp_key_namespace_fingerprint(mcp_bytes prefix, mcp_bytes scope);

#endif
