/* A server's answers about itself: its statistics, when it started, how large an item may be. Questions whose
 * answer does not change while a connection lasts are asked once for each. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_INQUIRY_H
#define MCP_STORE_INQUIRY_H

#include "exchange.h"

/* Fills the peer's lines, with its statistics of this kind; NULL: the general ones. Statuses as store.h's stats. */
mcp_status mcp_inquiry_read_stats(mcp_exchange *exchange, const char *kind);
/* Answers as store.h's does. */
mcp_status mcp_inquiry_started_us(mcp_exchange *exchange, uint64_t *started_us);

/* Smaller writes do not ask how large an item may be: administrators seldom lower memcached's limit
 * below that. */
#define MCP_INQUIRY_ITEM_MAX_MATTERS 8192

/* Asks for it. */
size_t mcp_inquiry_ask_item_max(mcp_exchange *exchange);
/* Answers as store.h's does. */
static inline size_t mcp_inquiry_item_max(mcp_exchange *exchange, size_t wanted) {
	if (exchange->peer.item_max != 0) {
		return exchange->peer.item_max;
	}
	return wanted > MCP_INQUIRY_ITEM_MAX_MATTERS ? mcp_inquiry_ask_item_max(exchange)
												 : MCP_STORE_ITEM_MAX;
}

#endif
