/* Holds the envelope to docs/envelope.md: its worked examples, its limits, and the promise that
 * nothing corrupt, truncated, foreign or newer is ever taken for an envelope. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/envelope.h"

#define FINGERPRINT 0x636FE0779A486D8Dull
#define FLAGS MCP_FLAG_ENVELOPE
#define PAYLOAD_LENGTH 5

typedef struct stored {
	char bytes[MCP_ENVELOPE_MAX_LENGTH + PAYLOAD_LENGTH];
	size_t length;
} stored;

static mcp_envelope fresh_sample(void) {
	return (mcp_envelope){
		.created_ms = 1700000000123,
		.soft_ms = 1700000060123,
		.hard_ms = 1700000120123,
		.compute_ms = 250,
		.key_fingerprint = FINGERPRINT,
		.epoch = 0x0123456789ABCDEFull,
		.newest_election = 7,
		.value_election = 7,
		.has_value = true,
	};
}

static mcp_envelope full_sample(void) {
	mcp_envelope envelope = fresh_sample();
	envelope.newest_election = 8;
	envelope.has_counter = true;
	envelope.counter_epoch = 0x89ABCDEF;
	envelope.has_claim = true;
	envelope.claim_token = 0xFEDCBA9876543210ull;
	envelope.claim_end_ms = 1700000070123;
	envelope.claim_lease_ms = 10000;
	envelope.has_failure = true;
	envelope.failures = 2;
	envelope.pause_end_ms = 1700000060323;
	return envelope;
}

static mcp_envelope endless_sample(void) {
	mcp_envelope envelope = fresh_sample();
	envelope.soft_ms = envelope.hard_ms = MCP_NEVER_MS;
	envelope.grace_ms = 600000;
	return envelope;
}

static mcp_envelope placeholder_sample(void) {
	mcp_envelope envelope = full_sample();
	envelope.has_value = false;
	envelope.has_counter = false;
	envelope.counter_epoch = 0;
	return envelope;
}

static stored store(const mcp_envelope *envelope, size_t payload_length) {
	stored item;
	assert_true(payload_length <= PAYLOAD_LENGTH);
	item.length = mcp_envelope_encode(envelope, payload_length, item.bytes);
	assert_true(item.length <= MCP_ENVELOPE_MAX_LENGTH);
	memcpy(item.bytes + item.length, "hello", payload_length);
	item.length += payload_length;
	return item;
}

/* From a heap block of exactly this length, so that a sanitizer sees every byte read beyond it. */
static bool decode(const char *bytes, size_t length, mcp_envelope *envelope, mcp_bytes *payload) {
	char *copy = malloc(length > 0 ? length : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, length);
	bool is_read =
		mcp_envelope_decode(mcp_bytes_of(copy, length), FLAGS, FINGERPRINT, envelope, payload);
	if (is_read) {
		assert_true(payload->data >= copy && payload->data + payload->length == copy + length);
		*payload = mcp_bytes_of(bytes + (payload->data - copy), payload->length);
	}
	free(copy);
	return is_read;
}

static bool is_read(const mcp_envelope *envelope, size_t payload_length) {
	stored item = store(envelope, payload_length);
	mcp_envelope read;
	mcp_bytes payload;
	return decode(item.bytes, item.length, &read, &payload);
}

/* How many fields of the layout differ; the state bits are one. */
static int differences(const mcp_envelope *a, const mcp_envelope *b) {
	bool is_state_other = a->has_value != b->has_value || a->has_claim != b->has_claim ||
		a->has_failure != b->has_failure || a->has_counter != b->has_counter ||
		a->is_tombstone != b->is_tombstone;
	return is_state_other + (a->created_ms != b->created_ms) + (a->soft_ms != b->soft_ms) +
		(a->hard_ms != b->hard_ms) + (a->grace_ms != b->grace_ms) +
		(a->compute_ms != b->compute_ms) + (a->key_fingerprint != b->key_fingerprint) +
		(a->epoch != b->epoch) + (a->newest_election != b->newest_election) +
		(a->value_election != b->value_election) + (a->counter_epoch != b->counter_epoch) +
		(a->claim_token != b->claim_token) + (a->claim_end_ms != b->claim_end_ms) +
		(a->claim_lease_ms != b->claim_lease_ms) + (a->failures != b->failures) +
		(a->pause_end_ms != b->pause_end_ms);
}

