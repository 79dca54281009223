/* The envelope a cached value travels in: its own soft and hard expiry, the claim to rebuild it,
 * and what a rebuild must descend from. Byte by byte in docs/spec/storage.md; the format is fixed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ENVELOPE_H
#define MCP_CORE_ENVELOPE_H

#include "../bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* In an enveloped item's client flags bit 16 says that it is an envelope, and the bits above it are
 * the value's own flags (core/envelope/value_flags.h). The lower 16 bits are 0, a string for every other client:
 * php-memcached 3.2 can crash when it unserializes what is not serialized. Small numbers, because
 * every digit is parsed on every hit; what proves an envelope is in the envelope. */
#define MCP_FLAG_ENVELOPE 0x00010000u
#define MCP_FLAG_ENVELOPE_MASK 0x0001FFFFu
#define MCP_FLAG_VALUE_SHIFT 17
#define MCP_FLAG_VALUE_MASK 0x00007FFFu

static inline uint32_t mcp_envelope_item_flags(uint32_t value_flags) {
	return MCP_FLAG_ENVELOPE | (value_flags & MCP_FLAG_VALUE_MASK) << MCP_FLAG_VALUE_SHIFT;
}

static inline uint32_t mcp_envelope_value_flags(uint32_t item_flags) {
	return item_flags >> MCP_FLAG_VALUE_SHIFT;
}

/* The running number's side key is a string for every other client, too: its flags, which must equal
 * the envelope's counter epoch, have these bits only. */
#define MCP_COUNTER_EPOCH_MASK 0xFFFFFF00u

#define MCP_ENVELOPE_FRESH_LENGTH 48
/* Without tags; each of those adds MCP_TAG_LENGTH, the first one a byte more. */
#define MCP_ENVELOPE_UNTAGGED_MAX_LENGTH 94
#define MCP_ENVELOPE_SIGNATURE_LENGTH 16
/* 255 of a value, and the one of its namespace: their number is one byte. */
#define MCP_ENVELOPE_TAGS_MAX 256
#define MCP_TAG_LENGTH 16
#define MCP_ENVELOPE_MAX_LENGTH \
	(MCP_ENVELOPE_UNTAGGED_MAX_LENGTH + 1 + MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH)
/* All times are Unix milliseconds in 48 bits; this one is never reached. */
#define MCP_NEVER_MS 0xFFFFFFFFFFFFull
/* When another client's value was stored. */
#define MCP_CREATED_UNKNOWN 0

/* A number that a value was computed under: the one that this tag had then. */
typedef struct mcp_tag {
	uint64_t fingerprint; /* names it: mcp_signature_name of the pool's prefix and the tag's name */
	uint64_t number;
} mcp_tag;

/* Counts tags as they stand in an envelope, MCP_TAG_LENGTH bytes each. */
static inline size_t mcp_tags_count(mcp_bytes tags) {
	return tags.length / MCP_TAG_LENGTH;
}
/* Returns the longest header of a value with these tags. */
static inline size_t mcp_envelope_room(mcp_bytes tags) {
	return MCP_ENVELOPE_UNTAGGED_MAX_LENGTH + (tags.length > 0 ? 1 + tags.length : 0);
}
mcp_tag mcp_tags_at(mcp_bytes tags, size_t index);
/* Returns the place of the tag with this fingerprint; mcp_tags_count() if it is not among them. */
size_t mcp_tags_find(mcp_bytes tags, uint64_t fingerprint);
/* Writes MCP_TAG_LENGTH bytes, for which `to` has room. */
void mcp_tag_write(char *to, mcp_tag tag);

