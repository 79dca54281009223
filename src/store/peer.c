/* A proxy refuses "stats" or closes the connection on it, so a failure here says little about the server: it
 * is never the failure of what the caller really wanted. */
/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include "stat_lines.h"

static mcp_status read_once(mcp_peer *peer, const mcp_bounded_read *reading, const char *kind) {
	return mcp_bounded_read_stats(reading, kind, &peer->lines);
}

mcp_status mcp_peer_read_stats(mcp_peer *peer, const mcp_bounded_read *reading, const char *kind) {
	mcp_status status = read_once(peer, reading, kind);
	if (status != MCP_UNKNOWN) {
		return status;
	}
	mcp_peer_forget(peer);
	peer->has_broken_off = true;
	status = read_once(peer, reading, kind);
	if (status == MCP_UNKNOWN && mcp_wire_ping(reading->wire) == MCP_OK) {
		status = MCP_REFUSED;
	}
	return status;
}

mcp_status mcp_peer_learn_item_max(mcp_peer *peer, const mcp_bounded_read *reading) {
	mcp_status status = MCP_REFUSED;
	uint64_t number = 0;
	if (!peer->has_no_settings) {
		status = mcp_peer_read_stats(peer, reading, "settings");
	}
	peer->has_broken_off |= status != MCP_OK && !peer->has_no_settings;
	bool is_told = status == MCP_OK &&
		mcp_stat_lines_number(&peer->lines, "item_size_max", &number) &&
		number > MCP_STORE_ITEM_OVERHEAD && number <= SIZE_MAX;
	peer->has_no_settings = status == MCP_REFUSED || (status == MCP_OK && !is_told);
	peer->item_max = is_told ? (size_t)number - MCP_STORE_ITEM_OVERHEAD : MCP_STORE_ITEM_MAX;
	return status == MCP_UNREACHABLE ? status : MCP_OK;
}

void mcp_peer_free(mcp_peer *peer) {
	mcp_buffer_free(&peer->lines);
}
