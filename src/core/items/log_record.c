/* Writes and reads the records of an event log. Its decoder believes no length that it has not compared, and no
 * record whose check differs. */
/* SPDX-License-Identifier: MIT */
#include "log_record.h"

#include "../little_endian.h"
#include "../vendor/xxh64.h"

enum {
	AT_TIME = 4,
	AT_FLAGS = 10,
	AT_CHECK = 14,
};

#define FLAGS_MASK 0xFFFFu
#define FLAG_SIGNED 0x10000u

/* Makes the low half of XXH64 over what stands before the check and behind it, the signature apart. It is against damage:
 * whoever can put a record there can make its check, too. */
static uint32_t check_of(const unsigned char *record, mcp_bytes payload) {
	XXH64_state_t state;
	XXH64_reset(&state, 0);
	XXH64_update(&state, record, AT_CHECK);
	if (payload.length > 0) {
		XXH64_update(&state, payload.data, payload.length);
	}
	return (uint32_t)XXH64_digest(&state);
}

mcp_bytes mcp_log_record_write(const mcp_log_record *record, char *out) {
	unsigned char *to = (unsigned char *)out;
	mcp_store_u32(to, (uint32_t)record->payload.length);
	mcp_store_u48(to + AT_TIME, record->time_ms);
	mcp_store_u32(to + AT_FLAGS,
		(record->flags & FLAGS_MASK) | (record->is_signed ? FLAG_SIGNED : 0));
	mcp_store_u32(to + AT_CHECK, check_of(to, record->payload));
	if (record->payload.length > 0) {
		memcpy(to + MCP_LOG_RECORD_HEAD_LENGTH, record->payload.data, record->payload.length);
	}
	return mcp_bytes_of(out, MCP_LOG_RECORD_HEAD_LENGTH + record->payload.length);
}

mcp_log_reading mcp_log_record_read(mcp_bytes item, size_t *at, mcp_log_record *record) {
	if (*at >= item.length) {
		return MCP_LOG_END;
	}
	size_t left = item.length - *at;
	const unsigned char *from = (const unsigned char *)item.data + *at;
	if (left < MCP_LOG_RECORD_HEAD_LENGTH) {
		return MCP_LOG_DAMAGED;
	}
	size_t length = mcp_load_u32(from);
	uint32_t flags = mcp_load_u32(from + AT_FLAGS);
	bool is_signed = (flags & FLAG_SIGNED) != 0;
	size_t behind = MCP_LOG_RECORD_HEAD_LENGTH + (is_signed ? MCP_SIGNATURE_LENGTH : 0);
	if ((flags & ~(FLAGS_MASK | FLAG_SIGNED)) != 0 || left < behind || length > left - behind) {
		return MCP_LOG_DAMAGED;
	}
	const char *payload = (const char *)from + MCP_LOG_RECORD_HEAD_LENGTH;
	*record = (mcp_log_record){
		.time_ms = mcp_load_u48(from + AT_TIME),
		.flags = flags & FLAGS_MASK,
		.is_signed = is_signed,
		.payload = mcp_bytes_of(payload, length),
		.content = mcp_bytes_of((const char *)from, MCP_LOG_RECORD_HEAD_LENGTH + length),
		.signature = is_signed ? (const unsigned char *)payload + length : NULL,
	};
	if (check_of(from, record->payload) != mcp_load_u32(from + AT_CHECK)) {
		return MCP_LOG_DAMAGED;
	}
	*at += behind + length;
	return MCP_LOG_RECORD;
}
