/* Encodes and decodes the envelope as in docs/spec/storage.md. Items that fail any check are rejected: the
 * decoder never guesses. */
/* SPDX-License-Identifier: MIT */
#include "envelope.h"

#include "../backoff.h"
#include "../compiler.h"
#include "../bytes.h"

#include <math.h>
#include <string.h>

uint32_t mcp_envelope_item_flags(uint32_t value_flags) {
	return MCP_FLAG_ENVELOPE | (value_flags & MCP_FLAG_VALUE_MASK) << MCP_FLAG_VALUE_SHIFT;
}

enum {
	AT_VERSION = 0,
	AT_STATE = 1,
	AT_CREATED = 2,
	AT_SOFT = 8,
	AT_HARD = 14,
	AT_COMPUTE = 20,
	AT_FINGERPRINT = 24,
	AT_EPOCH = 32,
	AT_NEWEST_ELECTION = 40,
	AT_VALUE_ELECTION = 44,
};

enum {
	STATE_VALUE = 0x01,
	STATE_CLAIM = 0x02,
	STATE_FAILURE = 0x04,
	STATE_COUNTER = 0x08,
	STATE_TOMBSTONE = 0x10,
	STATE_SIGNATURE = 0x20,
	STATE_TAGS = 0x40,
	STATE_CONTESTED = 0x80,
	STATE_SHORT = STATE_VALUE | STATE_TOMBSTONE,
};

enum {
	COUNTER_LENGTH = 4,
	CLAIM_LENGTH = 18,
	FAILURE_LENGTH = 8,
	TAG_COUNT_LENGTH = 1,
};

/* High nibble: magic number. Low nibble: version. Before version 2, tags had other names. */
enum { UNTAGGED_VERSION = 0xE1, TAGGED_VERSION = 0xE2 };

static inline unsigned char *store_time(unsigned char *to, uint64_t time_ms) {
	uint64_t bounded_ms = time_ms > MCP_NEVER_MS ? MCP_NEVER_MS : time_ms;
	return mcp_store_u48(to, bounded_ms);
}

/* The factor is odd, so that no two payload lengths give the same fingerprint. */
static inline uint64_t stored_fingerprint(uint64_t key_fingerprint, size_t payload_length) {
	return key_fingerprint + (uint64_t)payload_length * MCP_GOLDEN_FACTOR;
}

/* Only values have signatures. */
static inline bool is_signed(const mcp_envelope *envelope) {
	return envelope->has_signature && envelope->has_value;
}

/* Only values have tags. */
static inline bool is_tagged(const mcp_envelope *envelope) {
	return envelope->tags.length > 0 && envelope->has_value;
}

static inline bool is_contested(const mcp_envelope *envelope) {
	return envelope->is_contested && !envelope->is_tombstone;
}

static unsigned char state_of(const mcp_envelope *envelope) {
	return (unsigned char)((envelope->has_value ? STATE_VALUE : 0) |
		(envelope->has_claim ? STATE_CLAIM : 0) | (envelope->has_failure ? STATE_FAILURE : 0) |
		(envelope->has_counter ? STATE_COUNTER : 0) |
		(envelope->is_tombstone ? STATE_TOMBSTONE : 0) |
		(is_signed(envelope) ? STATE_SIGNATURE : 0) | (is_tagged(envelope) ? STATE_TAGS : 0) |
		(is_contested(envelope) ? STATE_CONTESTED : 0));
}

/* The field of the grace period's end. A value that never expires has no such end: the field then contains the grace
 * period that a later TTL will have. */
static inline uint64_t third_time_ms(const mcp_envelope *envelope) {
	return envelope->soft_ms >= MCP_NEVER_MS ? envelope->grace_ms : envelope->hard_ms;
}

size_t mcp_tags_find(mcp_bytes tags, uint64_t fingerprint) {
	size_t i = 0;
	while (i < mcp_tags_count(tags) && mcp_tags_at(tags, i).fingerprint != fingerprint) {
		i++;
	}
	return i;
}

