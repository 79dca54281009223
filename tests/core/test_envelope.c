/* Holds the envelope to docs/spec/storage.md: its worked examples, its limits, and that what is written is read. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "samples.h"

static void assert_survives(const mcp_envelope *envelope, size_t payload_length) {
	samples_item item = samples_store(envelope, payload_length);
	mcp_envelope read;
	memset(&read, 0xAA, sizeof(read));
	mcp_bytes payload;
	assert_true(samples_decode(item.bytes, item.length, &read, &payload));
	assert_int_equal(0, samples_differences(envelope, &read));
	assert_true(mcp_bytes_equal(payload, mcp_bytes_of("hello", payload_length)));
}

static FILE *open_document(void) {
	const char *root = getenv("MCP_SOURCE_DIR");
	char path[4096];
	const char *slash = strrchr(__FILE__, '/');
	if (root != NULL) {
		snprintf(path, sizeof(path), "%s/docs/spec/storage.md", root);
	} else {
		int folder = slash == NULL ? 1 : (int)(slash - __FILE__);
		snprintf(path, sizeof(path), "%.*s/../../docs/spec/storage.md", folder,
			slash ? __FILE__ : ".");
	}
	FILE *document = fopen(path, "r");
	if (document == NULL) {
		fail_msg("cannot open %s; MCP_SOURCE_DIR names the source tree", path);
	}
	return document;
}

/* Reads the bytes of one fenced block, each line up to its '#'. */
static samples_item read_example(const char *name) {
	samples_item item = {.length = 0};
	char fence[64], line[256];
	snprintf(fence, sizeof(fence), "```hex %s\n", name);
	bool is_inside = false;
	FILE *document = open_document();
	while (fgets(line, sizeof(line), document) != NULL) {
		if (!is_inside || strcmp(line, "```\n") == 0) {
			is_inside = !is_inside && strcmp(line, fence) == 0;
			continue;
		}
		unsigned byte;
		int used;
		line[strcspn(line, "#")] = '\0';
		for (char *at = line; sscanf(at, "%2x%n", &byte, &used) == 1; at += used) {
			assert_true(item.length < sizeof(item.bytes));
			item.bytes[item.length++] = (char)byte;
		}
	}
	fclose(document);
	return item;
}

static void assert_documented(const mcp_envelope *envelope, const char *name) {
	samples_item item = samples_store(envelope, PAYLOAD_LENGTH);
	samples_item documented = read_example(name);
	assert_int_equal(documented.length, item.length);
	assert_memory_equal(documented.bytes, item.bytes, item.length);
	mcp_envelope read;
	mcp_bytes payload;
	assert_true(samples_decode(documented.bytes, documented.length, &read, &payload));
	assert_int_equal(0, samples_differences(envelope, &read));
	assert_true(mcp_bytes_equal(payload, mcp_bytes_of("hello", 5)));
}

TEST(the_documented_examples_are_what_is_written_and_read) {
	mcp_envelope fresh = samples_fresh(), full = samples_full();
	assert_documented(&fresh, "fresh");
	assert_documented(&full, "full");
	mcp_envelope tagged = samples_fresh();
	tagged.tags = mcp_bytes_of(samples_tagged().tags.data, MCP_TAG_LENGTH);
	assert_documented(&tagged, "tagged");
}

TEST(every_combination_of_parts_survives) {
	for (unsigned parts = 0; parts < 256; parts++) {
		mcp_envelope envelope = samples_tagged();
		envelope.tags.length = (parts & 33) == 33 ? envelope.tags.length : 0;
		envelope.has_signature = (parts & 17) == 17;
		memcpy(envelope.signature, "0123456789abcdef", sizeof(envelope.signature));
		envelope.has_value = parts & 1;
		envelope.has_claim = parts & 2;
		envelope.has_failure = parts & 4;
		envelope.has_counter = (parts & 9) == 9;
		envelope.is_tombstone = (parts & 9) == 8;
		envelope.is_contested = (parts & 128) != 0 && (parts & 9) != 8;
		if (!envelope.has_claim) {
			envelope.claim_token = envelope.claim_end_ms = envelope.claim_lease_ms = 0;
		}
		if (!envelope.has_failure) {
			envelope.pause_end_ms = envelope.failures = 0;
		}
		if (!envelope.has_counter) {
			envelope.counter_epoch = 0;
		}
		assert_survives(&envelope, 0);
		if (envelope.has_value) {
			assert_survives(&envelope, PAYLOAD_LENGTH);
		}
	}
}

TEST(the_smallest_and_the_largest_values_survive) {
	mcp_envelope smallest = {.key_fingerprint = FINGERPRINT, .has_value = true};
	assert_survives(&smallest, 0);
	assert_survives(&smallest, PAYLOAD_LENGTH);

	mcp_envelope largest = samples_full();
	largest.created_ms = largest.soft_ms = largest.hard_ms = MCP_NEVER_MS;
	largest.claim_end_ms = largest.pause_end_ms = MCP_NEVER_MS;
	largest.compute_ms = largest.newest_election = largest.value_election = UINT32_MAX;
	largest.counter_epoch = largest.claim_lease_ms = UINT32_MAX;
	largest.epoch = largest.claim_token = UINT64_MAX;
	largest.failures = UINT16_MAX;
	assert_survives(&largest, PAYLOAD_LENGTH);
}

