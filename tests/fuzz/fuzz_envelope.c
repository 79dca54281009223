/* Feeds the envelope's reader arbitrary items, raw and with the fingerprint put right, so that the checks
 * behind the fingerprint are reached. An envelope that is read must be what would be written. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/envelope/envelope.h"

#define FINGERPRINT 0x636FE0779A486D8Dull

enum { AT_STATE = 1, AT_FINGERPRINT = 24 };

static void require_consistent(const mcp_envelope *envelope, mcp_bytes payload) {
	require(envelope->soft_ms <= envelope->hard_ms && envelope->hard_ms <= MCP_NEVER_MS);
	require(envelope->value_election <= envelope->newest_election);
	require(envelope->has_value || (payload.length == 0 && !envelope->has_counter));
	require(!envelope->has_value || !envelope->is_tombstone);
	require(envelope->has_value || envelope->tags.length == 0);
	require(mcp_tags_count(envelope->tags) <= MCP_ENVELOPE_TAGS_MAX);
	require(envelope->key_fingerprint == FINGERPRINT);
}

/* Reads from a heap block of exactly the item's length: a sanitizer sees every byte read beyond it. */
static bool read_item(const uint8_t *bytes, size_t size) {
	char *item = malloc(size > 0 ? size : 1);
	require(item != NULL);
	if (size > 0) {
		memcpy(item, bytes, size);
	}
	mcp_envelope envelope;
	mcp_bytes payload;
	bool is_read = mcp_envelope_decode(mcp_bytes_of(item, size), MCP_FLAG_ENVELOPE, FINGERPRINT,
		&envelope, &payload);
	if (is_read) {
		char header[MCP_ENVELOPE_MAX_LENGTH];
		size_t length = mcp_envelope_encode(&envelope, payload.length, header);
		require(payload.data == item + length && length + payload.length == size);
		require(memcmp(header, item, length) == 0);
		require_consistent(&envelope, payload);
	}
	free(item);
	return is_read;
}

/* Makes the tags' number one that may be, and that the item has room for. */
static size_t tags_length(uint8_t *item, size_t size, size_t at) {
	if (at >= size) {
		return 1;
	}
	size_t room = (size - at - 1) / MCP_TAG_LENGTH;
	size_t most = room < MCP_ENVELOPE_TAGS_MAX ? room : MCP_ENVELOPE_TAGS_MAX;
	size_t count = most > 0 ? 1 + item[at] % most : 1;
	item[at] = (uint8_t)count;
	return 1 + count * MCP_TAG_LENGTH;
}

/* Makes the bytes at 24 the fingerprint that the item's own length asks for. */
static void put_fingerprint_right(uint8_t *item, size_t size) {
	static const size_t part_lengths[] = {[1] = 18, [2] = 8, [3] = 4};
	size_t header = MCP_ENVELOPE_FRESH_LENGTH;
	for (int bit = 1; bit <= 3; bit++) {
		header += item[AT_STATE] & 1 << bit ? part_lengths[bit] : 0;
	}
	header += item[AT_STATE] & 0x40 ? tags_length(item, size, header) : 0;
	header += item[AT_STATE] & 0x20 ? MCP_ENVELOPE_SIGNATURE_LENGTH : 0;
	uint64_t fingerprint = FINGERPRINT + (uint64_t)(size - header) * 0x9E3779B97F4A7C15u;
	for (int i = 0; i < 8; i++) {
		item[AT_FINGERPRINT + i] = (uint8_t)(fingerprint >> (8 * i));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	read_item(data, size);
	if (size >= MCP_ENVELOPE_FRESH_LENGTH) {
		uint8_t *item = malloc(size);
		require(item != NULL);
		memcpy(item, data, size);
		item[AT_STATE] &= 0x7F;
		item[0] = item[AT_STATE] & 0x40 ? 0xE2 : 0xE1;
		put_fingerprint_right(item, size);
		read_item(item, size);
		free(item);
	}
	return 0;
}
