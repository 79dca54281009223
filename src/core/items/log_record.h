/* The events in a slot of an event log: records one behind the other, each with a check of its own, so that a
 * damaged one is never taken for an event. docs/spec/storage.md has the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ITEMS_LOG_RECORD_H
#define MCP_CORE_ITEMS_LOG_RECORD_H

#include "../bytes.h"
#include "../envelope/signature.h"

#include <stdint.h>

/* Length of the payload (4), time (6), flags (4), check (4). */
#define MCP_LOG_RECORD_HEAD_LENGTH 18

typedef struct mcp_log_record {
	uint64_t time_ms; /* Unix time, 48 bits */
	uint32_t flags;   /* the payload's own: 16 bits */
	bool is_signed;
	mcp_bytes payload;
	mcp_bytes content; /* of a record that was read: all of it but its signature */
	const unsigned char *signature;
} mcp_log_record;

static inline size_t mcp_log_record_length(size_t payload_length, bool is_signed) {
	return MCP_LOG_RECORD_HEAD_LENGTH + payload_length + (is_signed ? MCP_SIGNATURE_LENGTH : 0);
}

/* Writes head and payload to `out`, which has room for the record. Returns what is to be signed: all but the
 * signature, which belongs right behind it. */
mcp_bytes mcp_log_record_write(const mcp_log_record *record, char *out);

typedef enum mcp_log_reading {
	MCP_LOG_RECORD,  /* here is one, and *at is behind it */
	MCP_LOG_END,     /* there is no more */
	MCP_LOG_DAMAGED, /* what stands here is no record: what follows it cannot be found */
} mcp_log_reading;

/* Reads what stands at `*at` of a slot's item. The record has views into the item. */
mcp_log_reading mcp_log_record_read(mcp_bytes item, size_t *at, mcp_log_record *record);

/* Where a reader of an event log has come to, and the text that its caller keeps it in. */

/* The mark, two numbers of 16 hex digits and one of each slot, three of 20 digits, and what is between. */
#define MCP_LOG_CURSOR_MAX 128

/* How far a slot was read. */
typedef struct mcp_log_place {
	uint64_t id;     /* of the item that was there; 0: none was */
	uint64_t offset; /* bytes of it; 0 when none was */
} mcp_log_place;

/* Two slots in a row, because an event may come late into the one that has just ended. */
typedef struct mcp_log_cursor {
	uint64_t log;  /* which log it belongs to: a number of the caller's */
	uint64_t slot; /* the newer of the two */
	mcp_log_place older, newer;
} mcp_log_cursor;

/* Returns the length. */
size_t mcp_log_cursor_write(const mcp_log_cursor *cursor, char out[MCP_LOG_CURSOR_MAX]);

/* False if the text is none that was written so. */
bool mcp_log_cursor_read(mcp_bytes text, mcp_log_cursor *cursor);

#endif
