/* Inquiries about a server: its statistics, start and item limit. Constant values are requested once per connection. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_INQUIRY_H
#define MCP_STORE_INQUIRY_H

#include "exchange.h"

/* Reads the statistics of this kind into the peer's lines; NULL: the general ones. Statuses as store.h's stats. */
mcp_status mcp_inquiry_read_stats(mcp_exchange *exchange, const char *kind);
/* As store.h's started_us. */
mcp_status mcp_inquiry_started_us(mcp_exchange *exchange, uint64_t *started_us);

/* Smaller writes do not request the item limit: administrators rarely set it lower than this. */
#define MCP_INQUIRY_ITEM_MAX_MATTERS 8192

/* Requests the limit and returns it. */
size_t mcp_inquiry_ask_item_max(mcp_exchange *exchange);
/* As store.h's item_max. */
static inline size_t mcp_inquiry_item_max(mcp_exchange *exchange, size_t wanted) {
	if (exchange->peer.item_max != 0) {
		return exchange->peer.item_max;
	}
	return wanted > MCP_INQUIRY_ITEM_MAX_MATTERS ? mcp_inquiry_ask_item_max(exchange)
												 : MCP_STORE_ITEM_MAX;
}

#endif
