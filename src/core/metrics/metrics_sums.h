/* All groups, locks and servers together, and the samples of them in the history. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_SUMS_H
#define MCP_CORE_METRICS_SUMS_H

#include "metrics.h"

/* A sample's places: the groups' counts, in their order, then these. */
typedef enum mcp_sum {
	MCP_SUM_OF_GROUPS = 0,
	MCP_SUM_COMPUTATIONS = MCP_SUM_OF_GROUPS + MCP_GROUP_COUNTS,
	MCP_SUM_OF_LOCKS,
	MCP_SUM_CALLS = MCP_SUM_OF_LOCKS + MCP_LOCK_COUNTS,
	MCP_SUM_TIMEOUTS,
	MCP_SUM_FAILURES,
	MCP_SUM_OPENINGS,
	MCP_SUM_WHEN_DOWN,
	MCP_SUMS,
} mcp_sum;

/* Notes where all counts stand, and which servers were used, if nobody has in this step. Before something is counted, so
 * that what a sample has came before it. */
void mcp_metrics_sample(mcp_metrics *metrics, uint64_t now_ms);

#endif
