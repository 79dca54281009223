/* Batch writes as single writes, for transports that have no batches. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ONE_BY_ONE_H
#define MCP_STORE_ONE_BY_ONE_H

#include "store.h"

/* Executes one write by its verb and fills in the result. */
void mcp_one_by_one_do(mcp_store *store, mcp_change_verb verb, mcp_write *write);

/* Executes all writes. After a lost reply, writes that compare CAS values are MCP_EXISTS and are not sent: their CAS
 * values belong to the previous connection. */
void mcp_one_by_one_write(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count);
void mcp_one_by_one_delete(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses);

#endif
