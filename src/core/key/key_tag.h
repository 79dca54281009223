/* The keys of tags' numbers. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_KEY_TAG_H
#define MCP_CORE_KEY_TAG_H

#include "key.h"

/* Begins every key of MCP_SPACE_TAG, behind the pool's prefix. */
#define MCP_KEY_TAG_HEAD "tag:"

/* Makes the key of a tag's number on the server that `route` is for: "tag:" and the fingerprint in hex, which names the tag
 * (mcp_signature_name). Buffer and refusal as in mcp_key_side. */
mcp_key mcp_key_tag(mcp_key_buffer *buffer, mcp_bytes prefix, uint64_t fingerprint,
	mcp_bytes route);
/* Makes it for the server of a key that mcp_key_make made, behind its prefix. */
mcp_key mcp_key_tag_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t fingerprint);

#endif
