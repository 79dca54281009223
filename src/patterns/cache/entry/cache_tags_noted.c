/* Notes what several looks at one key have found together: for each tag the number by which what is stored next is
 * judged (T7). It is the first one's, as the newest one's would hide an invalidation between them. Only a look that
 * gave its caller nothing begins anew, and only where all before it gave values: while no caller may be computing. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags.h"

/* With bit 61, which is clear in every tag's number. */
#define NEVER_VALID ((uint64_t)3 << 61)

uint64_t mcp_cache_unnoted_number(mcp_bytes noted) {
	return noted.length == MCP_READ_TAGS_MAX * MCP_TAG_LENGTH ? NEVER_VALID : 0;
}

mcp_look_gave mcp_cache_look_gave(const mcp_cache_entry *entry) {
	bool is_value = entry->has_value && entry->verdict != MCP_VERDICT_ELECTED;
	return is_value ? MCP_LOOK_GAVE_A_VALUE : MCP_LOOK_GAVE_NOTHING;
}

static void write_at(mcp_read_tags *noted, size_t place, mcp_tag tag) {
	mcp_tag_write(noted->bytes + place * MCP_TAG_LENGTH, tag);
}

static void add(mcp_read_tags *noted, mcp_tag tag) {
	if (noted->length == sizeof(noted->bytes)) {
		return;
	}
	tag.number = mcp_tag_is_known(tag.number) ? tag.number : NEVER_VALID;
	write_at(noted, mcp_tags_count(mcp_read_tags_view(noted)), tag);
	noted->length += MCP_TAG_LENGTH;
}

/* Says whether the caller computes from this look on. It may have begun before to compute what it holds another
 * claim for. */
static bool begins_anew(const mcp_read_tags *noted, mcp_tag tag, const mcp_read_tags *held) {
	if (noted->stand || !mcp_tag_is_known(tag.number)) {
		return false;
	}
	if (held == NULL) {
		return true;
	}
	mcp_bytes claimed = mcp_read_tags_view(held);
	size_t place = mcp_tags_find(claimed, tag.fingerprint);
	return place < mcp_tags_count(claimed) && mcp_tags_at(claimed, place).number == tag.number;
}

void mcp_cache_note_tags(mcp_read_tags *noted, mcp_bytes later, mcp_look_gave gave,
	const mcp_read_tags *held) {
	for (size_t i = 0; i < mcp_tags_count(later); i++) {
		mcp_bytes before = mcp_read_tags_view(noted);
		mcp_tag tag = mcp_tags_at(later, i);
		size_t place = mcp_tags_find(before, tag.fingerprint);
		if (place == mcp_tags_count(before)) {
			add(noted, tag);
		} else if (gave == MCP_LOOK_GAVE_NOTHING && begins_anew(noted, tag, held)) {
			write_at(noted, place, tag);
		}
	}
	noted->stand = noted->stand || gave != MCP_LOOK_GAVE_A_VALUE;
}

void mcp_cache_note_left(char *numbers, size_t length, mcp_tag left) {
	mcp_bytes noted = mcp_bytes_of(numbers, length);
	size_t place = mcp_tags_find(noted, left.fingerprint);
	if (place < mcp_tags_count(noted) && mcp_tag_is_known(left.number)) {
		mcp_tag_write(numbers + place * MCP_TAG_LENGTH, left);
	}
}