void mcp_tag_write(char *to, mcp_tag tag) {
	unsigned char *next = mcp_store_u64((unsigned char *)to, tag.fingerprint);
	mcp_store_u64(next, tag.number);
}

size_t mcp_envelope_encode(const mcp_envelope *envelope, size_t payload_length, char *out) {
	unsigned char *start = (unsigned char *)out;
	unsigned char *to = start;

	*to++ = is_tagged(envelope) ? TAGGED_VERSION : UNTAGGED_VERSION;
	*to++ = state_of(envelope);
	to = store_time(to, envelope->created_ms);
	to = store_time(to, envelope->soft_ms);
	to = store_time(to, third_time_ms(envelope));
	to = mcp_store_u32(to, envelope->compute_ms);
	to = mcp_store_u64(to, stored_fingerprint(envelope->key_fingerprint, payload_length));
	to = mcp_store_u64(to, envelope->epoch);
	to = mcp_store_u32(to, envelope->newest_election);
	to = mcp_store_u32(to, envelope->value_election);

	if (envelope->has_counter) {
		to = mcp_store_u32(to, envelope->counter_epoch);
	}
	if (envelope->has_claim) {
		to = mcp_store_u64(to, envelope->claim_token);
		to = store_time(to, envelope->claim_end_ms);
		to = mcp_store_u32(to, envelope->claim_lease_ms);
	}
	if (envelope->has_failure) {
		to = mcp_store_u16(to, envelope->failures);
		to = store_time(to, envelope->pause_end_ms);
	}
	if (is_tagged(envelope)) {
		*to++ = (unsigned char)mcp_tags_count(envelope->tags); /* 256 is written as 0 */
		memcpy(to, envelope->tags.data, envelope->tags.length);
		to += envelope->tags.length;
	}
	if (is_signed(envelope)) {
		memcpy(to, envelope->signature, MCP_ENVELOPE_SIGNATURE_LENGTH);
		to += MCP_ENVELOPE_SIGNATURE_LENGTH;
	}
	return (size_t)(to - start);
}

void mcp_envelope_set_epoch(char header[MCP_ENVELOPE_FRESH_LENGTH], uint64_t epoch) {
	mcp_store_u64((unsigned char *)header + AT_EPOCH, epoch);
}

/* Parse the first 48 bytes. After each time, enough bytes follow to read 8 bytes instead of the time's 6. */
MCP_INLINED void read_fixed(const unsigned char *from, mcp_envelope *envelope) {
	envelope->created_ms = mcp_load_u64(from + AT_CREATED) & MCP_NEVER_MS;
	envelope->soft_ms = mcp_load_u64(from + AT_SOFT) & MCP_NEVER_MS;
	uint64_t hard_or_grace_ms = mcp_load_u64(from + AT_HARD) & MCP_NEVER_MS;
	bool has_soft_end = envelope->soft_ms != MCP_NEVER_MS;
	envelope->hard_ms = has_soft_end ? hard_or_grace_ms : MCP_NEVER_MS;
	envelope->grace_ms = has_soft_end ? 0 : hard_or_grace_ms;
	envelope->compute_ms = mcp_load_u32(from + AT_COMPUTE);
	envelope->epoch = mcp_load_u64(from + AT_EPOCH);
	envelope->newest_election = mcp_load_u32(from + AT_NEWEST_ELECTION);
	envelope->value_election = mcp_load_u32(from + AT_VALUE_ELECTION);
}

MCP_INLINED void read_state(unsigned state, mcp_envelope *envelope) {
	envelope->has_value = (state & STATE_VALUE) != 0;
	envelope->is_tombstone = (state & STATE_TOMBSTONE) != 0;
	envelope->is_contested = (state & STATE_CONTESTED) != 0;
	envelope->has_counter = false;
	envelope->has_claim = false;
	envelope->has_failure = false;
	envelope->has_signature = false;
	envelope->signer = 0;
	envelope->failures = 0;
	envelope->counter_epoch = 0;
	envelope->claim_lease_ms = 0;
	envelope->claim_token = 0;
	envelope->claim_end_ms = 0;
	envelope->pause_end_ms = 0;
	envelope->tags = mcp_bytes_none();
}

