/* The envelope of a cached value: TTL and grace period, the rebuild claim, and the epoch that a rebuild is
 * based on. docs/spec/storage.md defines the bytes; the format is fixed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ENVELOPE_H
#define MCP_CORE_ENVELOPE_H

#include "../bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* Client flags of an enveloped item: bit 16 marks an envelope, the bits above are the value's own flags
 * (core/envelope/value_flags.h). The lower 16 bits are 0, so that other clients read the item as a string:
 * php-memcached 3.2 can crash when it unserializes an envelope. The flags are small because every hit parses their
 * digits. Flags alone do not identify an envelope: the decoder also checks the item's bytes. */
#define MCP_FLAG_ENVELOPE 0x00010000u
#define MCP_FLAG_ENVELOPE_MASK 0x0001FFFFu
#define MCP_FLAG_VALUE_SHIFT 17
#define MCP_FLAG_VALUE_MASK 0x00007FFFu

uint32_t mcp_envelope_item_flags(uint32_t value_flags);

static inline uint32_t mcp_envelope_value_flags(uint32_t item_flags) {
	return item_flags >> MCP_FLAG_VALUE_SHIFT;
}

/* The item of the side key, `<wire key>_increment`, contains the running number. Other clients also read this item as a
 * string: its flags have only these bits, and must equal the envelope's counter epoch. */
#define MCP_COUNTER_EPOCH_MASK 0xFFFFFF00u

#define MCP_ENVELOPE_FRESH_LENGTH 48
/* Maximum header length without tags. Each tag adds MCP_TAG_LENGTH, the first tag 1 byte more. */
#define MCP_ENVELOPE_UNTAGGED_MAX_LENGTH 94
#define MCP_ENVELOPE_SIGNATURE_LENGTH 16
/* 255 tags of a value, and the tag of its namespace. The count is one byte, in which 0 means 256. */
#define MCP_ENVELOPE_TAGS_MAX 256
#define MCP_TAG_LENGTH 16
#define MCP_ENVELOPE_MAX_LENGTH \
	(MCP_ENVELOPE_UNTAGGED_MAX_LENGTH + 1 + MCP_ENVELOPE_TAGS_MAX * MCP_TAG_LENGTH)
/* Times are Unix milliseconds in 48 bits; this time is never reached. */
#define MCP_NEVER_MS 0xFFFFFFFFFFFFull
/* Storage time of a value that another client stored. */
#define MCP_CREATED_UNKNOWN 0

/* A tag, with the version that it had when the value was computed. */
typedef struct mcp_tag {
	uint64_t fingerprint; /* mcp_signature_name of the pool's prefix and the tag's name */
	uint64_t number;
} mcp_tag;

/* `tags` is in the envelope's format: MCP_TAG_LENGTH bytes for each tag. */
static inline size_t mcp_tags_count(mcp_bytes tags) {
	return tags.length / MCP_TAG_LENGTH;
}
/* Maximum header length of a value with these tags. */
static inline size_t mcp_envelope_size_max(mcp_bytes tags) {
	return MCP_ENVELOPE_UNTAGGED_MAX_LENGTH + (tags.length > 0 ? 1 + tags.length : 0);
}
static inline mcp_tag mcp_tags_at(mcp_bytes tags, size_t index) {
	const unsigned char *from = (const unsigned char *)tags.data + index * MCP_TAG_LENGTH;
	return (mcp_tag){.fingerprint = mcp_load_u64(from), .number = mcp_load_u64(from + 8)};
}
/* Index of the tag with this fingerprint; mcp_tags_count() if it is missing. */
size_t mcp_tags_find(mcp_bytes tags, uint64_t fingerprint);
/* `to` must have MCP_TAG_LENGTH bytes. */
void mcp_tag_write(char *to, mcp_tag tag);

typedef struct mcp_envelope {
	uint64_t created_ms; /* storage time; MCP_CREATED_UNKNOWN: unknown */
	uint64_t soft_ms;    /* end of the TTL; MCP_NEVER_MS: never */
	uint64_t hard_ms;    /* end of the grace period; soft_ms <= hard_ms */
	uint64_t grace_ms;   /* grace period of a value that never expires; otherwise 0 */
	uint32_t compute_ms; /* compute time of the value; 0: unknown */
	uint64_t key_fingerprint;
	/* changes with every set, add, replace, update, delete and expire; see environment.h */
	uint64_t epoch;
	uint32_t newest_election; /* number of the newest claim under this epoch */
	uint32_t value_election;  /* election of the value; 0: set without an election */
	bool has_value;           /* false: a placeholder */
	bool is_tombstone;        /* deleted; kept for some time so that no copy restores the value */
	/* A placeholder over which a caller might have stored too late, or a value stored over such a placeholder. The
	 * value can be older than a change, so a value that is based on this value without an election must not expire
	 * later. */
	bool is_contested;
	/* Optional parts: 0 if missing. */
	bool has_counter; /* a running number can exist under the side key; see counter_epoch */
	bool has_claim;   /* a caller was elected (newest_election); see claim_... */
	bool has_failure; /* rebuilds failed; see failures and pause_end_ms */
	/* signature over a value's key, flags and payload; see core/envelope/signature.h */
	bool has_signature;
	/* Index of the reader's signing key that has signed a value with tags. This key determines the tags' names, so it
	 * must also sign the value when a caller rewrites it. Not stored; 0 for new values. */
	uint32_t signer;
	/* number of consecutive failures; 0: no failure, but the last result could not be stored */
	uint16_t failures;
	/* Random, in MCP_COUNTER_EPOCH_MASK; equals the client flags of the side key's item. */
	uint32_t counter_epoch;
	uint32_t claim_lease_ms; /* lease; doubled by a takeover */
	uint64_t claim_token;    /* identifies the claim's owner */
	uint64_t claim_end_ms;
	uint64_t pause_end_ms; /* end of the pause, before which no caller is elected */
	/* The value's tags, at most MCP_ENVELOPE_TAGS_MAX; a view into the item, or into the data to write. */
	mcp_bytes tags;
	unsigned char signature[MCP_ENVELOPE_SIGNATURE_LENGTH]; /* undefined without has_signature */
} mcp_envelope;