static void assert_survives(const mcp_envelope *envelope, size_t payload_length) {
	stored item = store(envelope, payload_length);
	mcp_envelope read;
	memset(&read, 0xAA, sizeof(read));
	mcp_bytes payload;
	assert_true(decode(item.bytes, item.length, &read, &payload));
	assert_int_equal(0, differences(envelope, &read));
	assert_true(mcp_bytes_equal(payload, mcp_bytes_of("hello", payload_length)));
}

static FILE *open_document(void) {
	const char *root = getenv("MCP_SOURCE_DIR");
	char path[4096];
	const char *slash = strrchr(__FILE__, '/');
	if (root != NULL) {
		snprintf(path, sizeof(path), "%s/docs/envelope.md", root);
	} else {
		int folder = slash == NULL ? 1 : (int)(slash - __FILE__);
		snprintf(path, sizeof(path), "%.*s/../../docs/envelope.md", folder, slash ? __FILE__ : ".");
	}
	FILE *document = fopen(path, "r");
	if (document == NULL) {
		fail_msg("cannot open %s; MCP_SOURCE_DIR names the source tree", path);
	}
	return document;
}

/* The bytes of one fenced block, each line up to its '#'. */
static stored read_example(const char *name) {
	stored item = {.length = 0};
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
	stored item = store(envelope, PAYLOAD_LENGTH);
	stored documented = read_example(name);
	assert_int_equal(documented.length, item.length);
	assert_memory_equal(documented.bytes, item.bytes, item.length);
	mcp_envelope read;
	mcp_bytes payload;
	assert_true(decode(documented.bytes, documented.length, &read, &payload));
	assert_int_equal(0, differences(envelope, &read));
	assert_true(mcp_bytes_equal(payload, mcp_bytes_of("hello", 5)));
}

static void the_documented_examples_are_what_is_written_and_read(void **state) {
	(void)state;
	mcp_envelope fresh = fresh_sample(), full = full_sample();
	assert_documented(&fresh, "fresh");
	assert_documented(&full, "full");
}

