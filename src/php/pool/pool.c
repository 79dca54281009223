/* A Pool behind its PHP object: options in, store out. The server set, which pools share, has what concerns
 * sockets; the prefix, which concerns this request's use of it, lives here. */
/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include "../../core/vendor/xxh64.h"
#include "../host/user.h"
#include "listener.h"
#include "servers/server_sets.h"

/* emalloc'ed: a pool ends with its request, its connections do not. */
struct mcp_pool {
	uint32_t references;
	mcp_server_set *set;
	zend_string *prefix;
	mcp_format format;
	mcp_pool_traits traits;
	zend_object
		*object; /* the PHP object that it belongs to, borrowed; NULL before it and after its end */
	mcp_listener *listener; /* NULL: there never was one */
	mcp_pool_identity identity;
	uint64_t servers_hash;  /* 0: not known yet */
	uint64_t identified_at; /* the php_mcp_user_version of before it was made; 0: never */
};

mcp_pool *php_mcp_pool_create(const mcp_pool_options *options) {
	mcp_server_set_options set = {
		.written = options->servers,
		.list_name = options->servers_name,
		.distribution = options->traits.distribution,
		.settings =
			{
				.transport = options->traits.transport,
				.connect_timeout_ms = options->traits.connect_timeout_ms,
				.timeout_ms = options->traits.timeout_ms,
				.retry_after_ms = options->traits.retry_after_ms,
				.user = php_mcp_user_of_request(),
				.access = options->traits.access,
			},
	};
	mcp_pool *pool = ecalloc(1, sizeof(*pool));
	pool->references = 1;
	pool->prefix = zend_string_copy(options->prefix);
	pool->format = options->format;
	pool->traits = options->traits;
	pool->set = options->traits.is_persistent ? php_mcp_server_sets_share(&set)
											  : php_mcp_server_sets_own(&set);
	return pool;
}

mcp_pool *php_mcp_pool_addref(mcp_pool *pool) {
	pool->references++;
	return pool;
}

void php_mcp_pool_release(mcp_pool *pool) {
	if (--pool->references > 0) {
		return;
	}
	if (pool->listener != NULL) {
		php_mcp_listener_free(pool->listener);
	}
	php_mcp_server_sets_free(pool->set);
	zend_string_release(pool->prefix);
	php_mcp_format_free(&pool->format);
	php_mcp_server_access_free(pool->traits.access);
	efree(pool);
}

void php_mcp_pool_belong_to(mcp_pool *pool, zend_object *object) {
	pool->object = object;
}

zend_object *php_mcp_pool_object(const mcp_pool *pool) {
	return pool->object;
}

mcp_pool *php_mcp_pool_hold(mcp_pool *pool) {
	if (pool->object != NULL) {
		GC_ADDREF(pool->object);
	}
	return php_mcp_pool_addref(pool);
}

/* Releases the object last: with it may go the pool. */
void php_mcp_pool_let_go(mcp_pool *pool) {
	zend_object *object = pool->object;
	php_mcp_pool_release(pool);
	if (object != NULL) {
		OBJ_RELEASE(object);
	}
}

mcp_listener *php_mcp_pool_listener(const mcp_pool *pool) {
	return pool->listener;
}

void php_mcp_pool_add_listener(mcp_pool *pool, mcp_store_observer observer) {
	pool->listener = php_mcp_listener_create(php_mcp_server_sets_count(pool->set));
	pool->set = php_mcp_server_sets_observe(pool->set, observer, pool);
}

mcp_store *php_mcp_pool_store(mcp_pool *pool) {
	return php_mcp_server_sets_store(pool->set);
}

mcp_store *php_mcp_pool_cache_store(mcp_pool *pool) {
	return pool->traits.fails_over ? php_mcp_server_sets_failover_store(pool->set)
								   : php_mcp_server_sets_store(pool->set);
}

mcp_store *php_mcp_pool_marked_store(mcp_pool *pool) {
	return php_mcp_server_sets_marked_store(pool->set);
}

bool php_mcp_pool_fails_over(const mcp_pool *pool) {
	return pool->traits.fails_over;
}

bool php_mcp_pool_saw_outage(const mcp_pool *pool) {
	return php_mcp_server_sets_saw_outage(pool->set);
}

mcp_bytes php_mcp_pool_prefix(const mcp_pool *pool) {
	return mcp_bytes_of(ZSTR_VAL(pool->prefix), ZSTR_LEN(pool->prefix));
}

const mcp_format *php_mcp_pool_format(const mcp_pool *pool) {
	return &pool->format;
}

const mcp_pool_traits *php_mcp_pool_traits_of(const mcp_pool *pool) {
	return &pool->traits;
}

/* Sums their hashes up: placed by ketama they are the same servers in any order. */
static uint64_t hash_servers(const mcp_server_set *set) {
	uint64_t hash = 0;
	for (size_t i = 0; i < php_mcp_server_sets_count(set); i++) {
		const char *address = php_mcp_server_sets_server(set, i)->address;
		hash += XXH64(address, strlen(address), 0);
	}
	return hash;
}

uint64_t php_mcp_pool_servers_hash(mcp_pool *pool) {
	if (UNEXPECTED(pool->servers_hash == 0)) {
		pool->servers_hash = hash_servers(pool->set);
	}
	return pool->servers_hash;
}

const mcp_pool_identity *php_mcp_pool_identify(mcp_pool *pool) {
	uint64_t version = php_mcp_user_version();
	if (pool->identified_at != version) {
		mcp_pool_origin origin = {
			.servers = pool->set,
			.distribution = pool->traits.distribution,
			.fails_over = pool->traits.fails_over,
			.prefix = php_mcp_pool_prefix(pool),
			.signing_keys = pool->format.signing_keys,
			.access = pool->traits.access,
		};
		pool->identity = php_mcp_pool_identity_ask(&origin);
		pool->identified_at = version;
	}
	return &pool->identity;
}

size_t php_mcp_pool_server_count(const mcp_pool *pool) {
	return php_mcp_server_sets_count(pool->set);
}

const mcp_server *php_mcp_pool_server(const mcp_pool *pool, size_t index) {
	return php_mcp_server_sets_server(pool->set, index);
}

mcp_store *php_mcp_pool_server_store(mcp_pool *pool, size_t index) {
	return php_mcp_server_sets_server_store(pool->set, index);
}

void php_mcp_pool_close(mcp_pool *pool) {
	php_mcp_server_sets_close(pool->set);
}
