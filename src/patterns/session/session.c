/* The item of a session: its head, its key, and the destroyed session's tombstone. */
/* SPDX-License-Identifier: MIT */
#include "session.h"

/* A session's item is an envelope that never expires: only memcached's TTL ends it. Its epoch is the
 * session's birth. If the session started over a tombstone, the upper half is the lower half of the
 * tombstone's. */

/* Limits of a tombstone's lifetime: the expected maximum duration of a request that began before the session
 * was destroyed. */
#define TOMBSTONE_MIN_MS 60000
#define TOMBSTONE_MAX_MS 3600000

uint64_t mcp_session_item_draw(const mcp_session *session) {
	uint64_t drawn;
	do {
		drawn = mcp_random_u64(session->environment);
	} while (drawn == 0);
	return drawn;
}

uint64_t mcp_session_item_draw_birth(const mcp_session *session, const mcp_session_known *over) {
	uint64_t drawn = mcp_session_item_draw(session);
	return over->kind == MCP_SESSION_TOMBSTONE ? over->birth << 32 | (uint32_t)drawn : drawn;
}

bool mcp_session_item_ended_since(const mcp_session_known *known, const mcp_session_found *found) {
	bool has_read_end = known->kind == MCP_SESSION_TOMBSTONE;
	if (found->kind == MCP_SESSION_TOMBSTONE) {
		return !has_read_end || found->birth != known->birth;
	}
	bool is_over_same = has_read_end && (found->birth >> 32) == (uint32_t)known->birth;
	return found->head.is_over_tombstone && !is_over_same;
}

/* The payload is signed as stored. */
static mcp_signed_value signed_value(const mcp_session *session, mcp_bytes payload,
	uint32_t flags) {
	return (mcp_signed_value){
		.purpose = MCP_SIGNED_SESSION,
		.wire_key = session->key->wire,
		.flags = flags,
		.payload = payload,
	};
}

static bool is_believed(const mcp_session *session, const mcp_envelope *envelope, mcp_bytes payload,
	uint32_t flags) {
	if (session->signing_keys == NULL) {
		return true;
	}
	mcp_signed_value value = signed_value(session, payload, flags);
	return envelope->has_signature &&
		mcp_signature_verify(session->signing_keys, &value, envelope->signature);
}

static mcp_session_kind refuse(mcp_session_found *found, mcp_session_obstacle obstacle) {
	found->obstacle = obstacle;
	return MCP_SESSION_UNREADABLE;
}

/* MCP_SESSION_VALUE if *payload is unpacked. */
static mcp_session_kind unpack(const mcp_session *session, mcp_bytes *payload, uint32_t flags) {
	if (flags == 0) {
		return MCP_SESSION_VALUE;
	}
	mcp_session_packing *packing = session->packing;
	return packing != NULL ? packing->unpack(packing, *payload, flags, payload)
						   : MCP_SESSION_UNREADABLE;
}

static mcp_session_kind judge_value(const mcp_session *session, mcp_bytes payload, uint32_t flags,
	mcp_session_found *found) {
	mcp_session_kind unpacked = unpack(session, &payload, flags);
	if (unpacked != MCP_SESSION_VALUE) {
		return unpacked == MCP_SESSION_UNREADABLE ? refuse(found, MCP_SESSION_NOT_UNPACKED)
												  : unpacked;
	}
	switch (mcp_session_head_read(payload, &found->head, &found->data)) {
		case MCP_SESSION_READ:
			return found->head.format == session->format
				? MCP_SESSION_VALUE
				: refuse(found, MCP_SESSION_OF_OTHER_FORMAT);
		case MCP_SESSION_NEWER:
			return refuse(found, MCP_SESSION_OF_LATER_VERSION);
		default:
			return MCP_SESSION_STRANGE;
	}
}