static void every_combination_of_parts_survives(void **state) {
	(void)state;
	for (unsigned parts = 0; parts < 16; parts++) {
		mcp_envelope envelope = full_sample();
		envelope.has_value = parts & 1;
		envelope.has_claim = parts & 2;
		envelope.has_failure = parts & 4;
		envelope.has_counter = (parts & 9) == 9;
		envelope.is_tombstone = (parts & 9) == 8;
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

static void the_smallest_and_the_largest_values_survive(void **state) {
	(void)state;
	mcp_envelope smallest = {.key_fingerprint = FINGERPRINT, .has_value = true};
	assert_survives(&smallest, 0);
	assert_survives(&smallest, PAYLOAD_LENGTH);

	mcp_envelope largest = full_sample();
	largest.created_ms = largest.soft_ms = largest.hard_ms = MCP_NEVER_MS;
	largest.claim_end_ms = largest.pause_end_ms = MCP_NEVER_MS;
	largest.compute_ms = largest.newest_election = largest.value_election = UINT32_MAX;
	largest.counter_epoch = largest.claim_lease_ms = UINT32_MAX;
	largest.epoch = largest.claim_token = UINT64_MAX;
	largest.failures = UINT16_MAX;
	assert_survives(&largest, PAYLOAD_LENGTH);
}

static void a_time_beyond_never_is_stored_as_never(void **state) {
	(void)state;
	mcp_envelope envelope = full_sample();
	envelope.created_ms = MCP_NEVER_MS + 1;
	envelope.soft_ms = UINT64_MAX;
	envelope.hard_ms = UINT64_MAX - 1;
	envelope.claim_end_ms = UINT64_MAX;
	envelope.pause_end_ms = 1ull << 48;
	stored item = store(&envelope, PAYLOAD_LENGTH);
	mcp_envelope read;
	mcp_bytes payload;
	assert_true(decode(item.bytes, item.length, &read, &payload));
	assert_true(read.created_ms == MCP_NEVER_MS && read.soft_ms == MCP_NEVER_MS);
	assert_true(read.hard_ms == MCP_NEVER_MS && read.claim_end_ms == MCP_NEVER_MS);
	assert_true(read.pause_end_ms == MCP_NEVER_MS);
}

/* From the ends where there are some; an endless value's stands where its hard end would. */
static void the_grace_is_told_whatever_the_ends_are(void **state) {
	(void)state;
	const uint64_t graces_ms[] = {0, 600000, MCP_NEVER_MS};
	for (int i = 0; i < 3; i++) {
		mcp_envelope endless = endless_sample(), ending = fresh_sample();
		endless.grace_ms = graces_ms[i];
		assert_survives(&endless, PAYLOAD_LENGTH);
		assert_true(mcp_envelope_grace_ms(&endless) == graces_ms[i]);
		ending.hard_ms = i < 2 ? ending.soft_ms + graces_ms[i] : MCP_NEVER_MS;
		assert_survives(&ending, PAYLOAD_LENGTH);
		assert_true(mcp_envelope_grace_ms(&ending) == graces_ms[i]);
	}
}

static void the_header_is_48_bytes_while_fresh_and_78_at_most(void **state) {
	(void)state;
	char out[MCP_ENVELOPE_MAX_LENGTH];
	mcp_envelope fresh = fresh_sample(), full = full_sample();
	assert_int_equal(MCP_ENVELOPE_FRESH_LENGTH, mcp_envelope_encode(&fresh, 0, out));
	assert_int_equal(78, mcp_envelope_encode(&full, 0, out));
}

/* Whatever one byte becomes: refused, or one field is another one. */
static void assert_corruption_is_contained(const mcp_envelope *envelope, size_t payload_length) {
	stored item = store(envelope, payload_length);
	for (size_t at = 0; at < MCP_ENVELOPE_FRESH_LENGTH; at++) {
		for (int change = 1; change < 256; change++) {
			stored corrupt = item;
			corrupt.bytes[at] = (char)(corrupt.bytes[at] ^ change);
			mcp_envelope read;
			mcp_bytes payload;
			if (decode(corrupt.bytes, corrupt.length, &read, &payload)) {
				assert_int_equal(1, differences(envelope, &read));
				assert_int_equal(payload_length, payload.length);
				assert_true(at > 1 || payload_length == 0);
				assert_true(at < 24 || at >= 32);
			}
		}
	}
}

static void a_corrupt_byte_is_refused_or_changes_its_own_field_alone(void **state) {
	(void)state;
	mcp_envelope fresh = fresh_sample(), full = full_sample(), placeholder = placeholder_sample();
	mcp_envelope endless = endless_sample();
	assert_corruption_is_contained(&fresh, PAYLOAD_LENGTH);
	assert_corruption_is_contained(&endless, 0);
	assert_corruption_is_contained(&fresh, 0);
	assert_corruption_is_contained(&full, PAYLOAD_LENGTH);
	assert_corruption_is_contained(&full, 0);
	assert_corruption_is_contained(&placeholder, 0);
}

static void every_truncation_is_refused(void **state) {
	(void)state;
	mcp_envelope samples[] = {fresh_sample(), full_sample(), placeholder_sample()};
	for (int i = 0; i < 3; i++) {
		stored item = store(&samples[i], samples[i].has_value ? PAYLOAD_LENGTH : 0);
		for (size_t length = 0; length < item.length; length++) {
			mcp_envelope read;
			mcp_bytes payload;
			assert_false(decode(item.bytes, length, &read, &payload));
		}
	}
}

/* Also by a header whose fingerprint was made for the "payload" of minus so many bytes. */
static void a_cut_off_part_is_refused_even_with_the_fingerprint_for_it(void **state) {
	(void)state;
	mcp_envelope full = full_sample(), read;
	mcp_bytes payload;
	for (size_t cut = 1; cut <= 30; cut++) {
		char header[MCP_ENVELOPE_MAX_LENGTH];
		size_t length = mcp_envelope_encode(&full, (size_t)0 - cut, header);
		assert_false(decode(header, length - cut, &read, &payload));
	}
}

static void appended_bytes_are_refused(void **state) {
	(void)state;
	mcp_envelope fresh = fresh_sample();
	stored item = store(&fresh, 2);
	for (size_t more = 1; more <= 3; more++) {
		mcp_envelope read;
		mcp_bytes payload;
		assert_false(decode(item.bytes, item.length + more, &read, &payload));
	}
}

static void another_keys_envelope_is_refused(void **state) {
	(void)state;
	mcp_envelope fresh = fresh_sample(), read;
	stored item = store(&fresh, PAYLOAD_LENGTH);
	mcp_bytes payload, bytes = mcp_bytes_of(item.bytes, item.length);
	assert_true(mcp_envelope_decode(bytes, FLAGS, FINGERPRINT, &read, &payload));
	for (int bit = 0; bit < 64; bit++) {
		assert_false(mcp_envelope_decode(bytes, FLAGS, FINGERPRINT ^ 1ull << bit, &read, &payload));
	}
}

static void only_the_mark_in_the_lower_bits_makes_an_envelope(void **state) {
	(void)state;
	mcp_envelope fresh = fresh_sample(), read;
	stored item = store(&fresh, PAYLOAD_LENGTH);
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

static void what_contradicts_itself_is_refused(void **state) {
	(void)state;
	mcp_envelope envelope = fresh_sample();
	envelope.hard_ms = envelope.soft_ms;
	assert_true(is_read(&envelope, PAYLOAD_LENGTH));
	envelope.hard_ms = envelope.soft_ms - 1;
	assert_false(is_read(&envelope, PAYLOAD_LENGTH));

	envelope = fresh_sample();
	envelope.value_election = envelope.newest_election + 1;
	assert_false(is_read(&envelope, PAYLOAD_LENGTH));

	envelope = fresh_sample();
	envelope.is_tombstone = true;
	assert_false(is_read(&envelope, PAYLOAD_LENGTH));
	envelope.has_value = false;
	assert_true(is_read(&envelope, 0));
}

static void a_placeholder_has_neither_payload_nor_counter(void **state) {
	(void)state;
	mcp_envelope placeholder = placeholder_sample();
	assert_true(is_read(&placeholder, 0));
	assert_false(is_read(&placeholder, PAYLOAD_LENGTH));
	placeholder.has_counter = true;
	assert_false(is_read(&placeholder, 0));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_documented_examples_are_what_is_written_and_read),
		cmocka_unit_test(every_combination_of_parts_survives),
		cmocka_unit_test(the_smallest_and_the_largest_values_survive),
		cmocka_unit_test(a_time_beyond_never_is_stored_as_never),
		cmocka_unit_test(the_grace_is_told_whatever_the_ends_are),
		cmocka_unit_test(the_header_is_48_bytes_while_fresh_and_78_at_most),
		cmocka_unit_test(a_corrupt_byte_is_refused_or_changes_its_own_field_alone),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(a_cut_off_part_is_refused_even_with_the_fingerprint_for_it),
		cmocka_unit_test(appended_bytes_are_refused),
		cmocka_unit_test(another_keys_envelope_is_refused),
		cmocka_unit_test(only_the_mark_in_the_lower_bits_makes_an_envelope),
		cmocka_unit_test(what_contradicts_itself_is_refused),
		cmocka_unit_test(a_placeholder_has_neither_payload_nor_counter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
