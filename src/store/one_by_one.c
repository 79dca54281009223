/* One round trip for each key, each with its own answer. */
/* SPDX-License-Identifier: MIT */
#include "one_by_one.h"

void mcp_one_by_one_do(mcp_store *store, mcp_write_verb verb, mcp_write *write) {
	switch (verb) {
		case MCP_WRITE_SET:
			write->status = mcp_store_set(store, &write->key, &write->record);
			break;
		case MCP_WRITE_ADD:
			write->status = mcp_store_add(store, &write->key, &write->record);
			break;
		case MCP_WRITE_INCREMENT:
			write->status = mcp_store_increment(store, &write->key, write->by, &write->number);
			break;
		case MCP_WRITE_DECREMENT:
			write->status = mcp_store_decrement(store, &write->key, write->by, &write->number);
			break;
		case MCP_WRITE_DELETE_IF:
			write->status = mcp_store_delete_if(store, &write->key, write->cas);
			break;
	}
}

void mcp_one_by_one_write(mcp_store *store, mcp_write_verb verb, mcp_write *writes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		mcp_one_by_one_do(store, verb, &writes[i]);
	}
}

void mcp_one_by_one_delete(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	for (size_t i = 0; i < count; i++) {
		statuses[i] = mcp_store_delete(store, &keys[i]);
	}
}
