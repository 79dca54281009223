/* Whose a Pool's near values and discovered servers are: where they come from, how, and for whom. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_IDENTITY_H
#define MCP_PHP_POOL_IDENTITY_H

#include "../../core/envelope/signature.h"
#include "../../store/cluster/router.h"
#include "servers/server_access.h"
#include "servers/parsing/server.h"

/* The parts of a Pool that it is made of. Borrowed. */
typedef struct mcp_pool_origin {
	const mcp_server *servers;
	size_t server_count;
	mcp_distribution distribution;
	bool fails_over;
	mcp_bytes prefix;
	const mcp_signing_keys *signing_keys; /* NULL: none */
	const mcp_server_access *access;      /* NULL: none */
} mcp_pool_origin;

/* Where its values come from, and who reads them: two pools of one identity read the same values under the same keys (as
 * they are sent), and may. */
typedef struct mcp_pool_identity {
	uint64_t hash[2];  /* neither half is 0 */
	bool is_shareable; /* false: some of them live in this process alone */
} mcp_pool_identity;

/* Asks the system who calls; some 5,000 instructions. */
mcp_pool_identity php_mcp_pool_identity_ask(const mcp_pool_origin *origin);

#endif
