/* The remember() options of clients that read values and would compute them. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_ASKING_H
#define PLAIN_ASKING_H

#include "patterns/cache/cache.h"

/* Serves stale values, and waits for other clients' new ones. */
static inline mcp_remember plain_asking(uint32_t ttl_ms, uint32_t wait_ms) {
	return (mcp_remember){
		.lifetime = {.ttl_ms = ttl_ms, .grace_ms = ttl_ms},
		.wait_ms = wait_ms,
		.serve_stale = true,
	};
}

#endif
