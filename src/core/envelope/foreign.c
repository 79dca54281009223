/* Interprets the flags of the other two PHP extensions: php-memcached's from php_memcached.c,
 * pecl-memcache's from memcache_pool.h. */
/* SPDX-License-Identifier: MIT */
#include "foreign.h"

#include "../bytes.h"
#include "envelope.h"
#include "value_flags.h"
#include "../vendor/xxh64.h"

/* --- pecl-memcache --- */

enum {
	PECL_SERIALIZED = 0x0001,
	PECL_COMPRESSED = 0x0002,
	PECL_BOOL = 0x0100,
	PECL_INT = 0x0300,
	PECL_FLOAT = 0x0700,
};

/* First byte of every zlib stream from compress() (deflate, 32 KiB window); no number or boolean begins with this
 * byte. */
static const char zlib_begins = 'x';

static const uint32_t bare_zlib = MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB | MCP_VALUE_BARE;

static bool begins_with(mcp_bytes item, char first) {
	return item.length > 0 && item.data[0] == first;
}

/* Convert PHP's names of special floats to those of php-memcached. */
static mcp_bytes pecl_float(mcp_bytes item) {
	if (mcp_bytes_are(item, "INF")) {
		return mcp_bytes_text("Infinity");
	}
	if (mcp_bytes_are(item, "-INF")) {
		return mcp_bytes_text("-Infinity");
	}
	return mcp_bytes_are(item, "NAN") ? mcp_bytes_text("NaN") : item;
}

/* --- both --- */

static mcp_foreign_value value_of(mcp_bytes payload, uint32_t flags) {
	return (mcp_foreign_value){.payload = payload, .flags = flags};
}

/* Decide from the first byte: php-memcached's flags of an integer, a float and a boolean equal combinations of
 * pecl-memcache's flags. */
static mcp_foreign_value read_ambiguous(mcp_bytes item, uint32_t flags) {
	switch (flags) {
		case PECL_SERIALIZED:
			/* serialize()'s output begins with a letter. */
			return begins_with(item, '-') || (item.length > 0 && mcp_is_digit(item.data[0]))
				? value_of(mcp_decimal_trim(item), MCP_VALUE_INT)
				: value_of(item, MCP_VALUE_SERIALIZED);
		case PECL_COMPRESSED:
			return begins_with(item, zlib_begins) ? value_of(item, MCP_VALUE_STRING | bare_zlib)
												  : value_of(item, MCP_VALUE_FLOAT);
		default:
			return begins_with(item, zlib_begins) ? value_of(item, MCP_VALUE_SERIALIZED | bare_zlib)
												  : value_of(item, MCP_VALUE_BOOL);
	}
}

/* --- php-memcached --- */

static bool is_compression(uint32_t bits) {
	return bits == (MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB) ||
		bits == (MCP_VALUE_COMPRESSED | MCP_VALUE_FASTLZ) ||
		bits == (MCP_VALUE_COMPRESSED | MCP_VALUE_ZSTD);
}

static bool is_packed(uint32_t flags) {
	uint32_t type = flags & MCP_VALUE_TYPE_MASK;
	uint32_t compression = flags & ~MCP_VALUE_TYPE_MASK;
	bool is_serialized = type >= MCP_VALUE_SERIALIZED && type <= MCP_VALUE_MSGPACK;
	return (is_serialized && compression == 0) ||
		((is_serialized || type == MCP_VALUE_STRING) && is_compression(compression));
}

bool mcp_foreign_read(mcp_bytes item, uint32_t item_flags, mcp_foreign_value *value) {
	uint32_t flags = item_flags & 0xFFFFu;
	if ((item_flags & MCP_FLAG_ENVELOPE_MASK) == MCP_FLAG_ENVELOPE) {
		return false;
	}
	switch (flags) {
		case MCP_VALUE_STRING:
			*value = value_of(item, MCP_VALUE_STRING);
			return true;
		case PECL_SERIALIZED:
		case PECL_COMPRESSED:
		case PECL_SERIALIZED | PECL_COMPRESSED:
			*value = read_ambiguous(item, flags);
			return true;
		case PECL_BOOL:
			*value = value_of(mcp_bytes_are(item, "0") ? mcp_bytes_of(item.data, 0) : item,
				MCP_VALUE_BOOL);
			return true;
		case PECL_INT:
			*value = value_of(mcp_decimal_trim(item), MCP_VALUE_INT);
			return true;
		case PECL_FLOAT:
			*value = value_of(pecl_float(item), MCP_VALUE_FLOAT);
			return true;
		default:
			*value = value_of(item, flags);
			return is_packed(flags);
	}
}

/* Crafted collisions gain nothing: items with the same CAS value come from the same write. */
uint64_t mcp_foreign_epoch(mcp_bytes item, uint32_t item_flags, uint64_t cas) {
	return XXH64(item.data, item.length, cas ^ (uint64_t)item_flags << 32);
}