static mcp_session_kind judge(const mcp_session *session, const mcp_item *item,
	mcp_session_found *found) {
	mcp_envelope envelope;
	mcp_bytes payload;
	if (!mcp_envelope_decode(item->value, item->flags, session->key->fingerprint, &envelope,
			&payload)) {
		return MCP_SESSION_STRANGE;
	}
	found->birth = envelope.epoch;
	if (!envelope.has_value) {
		return envelope.is_tombstone ? MCP_SESSION_TOMBSTONE : MCP_SESSION_PLACEHOLDER;
	}
	uint32_t flags = mcp_envelope_value_flags(item->flags);
	return is_believed(session, &envelope, payload, flags)
		? judge_value(session, payload, flags, found)
		: MCP_SESSION_STRANGE;
}

mcp_session_found mcp_session_item_judge(const mcp_session *session, const mcp_op *step) {
	mcp_session_found found = {.kind = MCP_SESSION_NOTHING};
	if (step->status == MCP_OK) {
		found.kind = judge(session, &step->item, &found);
	}
	return found;
}

static mcp_envelope new_envelope(const mcp_session *session, uint64_t birth) {
	return (mcp_envelope){
		.created_ms = mcp_wall_ms(session->environment),
		.soft_ms = MCP_NEVER_MS,
		.hard_ms = MCP_NEVER_MS,
		.key_fingerprint = session->key->fingerprint,
		.epoch = birth,
	};
}

/* A payload as it is stored. */
typedef struct packed {
	mcp_bytes bytes;
	uint32_t flags;
} packed;

static packed pack(const mcp_session *session, const mcp_buffer *plain) {
	packed as = {.bytes = mcp_bytes_of(plain->data, plain->length)};
	if (session->packing != NULL) {
		as.bytes = session->packing->pack(session->packing, as.bytes, &as.flags);
	}
	return as;
}

/* Without a wake-up: others wait for the lock, which is released after the session's write. */
static void compose(mcp_session_item *item, const mcp_envelope *envelope, packed payload,
	uint64_t ttl_ms) {
	size_t length = mcp_envelope_encode(envelope, payload.bytes.length, item->header);
	item->record = (mcp_record){
		.head = mcp_bytes_of(item->header, length),
		.body = payload.bytes,
		.flags = mcp_envelope_item_flags(payload.flags),
		.ttl_ms = ttl_ms,
		.is_claim = true,
	};
}

bool mcp_session_item_make_value(const mcp_session *session, mcp_session_item *item, uint64_t birth,
	const mcp_session_head *head, mcp_bytes data) {
	char bytes[MCP_SESSION_HEAD_MAX];
	size_t length = mcp_session_head_write(head, bytes);
	item->payload = (mcp_buffer){0};
	if (!mcp_buffer_append(&item->payload, mcp_bytes_of(bytes, length)) ||
		!mcp_buffer_append(&item->payload, data)) {
		mcp_buffer_free(&item->payload);
		return false;
	}
	packed payload = pack(session, &item->payload);
	mcp_envelope envelope = new_envelope(session, birth);
	envelope.has_value = true;
	if (session->signing_keys != NULL) {
		mcp_signed_value value = signed_value(session, payload.bytes, payload.flags);
		envelope.has_signature = true;
		mcp_signature_sign(session->signing_keys, &value, envelope.signature);
	}
	compose(item, &envelope, payload, session->ttl_ms);
	return true;
}

void mcp_session_item_make_placeholder(const mcp_session *session, mcp_session_item *item,
	uint64_t birth) {
	mcp_envelope envelope = new_envelope(session, birth);
	item->payload = (mcp_buffer){0};
	compose(item, &envelope, (packed){.flags = 0}, session->ttl_ms);
}

void mcp_session_item_make_tombstone(const mcp_session *session, mcp_session_item *item) {
	mcp_envelope envelope = new_envelope(session, mcp_session_item_draw(session));
	uint64_t ttl_ms = session->ttl_ms > TOMBSTONE_MIN_MS ? session->ttl_ms : TOMBSTONE_MIN_MS;
	envelope.is_tombstone = true;
	item->payload = (mcp_buffer){0};
	compose(item, &envelope, (packed){.flags = 0},
		ttl_ms < TOMBSTONE_MAX_MS ? ttl_ms : TOMBSTONE_MAX_MS);
}
