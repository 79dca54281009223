/* Many writes as so many single ones: what a store's table takes where its transport knows no better. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ONE_BY_ONE_H
#define MCP_STORE_ONE_BY_ONE_H

#include "store.h"

/* Carries out one write by the single verb, and fills in its answer. */
void mcp_one_by_one_do(mcp_store *store, mcp_change_verb verb, mcp_write *write);

/* Writes all. Behind a write that was cut off those that compare cas ids are not sent any more, for the ids are of the
 * connection of before: they are MCP_EXISTS. */
void mcp_one_by_one_write(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count);
void mcp_one_by_one_delete(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses);

#endif
