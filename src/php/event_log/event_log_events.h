/* Events that were read, from the store's bytes to the arrays that users get. Everything is read and copied before
 * the first event is decoded: decoding is user code, and would end the views of those not yet looked at. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_EVENT_LOG_EVENTS_H
#define MCP_PHP_EVENT_LOG_EVENTS_H

#include "event_log_object.h"

/* Lists the last `wanted` events, newest first. False with an exception, or without one if the log is quiet. */
bool php_mcp_event_log_events_last(mcp_event_log_call *call, size_t wanted, zval *list);

/* The events that came since, as a list, and where the reader is now. */
typedef struct mcp_event_log_news {
	zval list;
	mcp_log_cursor cursor;
	uint64_t lost;
} mcp_event_log_news;

typedef enum mcp_event_log_outcome {
	MCP_EVENT_LOG_READ,
	MCP_EVENT_LOG_FAILED, /* with an exception unless the log is quiet, and nothing else */
	MCP_EVENT_LOG_THREW, /* with the exception of the first event's own code: the cursor is behind it, and the list is
							 UNDEF */
} mcp_event_log_outcome;

/* Reads from `from` on; NULL: from the oldest. */
mcp_event_log_outcome php_mcp_event_log_events_since(mcp_event_log_call *call,
	const mcp_log_cursor *from, size_t limit, mcp_event_log_news *news);

#endif
