/* A Pool behind its PHP object: options in, store out. What concerns sockets lives in the server set,
 * which pools share; what concerns this request's use of it, the prefix, lives here. */
/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include "server_sets.h"

/* emalloc'ed: a pool ends with its request, its connections do not. */
struct mcp_pool {
	uint32_t references;
	mcp_server_set *set;
	zend_string *prefix;
	mcp_format format;
};

mcp_pool *mcp_pool_create(const mcp_pool_options *options) {
	mcp_server_set_options set = {
		.servers = options->servers.servers,
		.count = options->servers.count,
		.distribution = options->distribution,
		.settings =
			{
				.connect_timeout_ms = options->connect_timeout_ms,
				.timeout_ms = options->timeout_ms,
				.retry_after_ms = options->retry_after_ms,
			},
	};
	mcp_pool *pool = emalloc(sizeof(*pool));
	pool->references = 1;
	pool->prefix = zend_string_copy(options->prefix);
	pool->format = options->format;
	pool->set = options->is_persistent ? mcp_server_sets_share(&set) : mcp_server_sets_own(&set);
	return pool;
}

mcp_pool *mcp_pool_addref(mcp_pool *pool) {
	pool->references++;
	return pool;
}

void mcp_pool_release(mcp_pool *pool) {
	if (--pool->references > 0) {
		return;
	}
	mcp_server_sets_free(pool->set);
	zend_string_release(pool->prefix);
	efree(pool);
}

mcp_store *mcp_pool_store(mcp_pool *pool) {
	return mcp_server_sets_store(pool->set);
}

mcp_bytes mcp_pool_prefix(const mcp_pool *pool) {
	return mcp_bytes_of(ZSTR_VAL(pool->prefix), ZSTR_LEN(pool->prefix));
}

const mcp_format *mcp_pool_format(const mcp_pool *pool) {
	return &pool->format;
}

size_t mcp_pool_server_count(const mcp_pool *pool) {
	return mcp_server_sets_count(pool->set);
}

const mcp_server *mcp_pool_server(const mcp_pool *pool, size_t index) {
	return mcp_server_sets_server(pool->set, index);
}

mcp_store *mcp_pool_server_store(mcp_pool *pool, size_t index) {
	return mcp_server_sets_server_store(pool->set, index);
}

void mcp_pool_close(mcp_pool *pool) {
	mcp_server_sets_close(pool->set);
}
