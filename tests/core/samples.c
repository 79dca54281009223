/* Envelopes that have every part, or none, and what the tests of the envelope do with them. */
/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

mcp_envelope samples_fresh(void) {
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

mcp_envelope samples_full(void) {
	mcp_envelope envelope = samples_fresh();
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

/* Gives it the fingerprints of app:news and app:user:17. */
mcp_envelope samples_tagged(void) {
	static char tags[2 * MCP_TAG_LENGTH];
	mcp_tag_write(tags, (mcp_tag){0xB1C0A545E894C180ull, 0x4123456789A00000ull});
	mcp_tag_write(tags + MCP_TAG_LENGTH, (mcp_tag){0xC79E0C72D6FB270Cull, 0x5FEDCBA987600003ull});
	mcp_envelope envelope = samples_full();
	envelope.tags = mcp_bytes_of(tags, sizeof(tags));
	envelope.has_signature = true;
	memcpy(envelope.signature, "0123456789abcdef", sizeof(envelope.signature));
	return envelope;
}

mcp_envelope samples_endless(void) {
	mcp_envelope envelope = samples_fresh();
	envelope.soft_ms = envelope.hard_ms = MCP_NEVER_MS;
	envelope.grace_ms = 600000;
	return envelope;
}

mcp_envelope samples_placeholder(void) {
	mcp_envelope envelope = samples_full();
	envelope.has_value = false;
	envelope.has_counter = false;
	envelope.counter_epoch = 0;
	return envelope;
}

samples_item samples_store(const mcp_envelope *envelope, size_t payload_length) {
	samples_item item;
	assert_true(payload_length <= PAYLOAD_LENGTH);
	item.length = mcp_envelope_encode(envelope, payload_length, item.bytes);
	assert_true(item.length <= MCP_ENVELOPE_MAX_LENGTH);
	memcpy(item.bytes + item.length, "hello", payload_length);
	item.length += payload_length;
	return item;
}

bool samples_decode(const char *bytes, size_t length, mcp_envelope *envelope, mcp_bytes *payload) {
	char *copy = malloc(length > 0 ? length : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, length);
	bool is_read =
		mcp_envelope_decode(mcp_bytes_of(copy, length), FLAGS, FINGERPRINT, envelope, payload);
	if (is_read) {
		assert_true(payload->data >= copy && payload->data + payload->length == copy + length);
		*payload = mcp_bytes_of(bytes + (payload->data - copy), payload->length);
		if (envelope->tags.length > 0) {
			const char *tags = envelope->tags.data;
			assert_true(tags > copy && tags + envelope->tags.length <= copy + length);
			envelope->tags.data = bytes + (tags - copy);
		}
	}
	free(copy);
	return is_read;
}

bool samples_are_read(const mcp_envelope *envelope, size_t payload_length) {
	samples_item item = samples_store(envelope, payload_length);
	mcp_envelope read;
	mcp_bytes payload;
	return samples_decode(item.bytes, item.length, &read, &payload);
}

int samples_differences(const mcp_envelope *a, const mcp_envelope *b) {
	bool is_state_other = a->has_value != b->has_value || a->has_claim != b->has_claim ||
		a->has_failure != b->has_failure || a->has_counter != b->has_counter ||
		a->is_tombstone != b->is_tombstone || a->is_contested != b->is_contested ||
		a->has_signature != b->has_signature;
	bool is_signature_other = a->has_signature && b->has_signature &&
		memcmp(a->signature, b->signature, sizeof(a->signature)) != 0;
	bool are_tags_other = !mcp_bytes_equal(a->tags, b->tags);
	return is_state_other + is_signature_other + are_tags_other + (a->created_ms != b->created_ms) +
		(a->soft_ms != b->soft_ms) + (a->hard_ms != b->hard_ms) + (a->grace_ms != b->grace_ms) +
		(a->compute_ms != b->compute_ms) + (a->key_fingerprint != b->key_fingerprint) +
		(a->epoch != b->epoch) + (a->newest_election != b->newest_election) +
		(a->value_election != b->value_election) + (a->counter_epoch != b->counter_epoch) +
		(a->claim_token != b->claim_token) + (a->claim_end_ms != b->claim_end_ms) +
		(a->claim_lease_ms != b->claim_lease_ms) + (a->failures != b->failures) +
		(a->pause_end_ms != b->pause_end_ms);
}
