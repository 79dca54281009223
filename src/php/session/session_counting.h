/* Counts what becomes of sessions, for all processes that look at the metrics. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_COUNTING_H
#define MCP_PHP_SESSION_COUNTING_H

#include "../../core/metrics/metrics.h"
#include "../../patterns/session/session.h"
#include "../pool/pool.h"

/* Finds the record of the sessions that this Pool's prefix is of. NULL if nothing is counted. It stays where it is for as
 * long as the process lives. */
mcp_metrics_session *php_mcp_session_counting_find(const mcp_pool *pool);

/* In all of these the record may be NULL. */

/* Counts a start that came to this; `waited_ms`: from its first look on, 0 if it had not to wait. */
void php_mcp_session_counting_start(mcp_metrics_session *counted, const mcp_session_known *known,
	mcp_status status, uint64_t waited_ms);
/* Counts what a write, a renewal or a destroy came to. */
void php_mcp_session_counting_report(mcp_metrics_session *counted,
	const mcp_session_report *report);
/* Counts data that PHP could not encode. */
void php_mcp_session_counting_refusal(mcp_metrics_session *counted);

#endif