/* Whether the key is uncacheable: its last result could not be stored, so that callers do not wait for each
 * other (C6). */
static inline bool mcp_envelope_is_uncacheable(const mcp_envelope *envelope) {
	return envelope->has_failure && envelope->failures == 0;
}

/* The grace period. 0: none. MCP_NEVER_MS: unlimited. */
static inline uint64_t mcp_envelope_grace_ms(const mcp_envelope *envelope) {
	if (envelope->soft_ms == MCP_NEVER_MS) {
		return envelope->grace_ms;
	}
	return envelope->hard_ms == MCP_NEVER_MS ? MCP_NEVER_MS : envelope->hard_ms - envelope->soft_ms;
}

/* Write the header for a payload of payload_length bytes. Return the header's length, MCP_ENVELOPE_FRESH_LENGTH to
 * MCP_ENVELOPE_MAX_LENGTH. `out` must have mcp_envelope_size_max() bytes for the envelope's tags. The payload's length
 * is part of the stored fingerprint, so that a truncated or extended value is unreadable. */
size_t mcp_envelope_encode(const mcp_envelope *envelope, size_t payload_length, char *out);

/* Replace the epoch in a header from mcp_envelope_encode. */
void mcp_envelope_set_epoch(char header[MCP_ENVELOPE_FRESH_LENGTH], uint64_t epoch);

/* Decode an item. Return true if the item is an intact envelope of this version for the key with this fingerprint. If
 * false, *envelope and *payload are undefined. The payload and the tags are views into `item`. */
bool mcp_envelope_decode(mcp_bytes item, uint32_t flags, uint64_t key_fingerprint,
	mcp_envelope *envelope, mcp_bytes *payload);

/* Evaluates an envelope at a given time: whether to serve its value, whether to rebuild it, and whether this caller may
 * rebuild it. Pure functions: clock and randomness are arguments. */

/* The envelope of a claim is kept for this number of leases after the grace period, but the value is not served. A
 * rebuild that takes 3 leases can therefore still find its epoch if no other caller reads. */
#define MCP_LEASES_KEPT 4

typedef enum mcp_freshness {
	MCP_FRESH, /* before its TTL: serve it */
	MCP_STALE, /* after its TTL, within its grace period: serve it, while one caller rebuilds it */
	MCP_COLD,  /* a placeholder, a tombstone, or after the grace period: nothing to serve */
} mcp_freshness;

/* Whether an election is possible now. */
typedef enum mcp_opening {
	MCP_OPENING_FREE, /* no caller has a claim */
	/* the last claim has expired: an election is a takeover, and doubles the lease */
	MCP_OPENING_EXPIRED,
	MCP_OPENING_CLAIMED,     /* a caller is rebuilding, with a live claim */
	MCP_OPENING_PAUSED,      /* rebuilds failed, and the pause continues */
	MCP_OPENING_UNCACHEABLE, /* the last result could not be stored: each caller computes for itself */
} mcp_opening;

static inline bool mcp_end_is_reached(uint64_t end_ms, uint64_t now_ms) {
	return now_ms >= end_ms && end_ms != MCP_NEVER_MS;
}

static inline mcp_freshness mcp_freshness_at(const mcp_envelope *envelope, uint64_t now_ms) {
	if (!envelope->has_value || envelope->is_tombstone ||
		mcp_end_is_reached(envelope->hard_ms, now_ms)) {
		return MCP_COLD;
	}
	return mcp_end_is_reached(envelope->soft_ms, now_ms) ? MCP_STALE : MCP_FRESH;
}

/* Part of mcp_opening_at for an envelope with a claim or failure. */
mcp_opening mcp_opening_left(const mcp_envelope *envelope, uint64_t now_ms, uint32_t skew_ms);

/* Clocks are assumed to differ by at most skew_ms. A claim that ends later than its lease and the skew allow counts as
 * expired (C1, C2). A pause that ends later than its length and the skew allow counts as over (C6). The mark of an
 * uncacheable key lasts for the lease of its writer. This lease is assumed to be at most skew_ms. */
static inline mcp_opening mcp_opening_at(const mcp_envelope *envelope, uint64_t now_ms,
	uint32_t skew_ms) {
	bool is_untouched = !envelope->has_claim && !envelope->has_failure;
	return is_untouched ? MCP_OPENING_FREE : mcp_opening_left(envelope, now_ms, skew_ms);
}

static inline bool mcp_opening_is_open(mcp_opening opening) {
	return opening == MCP_OPENING_FREE || opening == MCP_OPENING_EXPIRED;
}

/* Whether to refresh a fresh value early, with XFetch (Vattani, Chierichetti, Lowenstein, "Optimal Probabilistic Cache
 * Stampede Prevention", VLDB 2015). True if now - delta * beta * ln(rand) >= expiry, with delta the measured compute
 * time. beta 0: never. */
bool mcp_freshness_is_early(const mcp_envelope *envelope, uint64_t now_ms, double beta,
	uint64_t random);

#endif
