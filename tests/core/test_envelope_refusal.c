/* Holds the envelope to its promise that nothing corrupt, truncated, foreign or newer is ever taken for one. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "samples.h"

/* A state's bit that no part stands behind: no length tells that it was not meant. */
#define STATE_CONTESTED 0x80

/* Asserts for whatever one byte becomes: the item is refused, or one field is another one. */
static void assert_corruption_is_contained(const mcp_envelope *envelope, size_t payload_length) {
	samples_item item = samples_store(envelope, payload_length);
	for (size_t at = 0; at < MCP_ENVELOPE_FRESH_LENGTH; at++) {
		for (int change = 1; change < 256; change++) {
			samples_item corrupt = item;
			corrupt.bytes[at] = (char)(corrupt.bytes[at] ^ change);
			mcp_envelope read;
			mcp_bytes payload;
			if (samples_decode(corrupt.bytes, corrupt.length, &read, &payload)) {
				assert_int_equal(1, samples_differences(envelope, &read));
				assert_int_equal(payload_length, payload.length);
				assert_true(at > 1 || payload_length == 0 || change == STATE_CONTESTED);
				assert_true(at < 24 || at >= 32);
			}
		}
	}
}

TEST(a_corrupt_byte_is_refused_or_changes_its_own_field_alone) {
	mcp_envelope fresh = samples_fresh(), full = samples_full(),
				 placeholder = samples_placeholder();
	mcp_envelope endless = samples_endless(), tagged = samples_tagged();
	assert_corruption_is_contained(&fresh, PAYLOAD_LENGTH);
	assert_corruption_is_contained(&endless, 0);
	assert_corruption_is_contained(&fresh, 0);
	assert_corruption_is_contained(&full, PAYLOAD_LENGTH);
	assert_corruption_is_contained(&full, 0);
	assert_corruption_is_contained(&placeholder, 0);
	assert_corruption_is_contained(&tagged, PAYLOAD_LENGTH);
	assert_corruption_is_contained(&tagged, 0);
}

TEST(every_truncation_is_refused) {
	mcp_envelope samples[] = {samples_fresh(), samples_full(), samples_placeholder(),
		samples_tagged()};
	for (int i = 0; i < 4; i++) {
		samples_item item = samples_store(&samples[i], samples[i].has_value ? PAYLOAD_LENGTH : 0);
		for (size_t length = 0; length < item.length; length++) {
			mcp_envelope read;
			mcp_bytes payload;
			assert_false(samples_decode(item.bytes, length, &read, &payload));
		}
	}
}

/* Also by a header whose fingerprint was made for the "payload" of minus so many bytes. */
TEST(a_cut_off_part_is_refused_even_with_the_fingerprint_for_it) {
	mcp_envelope samples[] = {samples_full(), samples_tagged()}, read;
	mcp_bytes payload;
	for (int i = 0; i < 2; i++) {
		for (size_t cut = 1; cut <= 30; cut++) {
			char header[MCP_ENVELOPE_MAX_LENGTH];
			size_t length = mcp_envelope_encode(&samples[i], (size_t)0 - cut, header);
			assert_false(samples_decode(header, length - cut, &read, &payload));
		}
	}
}

TEST(appended_bytes_are_refused) {
	mcp_envelope fresh = samples_fresh();
	samples_item item = samples_store(&fresh, 2);
	for (size_t more = 1; more <= 3; more++) {
		mcp_envelope read;
		mcp_bytes payload;
		assert_false(samples_decode(item.bytes, item.length + more, &read, &payload));
	}
}

TEST(another_keys_envelope_is_refused) {
	mcp_envelope fresh = samples_fresh(), read;
	samples_item item = samples_store(&fresh, PAYLOAD_LENGTH);
	mcp_bytes payload, bytes = mcp_bytes_of(item.bytes, item.length);
	assert_true(mcp_envelope_decode(bytes, FLAGS, FINGERPRINT, &read, &payload));
	for (int bit = 0; bit < 64; bit++) {
		assert_false(mcp_envelope_decode(bytes, FLAGS, FINGERPRINT ^ 1ull << bit, &read, &payload));
	}
}

