/* Lends the process's buffer to one call at a time. */
/* SPDX-License-Identifier: MIT */
#include "many_room.h"

#include "../../../../php_mcpatterns.h"

void *php_mcp_batch_scratch_take(size_t count, size_t size) {
	mcp_batch_scratch *room = &MCP_G(many_room);
	bool is_kept = !MCP_REQUEST(many_room_is_taken) && count <= MCP_MANY_ROOM_MAX / size;
	if (UNEXPECTED(!is_kept || !mcp_buffer_use(&room->kept, count * size))) {
		return safe_emalloc(count, size, 0);
	}
	MCP_REQUEST(many_room_is_taken) = true;
	return room->kept.data;
}

void php_mcp_batch_scratch_give_back(void *memory) {
	mcp_batch_scratch *room = &MCP_G(many_room);
	if (EXPECTED(memory == room->kept.data)) {
		MCP_REQUEST(many_room_is_taken) = false;
	} else {
		efree(memory);
	}
}

void php_mcp_batch_scratch_free(mcp_batch_scratch *room) {
	mcp_buffer_free(&room->kept);
}
