/* The peer: what is known of the memcached at the other end beyond its items: when it started, how large an
 * item may be, whether it gives cas ids. Learnt from its statistics, for as long as a connection lasts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_PEER_H
#define MCP_STORE_PEER_H

#include "../buffer.h"

#include <stdint.h>

/* Zero-initialised: nothing is known. */
typedef struct mcp_peer {
	uint64_t started_us; /* 0: not asked on this connection */
	size_t item_max;     /* 0: not asked on this connection */
	/* A proxy that refuses "stats settings", or closes on it: not asked again. */
	bool has_no_settings;
	bool tells_no_start; /* likewise of "stats" */
	bool gives_no_cas;
	/* While it was asked for them: cas ids that were read before are another life's. */
	bool has_broken_off;
	uint64_t breaks;  /* the connections that were lost, or may have been */
	mcp_buffer lines; /* the last statistics */
} mcp_peer;

/* Forgets, as the connection is gone: there may be another process at the other end now. */
static inline void mcp_peer_forget(mcp_peer *peer) {
	peer->started_us = 0;
	peer->item_max = 0;
	peer->gives_no_cas = false;
	peer->breaks++;
}

static inline void mcp_peer_free(mcp_peer *peer) {
	mcp_buffer_free(&peer->lines);
}

#endif
