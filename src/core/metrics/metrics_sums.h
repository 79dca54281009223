/* All groups, locks, servers and sessions together, and the samples of them in the history. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_SUMS_H
#define MCP_CORE_METRICS_SUMS_H

#include "metrics.h"

/* Places in a sample, at which the sums of a kind begin, each at its count's. */
typedef enum mcp_sum {
	MCP_SUM_OF_CACHES = 0,
	MCP_SUM_OF_LOCKS = MCP_SUM_OF_CACHES + MCP_CACHE_COUNTS,
	MCP_SUM_OF_SERVERS = MCP_SUM_OF_LOCKS + MCP_LOCK_COUNTS,
	MCP_SUM_OF_SESSIONS = MCP_SUM_OF_SERVERS + MCP_SERVER_COUNTS,
} mcp_sum;

/* Notes where all counts stand, and which servers were used, if nobody has in this step. Before something is counted, so
 * that what a sample has came before it. */
void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms);

#endif
