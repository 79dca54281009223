/* Writes and reads "log1:<log>:<slot>:<id>:<offset>:<id>:<offset>": a text without anything that a URL, a header or
 * a shell would mind. Only what would be written is read. */
/* SPDX-License-Identifier: MIT */
#include "log_cursor.h"

#include "../decimal.h"
#include "../hex.h"

static const char mark[] = "log1";

enum { MARK_LENGTH = sizeof(mark) - 1 };

/* The part that is left to read. */
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

/* Takes the field between a colon and the next one, or the end. */
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

/* Writes the numbers again, which have one way only: no zeros before them, no spaces behind them. */
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
