/* Applies clear() and flush() to tag snapshots, claims and read stamps alike. */
/* SPDX-License-Identifier: MIT */
#include "cache_emptying.h"

#include "claims/cache_claims.h"
#include "guarded/cache_guarding.h"
#include "tags/tag_snapshots.h"

static void end_all(const mcp_emptied *emptied) {
	php_mcp_tag_snapshots_end_emptied(emptied);
	php_mcp_cache_claims_end_emptied(emptied);
	php_mcp_read_stamps_end_emptied(emptied);
}

void php_mcp_cache_emptying_end_cleared(mcp_cache_object *object) {
	end_all(&(mcp_emptied){
		.pool = object->pool,
		.key_namespace = php_mcp_cache_emptied_namespace(object),
	});
}

void php_mcp_cache_emptying_end_flushed(mcp_pool *pool) {
	end_all(&(mcp_emptied){.pool = pool, .is_everything = true});
}