TEST(only_the_mark_in_the_lower_bits_makes_an_envelope) {
	mcp_envelope fresh = samples_fresh(), read;
	samples_item item = samples_store(&fresh, PAYLOAD_LENGTH);
	mcp_bytes payload, bytes = mcp_bytes_of(item.bytes, item.length);
	uint32_t flags = mcp_envelope_item_flags(MCP_FLAG_VALUE_MASK);
	assert_true(mcp_envelope_decode(bytes, flags, FINGERPRINT, &read, &payload));
	assert_int_equal(MCP_FLAG_VALUE_MASK, mcp_envelope_value_flags(flags));
	assert_int_equal(0, flags & 0xFFFF);
	assert_false(mcp_envelope_decode(bytes, 0, FINGERPRINT, &read, &payload));
	for (int bit = 0; bit <= 16; bit++) {
		assert_false(mcp_envelope_decode(bytes, FLAGS ^ 1u << bit, FINGERPRINT, &read, &payload));
	}
	assert_false(mcp_envelope_decode(mcp_bytes_none(), FLAGS, FINGERPRINT, &read, &payload));
}

TEST(what_contradicts_itself_is_refused) {
	mcp_envelope envelope = samples_fresh();
	envelope.hard_ms = envelope.soft_ms;
	assert_true(samples_are_read(&envelope, PAYLOAD_LENGTH));
	envelope.hard_ms = envelope.soft_ms - 1;
	assert_false(samples_are_read(&envelope, PAYLOAD_LENGTH));

	envelope = samples_fresh();
	envelope.value_election = envelope.newest_election + 1;
	assert_false(samples_are_read(&envelope, PAYLOAD_LENGTH));

	envelope = samples_fresh();
	envelope.is_tombstone = true;
	assert_false(samples_are_read(&envelope, PAYLOAD_LENGTH));
	envelope.has_value = false;
	assert_true(samples_are_read(&envelope, 0));
}

TEST(a_placeholder_has_neither_payload_nor_counter) {
	mcp_envelope placeholder = samples_placeholder();
	assert_true(samples_are_read(&placeholder, 0));
	assert_false(samples_are_read(&placeholder, PAYLOAD_LENGTH));
	placeholder.has_counter = true;
	assert_false(samples_are_read(&placeholder, 0));
}

/* Tags were named otherwise before: what invalidated them would not reach such a value. */
TEST(tags_of_the_version_before_are_refused) {
	mcp_envelope tagged = samples_tagged(), fresh = samples_fresh(), read;
	samples_item item = samples_store(&tagged, PAYLOAD_LENGTH);
	mcp_bytes payload;
	item.bytes[0] = (char)0xE1;
	assert_false(samples_decode(item.bytes, item.length, &read, &payload));
	item = samples_store(&fresh, PAYLOAD_LENGTH);
	item.bytes[0] = (char)0xE2;
	assert_false(samples_decode(item.bytes, item.length, &read, &payload));
}

/* At 78, behind counter, claim and failure; 0 is 256. The fingerprint is for all that follows. */
TEST(another_number_of_tags_than_there_are_is_refused) {
	mcp_envelope tagged = samples_tagged(), read;
	tagged.has_signature = false;
	mcp_bytes payload;
	for (int count = 0; count <= MCP_ENVELOPE_TAGS_MAX; count++) {
		char bytes[78 + 1 + MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH] = {0};
		size_t length = 79 + (size_t)count * MCP_TAG_LENGTH;
		mcp_envelope_encode(&tagged, 0, bytes);
		bytes[78] = (char)count;
		assert_int_equal(count > 0, samples_decode(bytes, length, &read, &payload));
		assert_true(count == 0 || mcp_tags_count(read.tags) == (size_t)count);
		bytes[78] = (char)(count + 1);
		assert_false(samples_decode(bytes, length, &read, &payload));
	}
}

TEST(a_tombstone_is_not_contested) {
	mcp_envelope envelopes[] = {samples_fresh(), samples_tagged(), samples_placeholder(),
		samples_placeholder()};
	envelopes[3].is_tombstone = true;
	for (int i = 0; i < 4; i++) {
		samples_item item = samples_store(&envelopes[i], 0);
		mcp_envelope read;
		mcp_bytes payload;
		item.bytes[1] = (char)(item.bytes[1] | 0x80);
		assert_int_equal(i != 3, samples_decode(item.bytes, item.length, &read, &payload));
		assert_true(i == 3 || read.is_contested);
	}
}

TEST(a_placeholder_with_tags_is_refused) {
	mcp_envelope tagged = samples_tagged(), read;
	tagged.has_counter = tagged.has_signature = false;
	samples_item item = samples_store(&tagged, 0);
	mcp_bytes payload;
	assert_true(samples_decode(item.bytes, item.length, &read, &payload));
	item.bytes[1] = (char)(item.bytes[1] & ~1);
	assert_false(samples_decode(item.bytes, item.length, &read, &payload));
}