TEST(a_time_beyond_never_is_stored_as_never) {
	mcp_envelope envelope = samples_full();
	envelope.created_ms = MCP_NEVER_MS + 1;
	envelope.soft_ms = UINT64_MAX;
	envelope.hard_ms = UINT64_MAX - 1;
	envelope.claim_end_ms = UINT64_MAX;
	envelope.pause_end_ms = 1ull << 48;
	samples_item item = samples_store(&envelope, PAYLOAD_LENGTH);
	mcp_envelope read;
	mcp_bytes payload;
	assert_true(samples_decode(item.bytes, item.length, &read, &payload));
	assert_true(read.created_ms == MCP_NEVER_MS && read.soft_ms == MCP_NEVER_MS);
	assert_true(read.hard_ms == MCP_NEVER_MS && read.claim_end_ms == MCP_NEVER_MS);
	assert_true(read.pause_end_ms == MCP_NEVER_MS);
}

/* From the ends where there are some; an endless value's stands where its hard end would. */
TEST(the_grace_is_told_whatever_the_ends_are) {
	const uint64_t graces_ms[] = {0, 600000, MCP_NEVER_MS};
	for (int i = 0; i < 3; i++) {
		mcp_envelope endless = samples_endless(), ending = samples_fresh();
		endless.grace_ms = graces_ms[i];
		assert_survives(&endless, PAYLOAD_LENGTH);
		assert_true(mcp_envelope_grace_ms(&endless) == graces_ms[i]);
		ending.hard_ms = i < 2 ? ending.soft_ms + graces_ms[i] : MCP_NEVER_MS;
		assert_survives(&ending, PAYLOAD_LENGTH);
		assert_true(mcp_envelope_grace_ms(&ending) == graces_ms[i]);
	}
}

/* As it is when a signed value is deleted from under its envelope. */
TEST(a_signature_ends_with_its_value) {
	mcp_envelope envelope = samples_placeholder();
	char signed_out[MCP_ENVELOPE_MAX_LENGTH], out[MCP_ENVELOPE_MAX_LENGTH];
	size_t length = mcp_envelope_encode(&envelope, 0, out);
	envelope.has_signature = true;
	assert_int_equal(length, mcp_envelope_encode(&envelope, 0, signed_out));
	assert_memory_equal(out, signed_out, length);
	samples_item item = samples_store(&envelope, 0);
	item.bytes[1] |= 0x20;
	mcp_envelope read;
	mcp_bytes payload;
	assert_false(samples_decode(item.bytes, item.length, &read, &payload));
}

TEST(tags_are_read_as_they_were_written) {
	mcp_envelope tagged = samples_tagged();
	assert_int_equal(2, mcp_tags_count(tagged.tags));
	assert_true(mcp_tags_at(tagged.tags, 0).fingerprint == 0xB1C0A545E894C180ull);
	assert_true(mcp_tags_at(tagged.tags, 0).number == 0x4123456789A00000ull);
	assert_true(mcp_tags_at(tagged.tags, 1).fingerprint == 0xC79E0C72D6FB270Cull);
	assert_true(mcp_tags_at(tagged.tags, 1).number == 0x5FEDCBA987600003ull);
}

TEST(tags_end_with_their_value) {
	mcp_envelope tagged = samples_tagged(), placeholder = samples_placeholder();
	placeholder.tags = tagged.tags;
	mcp_envelope untagged = samples_placeholder();
	samples_item item = samples_store(&placeholder, 0), other = samples_store(&untagged, 0);
	assert_int_equal(other.length, item.length);
	assert_memory_equal(other.bytes, item.bytes, item.length);
}

TEST(the_header_is_48_bytes_while_fresh_and_94_without_tags) {
	char out[MCP_ENVELOPE_MAX_LENGTH];
	mcp_envelope fresh = samples_fresh(), full = samples_full();
	assert_int_equal(MCP_ENVELOPE_FRESH_LENGTH, mcp_envelope_encode(&fresh, 0, out));
	assert_int_equal(78, mcp_envelope_encode(&full, 0, out));
	full.has_signature = true;
	assert_int_equal(94, mcp_envelope_encode(&full, 0, out));
	assert_int_equal(94, MCP_ENVELOPE_UNTAGGED_MAX_LENGTH);
}

TEST(as_many_tags_as_may_be_fit_the_largest_header) {
	static char tags[MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH];
	mcp_envelope full = samples_tagged();
	full.tags = mcp_bytes_of(tags, sizeof(tags));
	char out[MCP_ENVELOPE_MAX_LENGTH];
	assert_int_equal(4191, mcp_envelope_encode(&full, 0, out));
	assert_int_equal(4191, MCP_ENVELOPE_MAX_LENGTH);
	assert_int_equal(4191, mcp_envelope_size_max(full.tags));
	assert_int_equal(94, mcp_envelope_size_max(mcp_bytes_none()));
	assert_survives(&full, PAYLOAD_LENGTH);
}
