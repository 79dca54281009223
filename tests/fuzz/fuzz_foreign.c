/* Feeds the reader of other clients' items arbitrary bytes with arbitrary flags: what it calls a value lies in the item,
 * has flags that an envelope carries as they are, and is never what has an envelope's mark. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/envelope/envelope.h"
#include "../../src/core/envelope/foreign.h"
#include "../../src/core/envelope/value_flags.h"

static void require_sound(mcp_bytes item, uint32_t flags, const mcp_foreign_value *value) {
	uint32_t compression = value->flags & ~MCP_VALUE_TYPE_MASK;
	require((flags & MCP_FLAG_ENVELOPE_MASK) != MCP_FLAG_ENVELOPE);
	require(mcp_envelope_value_flags(mcp_envelope_item_flags(value->flags)) == value->flags);
	require((value->flags & MCP_VALUE_TYPE_MASK) <= MCP_VALUE_MSGPACK);
	require(compression == 0 || (compression & MCP_VALUE_COMPRESSED) != 0);
	bool is_within = value->payload.data >= item.data &&
		value->payload.data + value->payload.length <= item.data + item.length;
	bool is_constant = value->flags == MCP_VALUE_FLOAT;
	require(is_within || is_constant);
}

static void read_item(mcp_bytes item, uint32_t flags) {
	mcp_foreign_value value;
	if (mcp_foreign_read(item, flags, &value)) {
		require_sound(item, flags, &value);
	}
	require(mcp_foreign_epoch(item, flags, 7) == mcp_foreign_epoch(item, flags, 7));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 4) {
		return 0;
	}
	uint32_t flags = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
		(uint32_t)data[3] << 24;
	char *copy = malloc(size - 4 > 0 ? size - 4 : 1);
	require(copy != NULL);
	memcpy(copy, data + 4, size - 4);
	mcp_bytes item = mcp_bytes_of(copy, size - 4);
	read_item(item, flags);
	read_item(item, flags & 0xFFu); /* most of what means something */
	read_item(item, flags & 0x700u);
	free(copy);
	return 0;
}
