/* The running number of a cached integer: reads its side key and shows it in the entry (I2). */
/* SPDX-License-Identifier: MIT */
#include "cache_side_number.h"

#include "../../../core/decimal.h"

/* There can be several marks: from several processes, or from one that froze twice. */
static mcp_bytes without_marks(mcp_bytes value) {
	while (value.length > 0 && value.data[0] == MCP_CACHE_FROZEN_MARK[0]) {
		value = mcp_bytes_of(value.data + 1, value.length - 1);
	}
	return value;
}

void mcp_cache_show_number(mcp_cache_entry *entry, const mcp_op *side) {
	if (!entry->has_value || !entry->envelope.has_counter) {
		return;
	}
	if (mcp_status_is_failure(side->status)) {
		/* The envelope's number may be older than this reader's own increments. */
		*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = side->status};
		return;
	}
	if (side->status != MCP_OK) {
		return;
	}
	entry->running = MCP_RUNNING_ANOTHER;
	entry->running_cas = side->item.cas;
	if (side->item.flags != entry->envelope.counter_epoch) {
		return;
	}
	mcp_bytes digits = without_marks(side->item.value);
	bool has_ended = digits.length < side->item.value.length;
	digits = mcp_decimal_trim(digits);
	uint64_t number;
	if (mcp_decimal_parse_u64(digits, &number) && number <= INT64_MAX) {
		entry->payload = digits;
		entry->running = has_ended ? MCP_RUNNING_FROZEN : MCP_RUNNING_ON;
	}
}