static inline size_t stored_tag_count(unsigned char stored) {
	return stored != 0 ? stored : MCP_ENVELOPE_TAGS_MAX;
}

/* Parse the optional parts in `state`. The item contains all of them. */
static void read_optional(const unsigned char *from, unsigned state, mcp_envelope *envelope) {
	envelope->has_counter = (state & STATE_COUNTER) != 0;
	envelope->has_claim = (state & STATE_CLAIM) != 0;
	envelope->has_failure = (state & STATE_FAILURE) != 0;
	envelope->has_signature = (state & STATE_SIGNATURE) != 0;
	if (state & STATE_COUNTER) {
		envelope->counter_epoch = mcp_load_u32(from);
		from += COUNTER_LENGTH;
	}
	if (state & STATE_CLAIM) {
		envelope->claim_token = mcp_load_u64(from);
		envelope->claim_end_ms = mcp_load_u48(from + 8);
		envelope->claim_lease_ms = mcp_load_u32(from + 14);
		from += CLAIM_LENGTH;
	}
	if (state & STATE_FAILURE) {
		envelope->failures = mcp_load_u16(from);
		envelope->pause_end_ms = mcp_load_u48(from + 2);
		from += FAILURE_LENGTH;
	}
	if (state & STATE_TAGS) {
		size_t length = stored_tag_count(from[0]) * MCP_TAG_LENGTH;
		envelope->tags = mcp_bytes_of((const char *)from + TAG_COUNT_LENGTH, length);
		from += TAG_COUNT_LENGTH + length;
	}
	if (state & STATE_SIGNATURE) {
		memcpy(envelope->signature, from, MCP_ENVELOPE_SIGNATURE_LENGTH);
	}
}

/* Length of the header. Greater than the item's length if the item is too short for its parts, or for its number of
 * tags. */
static size_t header_length(mcp_bytes item, unsigned state) {
	size_t length = MCP_ENVELOPE_FRESH_LENGTH;
	length += state & STATE_COUNTER ? COUNTER_LENGTH : 0;
	length += state & STATE_CLAIM ? CLAIM_LENGTH : 0;
	length += state & STATE_FAILURE ? FAILURE_LENGTH : 0;
	if (state & STATE_TAGS) {
		if (item.length <= length) {
			return SIZE_MAX;
		}
		size_t count = stored_tag_count((unsigned char)item.data[length]);
		length += TAG_COUNT_LENGTH + count * MCP_TAG_LENGTH;
	}
	return length + (state & STATE_SIGNATURE ? MCP_ENVELOPE_SIGNATURE_LENGTH : 0);
}

/* Whether no writer makes this combination. To accept such a combination would give a meaning to a corrupt byte. */
static inline bool contradicts_itself(unsigned state, size_t payload_length) {
	if (state & STATE_VALUE) {
		return (state & STATE_TOMBSTONE) != 0;
	}
	bool is_of_two_kinds = (state & STATE_TOMBSTONE) && (state & STATE_CONTESTED);
	return is_of_two_kinds || payload_length != 0 ||
		(state & (STATE_COUNTER | STATE_SIGNATURE | STATE_TAGS)) != 0;
}

/* Make the checks that need the whole header, and parse the header's fixed part and state. */
MCP_INLINED bool read_header(const unsigned char *from, uint64_t key_fingerprint,
	size_t payload_length, mcp_envelope *envelope) {
	unsigned state = from[AT_STATE];
	if (mcp_load_u64(from + AT_FINGERPRINT) !=
			stored_fingerprint(key_fingerprint, payload_length) ||
		contradicts_itself(state, payload_length)) {
		return false;
	}
	read_fixed(from, envelope);
	read_state(state, envelope);
	envelope->key_fingerprint = key_fingerprint;
	return envelope->soft_ms <= envelope->hard_ms &&
		envelope->value_election <= envelope->newest_election;
}

/* For headers with optional parts. A separate function, so that a hit without these parts saves no registers for
 * them. */
