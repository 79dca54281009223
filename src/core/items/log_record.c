/* Writes and reads the records of an event log. The decoder checks every length and every checksum. */
/* SPDX-License-Identifier: MIT */
#include "log_record.h"

#include "../bytes.h"
#include "../vendor/xxh64.h"

enum {
	AT_TIME = 4,
	AT_FLAGS = 10,
	AT_CHECK = 14,
};

#define FLAGS_MASK 0xFFFFu
#define FLAG_SIGNED 0x10000u

/* Shorter payloads are cheaper to copy than to hash in parts. */
#define COPIED_MAX 256

/* Low half of XXH64 over the record without checksum and signature. Detects damage, not forgery. The cast tells gcc 14
 * that the length cannot wrap. */
static uint32_t check_of(const unsigned char *record, mcp_bytes payload) {
	char whole[AT_CHECK + COPIED_MAX];
	if (payload.length > 0 && payload.length <= COPIED_MAX) {
		memcpy(whole, record, AT_CHECK);
		memcpy(whole + AT_CHECK, payload.data, payload.length);
		return (uint32_t)XXH64(whole, AT_CHECK + payload.length, 0);
	}
	XXH64_state_t state;
	XXH64_reset(&state, 0);
	XXH64_update(&state, record, AT_CHECK);
	if (payload.length > 0) {
		XXH64_update(&state, payload.data, (uint32_t)payload.length);
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

/* Writes and reads cursors "log1:<log>:<slot>:<id>:<offset>:<id>:<offset>", which are safe in URLs, headers and shells.
 * Only the exact notation is accepted. */

static const char mark[] = "log1";

enum { MARK_LENGTH = sizeof(mark) - 1 };

/* The unread part of a cursor. */
typedef struct reading {
	const char *at, *end;
} reading;

static char *write_hex(char *at, uint64_t number) {
	*at++ = ':';
	return at + mcp_hex_write_u64(number, at);
}

static char *write_decimal(char *at, uint64_t number) {
	*at++ = ':';
	return at + mcp_decimal_format_u64(number, at);
}

size_t mcp_log_cursor_write(const mcp_log_cursor *cursor, char out[MCP_LOG_CURSOR_MAX]) {
	memcpy(out, mark, MARK_LENGTH);
	char *at = write_hex(out + MARK_LENGTH, cursor->log);
	at = write_decimal(at, cursor->slot);
	at = write_hex(at, cursor->older.id);
	at = write_decimal(at, cursor->older.offset);
	at = write_hex(at, cursor->newer.id);
	at = write_decimal(at, cursor->newer.offset);
	return (size_t)(at - out);
}

/* Take the field between a colon and the next colon, or the end. */
static bool next_field(reading *left, mcp_bytes *field) {
	if (left->at == left->end || *left->at != ':') {
		return false;
	}
	const char *begin = left->at + 1;
	const char *colon = memchr(begin, ':', (size_t)(left->end - begin));
	left->at = colon != NULL ? colon : left->end;
	*field = mcp_bytes_of(begin, (size_t)(left->at - begin));
	return true;
}

static bool read_hex(reading *left, uint64_t *number) {
	mcp_bytes field;
	return next_field(left, &field) && field.length == MCP_HEX_U64_LENGTH &&
		mcp_hex_read_u64(field.data, number);
}

static bool read_decimal(reading *left, uint64_t *number) {
	mcp_bytes field;
	return next_field(left, &field) && mcp_decimal_parse_u64(field, number);
}

static bool read_place(reading *left, mcp_log_place *place) {
	return read_hex(left, &place->id) && read_decimal(left, &place->offset) &&
		(place->id == 0) == (place->offset == 0);
}

/* Only one notation is valid: no leading zeros, no trailing spaces. */
static bool is_written_so(const mcp_log_cursor *cursor, mcp_bytes text) {
	char again[MCP_LOG_CURSOR_MAX];
	return mcp_bytes_equal(mcp_bytes_of(again, mcp_log_cursor_write(cursor, again)), text);
}

bool mcp_log_cursor_read(mcp_bytes text, mcp_log_cursor *cursor) {
	if (text.length < MARK_LENGTH || memcmp(text.data, mark, MARK_LENGTH) != 0) {
		return false;
	}
	reading left = {text.data + MARK_LENGTH, text.data + text.length};
	return read_hex(&left, &cursor->log) && read_decimal(&left, &cursor->slot) &&
		read_place(&left, &cursor->older) && read_place(&left, &cursor->newer) &&
		is_written_so(cursor, text);
}
