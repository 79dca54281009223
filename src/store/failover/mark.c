/* One item for each process and server, which every mark writes anew; no process reads another's. */
/* SPDX-License-Identifier: MIT */
#include "mark.h"

#include "../../core/hex.h"

/* It is read at once; then it is of no use. */
#define MARK_TTL_MS 60000

static mcp_key key_of(mcp_key_buffer *buffer, uint64_t process_number) {
	char name[MCP_HEX_U64_LENGTH];
	mcp_key_parts parts = {
		.space = MCP_SPACE_MARK,
		.name = mcp_bytes_of(name, mcp_hex_write_u64(process_number, name)),
	};
	return mcp_key_make(buffer, &parts);
}

mcp_status mcp_mark_take(mcp_mark *mark, mcp_store *server, uint64_t process_number) {
	mcp_key_buffer buffer;
	mcp_key key = key_of(&buffer, process_number);
	mcp_record record = {.ttl_ms = MARK_TTL_MS};
	mark->is_set = false;
	mcp_status status = mcp_store_set(server, &key, &record);
	if (status == MCP_OK) {
		status = mcp_store_cas_of(server, &key, &mark->cas);
	}
	if (status != MCP_OK) {
		return status;
	}
	mark->cas = mark->cas == 0 ? UINT64_MAX : mark->cas;
	mark->is_set = true;
	return MCP_OK;
}
