/* Holds what several looks at a key have noted of its tags to T7: which of their numbers what is stored next is judged by. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "tags_world.h"

static void note(cache_world *w, const mcp_cache *through, mcp_read_tags *noted) {
	mcp_captured_tags captured;
	mcp_cache_read(through, &w->key, &w->entry);
	mcp_cache_capture_after_read(through, &w->key, &w->entry, &captured);
	mcp_cache_note_tags(noted, mcp_captured_tags_view(&captured), mcp_cache_read_gave(&w->entry),
		NULL);
}

static mcp_verdict set_as_noted(cache_world *w, const mcp_cache *through,
	const mcp_read_tags *noted) {
	mcp_captured_tags captured;
	mcp_bytes numbers = mcp_read_tags_view(noted);
	assert_int_equal(MCP_OK, mcp_cache_capture_of(through, &w->key, numbers, &captured));
	mcp_cache_value value = text_value("stored");
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_set(through, &w->key, &value));
	return tags_look(w, through);
}

/* T10.1, T10.3: number by number, and as of the call what no look has asked for. */
CACHE_TEST(of_several_looks_the_first_counts, w) {
	mcp_cache_tags both = tags_of("a", "b"), second = tags_of("b", NULL);
	mcp_cache tagged = tags_view(w, &both), through_b = tags_view(w, &second);
	tags_put(w, &tagged, "value");
	mcp_read_tags noted = {.length = 0};
	note(w, &through_b, &noted);
	tags_invalidate(w, "a", false);
	assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &tagged, &noted));
	tags_invalidate(w, "b", false);
	note(w, &tagged, &noted);
	assert_int_equal(2 * MCP_TAG_LENGTH, noted.length);
	assert_int_equal(MCP_VERDICT_STALE, set_as_noted(w, &tagged, &noted));
	noted.length = 0;
	assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &tagged, &noted));
}

static void note_number(mcp_read_tags *noted, uint64_t number, mcp_read_gave gave,
	const mcp_read_tags *held) {
	char one[MCP_TAG_LENGTH];
	mcp_tag_write(one, (mcp_tag){.fingerprint = 1, .number = number});
	mcp_cache_note_tags(noted, mcp_bytes_of(one, sizeof(one)), gave, held);
}

static uint64_t noted_number(const mcp_read_tags *noted) {
	return mcp_tags_at(mcp_read_tags_view(noted), 0).number;
}

/* T7: its caller begins to compute, and what it does then goes on whatever later looks give. */
CACHE_TEST(the_first_look_that_gives_nothing_begins_anew, w) {
	static const uint64_t base = (uint64_t)1 << 62;
	static const mcp_read_gave without[] = {MCP_READ_GAVE_NOTHING, MCP_READ_GAVE_UNKNOWN};
	for (unsigned i = 0; i < 2; i++) {
		mcp_read_tags noted;
		mcp_read_tags_clear(&noted);
		note_number(&noted, base + 1, MCP_READ_GAVE_A_VALUE, NULL);
		note_number(&noted, base + 2, MCP_READ_GAVE_A_VALUE, NULL);
		assert_true(noted_number(&noted) == base + 1);
		note_number(&noted, 0, MCP_READ_GAVE_A_VALUE, NULL);
		note_number(&noted, base + 3, without[i], NULL);
		assert_true(noted_number(&noted) == (i == 0 ? base + 3 : base + 1));
		note_number(&noted, base + 4, MCP_READ_GAVE_NOTHING, NULL);
		assert_true(noted_number(&noted) == (i == 0 ? base + 3 : base + 1));
	}
}

/* A result computed under the claim may be the one that is stored. */
CACHE_TEST(a_look_outdoes_no_claim_that_is_older, w) {
	static const uint64_t base = (uint64_t)1 << 62;
	mcp_read_tags noted, held;
	for (uint64_t claimed = 0; claimed < 3; claimed++) {
		mcp_read_tags_clear(&held);
		if (claimed > 0) {
			note_number(&held, base + claimed, MCP_READ_GAVE_NOTHING, NULL);
		}
		mcp_read_tags_clear(&noted);
		note_number(&noted, base, MCP_READ_GAVE_A_VALUE, NULL);
		note_number(&noted, base + 2, MCP_READ_GAVE_NOTHING, &held);
		assert_true(noted_number(&noted) == (claimed == 2 ? base + 2 : base));
	}
}

/* It gives nothing, and tells nothing of when that was so. */
CACHE_TEST(a_look_without_an_answer_outdoes_none, w) {
	static const uint64_t base = (uint64_t)1 << 62;
	mcp_read_tags noted;
	mcp_read_tags_clear(&noted);
	note_number(&noted, base, MCP_READ_GAVE_A_VALUE, NULL);
	note_number(&noted, 0, MCP_READ_GAVE_NOTHING, NULL);
	note_number(&noted, base + 1, MCP_READ_GAVE_NOTHING, NULL);
	assert_true(noted_number(&noted) == base);
}

/* Nobody knows what was invalidated since. */
CACHE_TEST(what_follows_a_look_without_an_answer_is_no_value, w) {
	mcp_cache_tags tags = tags_of("a", NULL);
	mcp_cache tagged = tags_view(w, &tags);
	tags_put(w, &tagged, "value");
	mcp_read_tags noted = {.length = 0};
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	note(w, &tagged, &noted);
	assert_int_not_equal(MCP_OK, w->entry.trouble);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_MISS, set_as_noted(w, &tagged, &noted));
}

/* A look that is forgotten would hide what was invalidated since. */
CACHE_TEST(more_tags_than_are_noted_are_valid_by_no_value, w) {
	mcp_cache_tags first = tags_of("a", NULL), last = tags_of("b", NULL);
	mcp_cache through_a = tags_view(w, &first), through_b = tags_view(w, &last);
	mcp_read_tags noted = {.length = 0};
	note(w, &through_a, &noted);
	char one[MCP_TAG_LENGTH];
	for (uint64_t i = 1; i < MCP_READ_TAGS_MAX; i++) {
		assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &through_b, &noted));
		mcp_tag_write(one, (mcp_tag){.fingerprint = i, .number = (uint64_t)1 << 62});
		mcp_cache_note_tags(&noted, mcp_bytes_of(one, sizeof(one)), MCP_READ_GAVE_NOTHING, NULL);
		mcp_cache_note_tags(&noted, mcp_bytes_of(one, sizeof(one)), MCP_READ_GAVE_NOTHING, NULL);
	}
	assert_int_equal(MCP_READ_TAGS_MAX * MCP_TAG_LENGTH, noted.length);
	assert_int_equal(MCP_VERDICT_FRESH, set_as_noted(w, &through_a, &noted));
	note(w, &through_b, &noted);
	assert_int_equal(MCP_VERDICT_MISS, set_as_noted(w, &through_b, &noted));
	tags_invalidate(w, "a", false);
	assert_int_equal(MCP_VERDICT_STALE, set_as_noted(w, &through_a, &noted));
}