static MCP_APART bool decode_long(mcp_bytes item, uint64_t key_fingerprint, mcp_envelope *envelope,
	mcp_bytes *payload) {
	const unsigned char *from = (const unsigned char *)item.data;
	unsigned state = from[AT_STATE];
	size_t header = header_length(item, state);
	bool is_of_version =
		from[AT_VERSION] == (state & STATE_TAGS ? TAGGED_VERSION : UNTAGGED_VERSION);
	if (!is_of_version || item.length < header ||
		!read_header(from, key_fingerprint, item.length - header, envelope)) {
		return false;
	}
	read_optional(from + MCP_ENVELOPE_FRESH_LENGTH, state, envelope);
	*payload = mcp_bytes_of(item.data + header, item.length - header);
	return true;
}

bool mcp_envelope_decode(mcp_bytes item, uint32_t flags, uint64_t key_fingerprint,
	mcp_envelope *envelope, mcp_bytes *payload) {
	const unsigned char *from = (const unsigned char *)item.data;
	if ((flags & MCP_FLAG_ENVELOPE_MASK) != MCP_FLAG_ENVELOPE ||
		item.length < MCP_ENVELOPE_FRESH_LENGTH) {
		return false;
	}
	if (from[AT_VERSION] != UNTAGGED_VERSION || (from[AT_STATE] & ~(unsigned)STATE_SHORT) != 0) {
		return decode_long(item, key_fingerprint, envelope, payload);
	}
	size_t payload_length = item.length - MCP_ENVELOPE_FRESH_LENGTH;
	*payload = mcp_bytes_of(item.data + MCP_ENVELOPE_FRESH_LENGTH, payload_length);
	return read_header(from, key_fingerprint, payload_length, envelope);
}

/* Judges an envelope by the clock: serve, rebuild, wait or do nothing. Changes nothing; the patterns act on
 * the result. */

/* Whether the end is in the future, and plausible. A claim or pause that ends later than its length and the clock skew
 * allow was written with a clock far ahead. To trust such an end would freeze the key for the difference of the clocks.
 * To ignore it costs one extra rebuild. */
static inline bool is_still_on(uint64_t end_ms, uint64_t now_ms, uint64_t longest_ms) {
	return now_ms < end_ms && end_ms - now_ms <= longest_ms;
}

static inline bool is_paused(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms) {
	if (!envelope->has_failure) {
		return false;
	}
	uint64_t own_ms = mcp_envelope_is_uncacheable(envelope)
		? skew_ms
		: mcp_backoff_failure_pause_max_ms(envelope->failures);
	return is_still_on(envelope->pause_end_ms, now_ms, own_ms + skew_ms);
}

/* Check for a live claim first, because its holder was elected after the pause. */
mcp_opening mcp_opening_left(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms) {
	uint64_t longest_ms = (uint64_t)envelope->claim_lease_ms + skew_ms;
	if (envelope->has_claim && is_still_on(envelope->claim_end_ms, now_ms, longest_ms)) {
		return MCP_OPENING_CLAIMED;
	}
	if (is_paused(envelope, now_ms, skew_ms)) {
		return mcp_envelope_is_uncacheable(envelope) ? MCP_OPENING_UNCACHEABLE : MCP_OPENING_PAUSED;
	}
	return envelope->has_claim ? MCP_OPENING_EXPIRED : MCP_OPENING_FREE;
}

bool mcp_freshness_is_early(const mcp_envelope *envelope, uint64_t now_ms, double beta,
	uint64_t random) {
	if (!(beta > 0) || envelope->compute_ms == 0 || envelope->soft_ms == MCP_NEVER_MS ||
		mcp_freshness_at(envelope, now_ms) != MCP_FRESH) {
		return false;
	}
	double left_ms = (double)(envelope->soft_ms - now_ms);
	/* In (0, 1], never 0, so that the logarithm is finite. A double has 53 bits. */
	double chance = (double)((random >> 11) + 1) * 0x1p-53;
	return left_ms <= -log(chance) * beta * envelope->compute_ms;
}
