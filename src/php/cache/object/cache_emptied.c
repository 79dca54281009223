/* Compares hashes: keys that share one with an emptied key are taken for emptied, too. They are of addresses and prefixes that
 * the application has chosen, and are compared within one process: there is nothing that a made one would be good for. */
/* SPDX-License-Identifier: MIT */
#include "cache_emptied.h"

#include "../../../core/vendor/xxh64.h"
#include "../../engine/fiber.h"

uint64_t php_mcp_cache_emptied_server(const char *address) {
	return XXH64(address, strlen(address), 0);
}

uint64_t php_mcp_cache_emptied_namespace(const mcp_cache_object *object) {
	mcp_bytes prefix = php_mcp_pool_prefix(object->pool);
	uint64_t hash = XXH64(prefix.data, prefix.length, prefix.length);
	return XXH64(ZSTR_VAL(object->scope), ZSTR_LEN(object->scope), hash);
}

mcp_kept_place php_mcp_cache_emptied_place(const mcp_cache_object *object, const mcp_key *key) {
	mcp_store *store = php_mcp_pool_store(object->pool);
	return (mcp_kept_place){
		.servers = php_mcp_pool_servers_hash(object->pool),
		.server = php_mcp_cache_emptied_server(mcp_store_owner(store, key)->address),
		.key_namespace = php_mcp_cache_emptied_namespace(object),
		.fiber = php_mcp_fiber_now(),
	};
}

static bool has_server(const mcp_pool *pool, uint64_t hash) {
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		if (php_mcp_cache_emptied_server(php_mcp_pool_server(pool, i)->address) == hash) {
			return true;
		}
	}
	return false;
}

bool php_mcp_cache_emptied_has(const mcp_emptied *emptied, const mcp_kept_place *place) {
	if (place->fiber != php_mcp_fiber_now()) {
		return false;
	}
	if (emptied->is_everything) {
		return has_server(emptied->pool, place->server);
	}
	return place->servers == php_mcp_pool_servers_hash(emptied->pool) &&
		place->key_namespace == emptied->key_namespace;
}