typedef struct mcp_envelope {
	uint64_t created_ms; /* when the value was stored; MCP_CREATED_UNKNOWN: not known */
	uint64_t soft_ms;    /* rebuild it from then on; MCP_NEVER_MS: never */
	uint64_t hard_ms;    /* serve it no more from then on; soft_ms <= hard_ms */
	uint64_t grace_ms; /* when there is no soft end: the hard end comes so long after one; else 0 */
	uint32_t compute_ms; /* how long the value took to compute; 0: not measured */
	uint64_t key_fingerprint;
	uint64_t epoch;           /* new with every set, add, delete and expire; see environment.h */
	uint32_t newest_election; /* the number of the newest claim ever taken under this epoch */
	uint32_t value_election;  /* the election the value came from; 0: it was set */
	bool has_value;           /* false: a placeholder */
	bool is_tombstone;        /* deleted, and kept for a while so that no copy brings it back */
	/* A placeholder in whose place a caller may have come too late to store, or a value that has filled such a place: it
	 * may be of before a change, and what is made of it without an election ends no later softly. */
	bool is_contested;
	/* The parts that most envelopes lack: 0 without them. */
	bool has_counter;   /* a running number may live in the side key; see counter_epoch */
	bool has_claim;     /* a caller was elected (election newest_election); see claim_... */
	bool has_failure;   /* rebuilds failed; see failures and pause_end_ms */
	bool has_signature; /* of a value, over key, flags and payload, by core/envelope/signature.h */
	/* Which of the reader's keys has signed a value with tags, and signs it when it is written again: it is the one that they
	 * are named by. Not written; 0 of what is new. */
	uint32_t signer;
	uint16_t failures; /* in a row; 0: none has failed, the last result could not be stored */
	/* Random, in MCP_COUNTER_EPOCH_MASK; the side key's client flags must equal it. */
	uint32_t counter_epoch;
	uint32_t claim_lease_ms; /* how long it may live: doubled by a takeover */
	uint64_t claim_token;    /* whose it is */
	uint64_t claim_end_ms;
	uint64_t pause_end_ms; /* no caller is elected before then */
	/* The value's tags, MCP_ENVELOPE_TAGS_MAX at most; a view into the item, or into what is to be written. */
	mcp_bytes tags;
	unsigned char signature[MCP_ENVELOPE_SIGNATURE_LENGTH]; /* undefined without one */
} mcp_envelope;

/* Finds the mark of a key whose last result could not be stored: nobody waits for another one (C6). */
static inline bool mcp_envelope_is_marked(const mcp_envelope *envelope) {
	return envelope->has_failure && envelope->failures == 0;
}

/* Returns the time from the value's soft end to its hard end. 0: strict; MCP_NEVER_MS: it has no hard end. */
static inline uint64_t mcp_envelope_grace_ms(const mcp_envelope *envelope) {
	if (envelope->soft_ms == MCP_NEVER_MS) {
		return envelope->grace_ms;
	}
	return envelope->hard_ms == MCP_NEVER_MS ? MCP_NEVER_MS : envelope->hard_ms - envelope->soft_ms;
}

/* Writes the header that goes before payload_length bytes of payload; returns its length,
 * MCP_ENVELOPE_FRESH_LENGTH to MCP_ENVELOPE_MAX_LENGTH. `out` has mcp_envelope_room() of the envelope's tags. The
 * payload's length is folded into the stored fingerprint, so that a truncated or appended-to value is unreadable. */
size_t mcp_envelope_encode(const mcp_envelope *envelope, size_t payload_length, char *out);

/* Changes the epoch in a header that mcp_envelope_encode has written. */
void mcp_envelope_set_epoch(char header[MCP_ENVELOPE_FRESH_LENGTH], uint64_t epoch);

/* False if the item is anything but an intact envelope of this version for the key with this fingerprint:
 * foreign, truncated, corrupt, newer, another key's. Then nothing in *envelope or *payload may be used. The
 * payload and the tags are views into `item`. */
bool mcp_envelope_decode(mcp_bytes item, uint32_t flags, uint64_t key_fingerprint,
	mcp_envelope *envelope, mcp_bytes *payload);

#endif
