/* What several looks at one key have found together: of each tag the first number, by which what is stored next is judged
 * (T7). The newest one would hide an invalidation between them. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags.h"

/* With bit 61, which is clear in every tag's number. */
#define NEVER_VALID ((uint64_t)3 << 61)

static bool names(mcp_bytes tags, uint64_t fingerprint) {
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		if (mcp_tags_at(tags, i).fingerprint == fingerprint) {
			return true;
		}
	}
	return false;
}

uint64_t mcp_cache_unnoted_number(mcp_bytes noted) {
	return noted.length == MCP_NOTED_TAGS_MAX * MCP_TAG_LENGTH ? NEVER_VALID : 0;
}

void mcp_cache_note_tags(mcp_noted_tags *noted, mcp_bytes later) {
	for (size_t i = 0; i < mcp_tags_count(later); i++) {
		mcp_tag tag = mcp_tags_at(later, i);
		if (names(mcp_noted_tags_view(noted), tag.fingerprint)) {
			continue;
		}
		if (noted->length == sizeof(noted->bytes)) {
			return;
		}
		tag.number = mcp_tag_is_known(tag.number) ? tag.number : NEVER_VALID;
		mcp_tag_write(noted->bytes + noted->length, tag);
		noted->length += MCP_TAG_LENGTH;
	}
}
