/* Executes requests on a store in memory, and keeps what the judges compare: the items. */
/* SPDX-License-Identifier: MIT */
#include "cache/server.h"

#include "store/memory/store_memory.h"

/* Reads the item again. Its store adds 1 to each TTL. */
static void look_at(sim_server *server, unsigned index, mcp_bytes name) {
	const mcp_memory_items *items = &mcp_store_memory_server(server->memory)->items;
	const mcp_memory_item *found = mcp_memory_items_find(items, name);
	sim_item *item = &server->items[index];
	item->is_present = found != NULL;
	item->length = found != NULL ? (uint16_t)found->value_length : 0;
	if (found != NULL) {
		item->flags = found->flags;
		item->cas = found->cas;
		item->expires_ms = found->end_s == INT64_MAX ? 0 : (uint64_t)found->end_s - 1;
		memcpy(item->bytes, mcp_memory_item_value(found).data, found->value_length);
	}
}

void sim_server_execute(sim_server *server, const sim_request *request, const sim_moment *moment,
	sim_answer *answer) {
	sim_item *item = &server->items[request->item];
	sim_told told = {.number = 0};
	if (request->verb == MCP_OP_GET) {
		answer->status = item->is_present ? MCP_OK : MCP_NOT_FOUND;
		answer->item = *item;
		return;
	}
	mcp_store_memory_server(server->memory)->last_cas = moment->cas_id - 1;
	uint64_t ttl_ms = request->ttl_ms == 0 ? 0 : (request->ttl_ms + moment->slack_ms) * 1000;
	answer->status = sim_request_execute(request, ttl_ms, server->memory, SIM_VALUE_MAX, &told);
	answer->number = told.number;
	answer->cas = told.proof.cas;
	look_at(server, request->item, sim_request_key(request).wire);
	if (answer->cas != 0) {
		item->stored_ms = moment->now_ms;
	}
}

void sim_server_lose(sim_server *server, unsigned item, const char *name) {
	mcp_bytes bytes = mcp_bytes_text(name);
	mcp_store_memory_evict(server->memory, &(mcp_key){.wire = bytes, .route = bytes});
	look_at(server, item, bytes);
}

void sim_server_restart(sim_server *server) {
	for (unsigned i = 0; i < SIM_ITEMS_MAX; i++) {
		server->items[i].is_present = false;
		server->items[i].length = 0;
	}
	mcp_store_memory_restart(server->memory);
	server->last_cas = 0;
	server->generation++;
}
