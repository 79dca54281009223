/* Records in a slot of an event log, each with its own checksum, so that a damaged record never counts as an
 * event. docs/spec/storage.md defines the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ITEMS_LOG_RECORD_H
#define MCP_CORE_ITEMS_LOG_RECORD_H

#include "../bytes.h"
#include "../envelope/signature.h"

#include <stdint.h>

/* Length of the payload (4), time (6), flags (4), checksum (4). */
#define MCP_LOG_RECORD_HEAD_LENGTH 18

typedef struct mcp_log_record {
	uint64_t time_ms; /* Unix time, 48 bits */
	uint32_t flags;   /* flags of the payload, 16 bits */
	bool is_signed;
	mcp_bytes payload;
	mcp_bytes content; /* after a read: the record without its signature */
	const unsigned char *signature;
} mcp_log_record;

static inline size_t mcp_log_record_length(size_t payload_length, bool is_signed) {
	return MCP_LOG_RECORD_HEAD_LENGTH + payload_length + (is_signed ? MCP_SIGNATURE_LENGTH : 0);
}

/* Write head and payload to `out`, which must have space for the whole record. Returns the bytes to sign. The signature
 * must follow these bytes immediately. */
mcp_bytes mcp_log_record_write(const mcp_log_record *record, char *out);

typedef enum mcp_log_reading {
	MCP_LOG_RECORD,  /* a record; *at is after it */
	MCP_LOG_END,     /* no more records */
	MCP_LOG_DAMAGED, /* not a record: later records cannot be found */
} mcp_log_reading;

/* Read the record at `*at` of a slot's item. The record has views into the item. */
mcp_log_reading mcp_log_record_read(mcp_bytes item, size_t *at, mcp_log_record *record);

/* Position of a reader in an event log, and its text format. */

/* Maximum length of the text, rounded up: the format mark, 3 numbers of 16 hex digits, 3 numbers of up to 20 digits,
 * and 6 separators. */
#define MCP_LOG_CURSOR_MAX 128

/* Position up to which a slot was read. */
typedef struct mcp_log_place {
	uint64_t id;     /* id of the item that was read; 0: none */
	uint64_t offset; /* number of bytes read; 0 without an item */
} mcp_log_place;

/* Positions in two consecutive slots, because an event can arrive late in the slot that has just ended. */
typedef struct mcp_log_cursor {
	uint64_t log;  /* identifies the log: a number chosen by the caller */
	uint64_t slot; /* number of the newer slot */
	mcp_log_place older, newer;
} mcp_log_cursor;

/* Returns the length. */
size_t mcp_log_cursor_write(const mcp_log_cursor *cursor, char out[MCP_LOG_CURSOR_MAX]);

/* Returns false if the text is not exactly in this format. */
bool mcp_log_cursor_read(mcp_bytes text, mcp_log_cursor *cursor);

#endif
