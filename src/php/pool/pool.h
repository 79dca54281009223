/* A Pool without its PHP object: servers, prefix, and the store that speaks to them. Counted by
 * reference, because at shutdown PHP frees the objects that share one in any order. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_POOL_H
#define MCP_PHP_POOL_POOL_H

#include "../../core/envelope/signature.h"
#include "../../core/key/key.h"
#include "../../store/cluster/router.h"
#include "../../store/store.h"
#include "../../store/wrapped/error_observer.h"
#include "../objects/enums.h"
#include "../value/format.h"
#include "discovery/discovery.h"
#include "php.h"
#include "servers/parsing/server.h"
#include "servers/server_access.h"

/* Whose a Pool's near values and discovered servers are: where they come from, how, and for whom. */

/* Where its values come from, and who reads them: two pools of one identity read the same values under the same keys (as
 * they are sent), and may. */
typedef struct mcp_pool_identity {
	uint64_t hash[2];  /* neither half is 0 */
	bool is_shareable; /* false: some of them live in this process alone */
} mcp_pool_identity;

typedef struct mcp_pool mcp_pool;

/* The traits of the servers as a whole. */
typedef struct mcp_pool_traits {
	mcp_distribution distribution;
	mcp_transport transport;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	bool is_persistent;
	bool fails_over;
	mcp_server_access *access; /* a reference; NULL: none */
} mcp_pool_traits;

/* Everything validated; php_mcp_pool_create copies what it needs. */
typedef struct mcp_pool_options {
	mcp_written_servers servers;
	zend_string *servers_name; /* as php_mcp_server_sets_judge gave it */
	bool are_discovered;       /* they are the endpoint that tells them */
	zend_string *prefix;
	mcp_format format;      /* given over */
	mcp_pool_traits traits; /* its access is given over */
} mcp_pool_options;

/* Connects to nothing, but for the endpoint that tells the servers, when it is time to ask it. The caller owns one
 * reference. */
mcp_pool *php_mcp_pool_create(const mcp_pool_options *options);
mcp_pool *php_mcp_pool_addref(mcp_pool *pool);
void php_mcp_pool_release(mcp_pool *pool);

/* Belongs to this PHP object until its end, and to NULL from then on. */
void php_mcp_pool_belong_to(mcp_pool *pool, zend_object *object);
zend_object *php_mcp_pool_object(const mcp_pool *pool);
/* Takes a reference that keeps the PHP object alive, too, and with it the listener: for other objects, which
 * show it to the garbage collector. */
mcp_pool *php_mcp_pool_hold(mcp_pool *pool);
void php_mcp_pool_let_go(mcp_pool *pool);

/* NULL if php_mcp_pool_add_listener() was not called. */
struct mcp_listener *php_mcp_pool_listener(const mcp_pool *pool);
/* Gives it, once, a listener without a function, and its servers an observer whose context is the pool. */
void php_mcp_pool_add_listener(mcp_pool *pool, mcp_store_observer observer);

/* Returns the store to use now; never NULL. Ask again at the start of every method and after any user code:
 * close() and a fork replace it. In a forked child the parent's connections have been disowned when this
 * returns. */
mcp_store *php_mcp_pool_store(mcp_pool *pool);
/* Returns the store for values that may be lost and rebuilt, and for nothing else: with failover, another server
 * stands in for one that does not answer. */
mcp_store *php_mcp_pool_cache_store(mcp_pool *pool);
/* Returns that store without another server in the place of one: what a server that was away held before is
 * suspect. */
mcp_store *php_mcp_pool_marked_store(mcp_pool *pool);
/* Says whether this process, through one of these two, has seen a server go away: then it believes less of what the
 * servers hold than a process that saw nothing. */
bool php_mcp_pool_saw_outage(const mcp_pool *pool);
bool php_mcp_pool_fails_over(const mcp_pool *pool);

/* Returns what is known of the servers by the endpoint that tells them; NULL: they were written. */
const mcp_discovery *php_mcp_pool_discovery_of(const mcp_pool *pool);
/* Takes the servers that are known by now in the place of those from before, for all pools of the request that have an
 * endpoint, where no method is in the middle of its work with them. */
void php_mcp_pool_renew_all(void);
/* Counts how often this pool has taken other servers: no store of those before the last ones is there any more. */
uint64_t php_mcp_pool_changes(const mcp_pool *pool);
/* Registers, at start-up, what ends when a pool has taken other servers. Throws nothing, and runs no user code. */
void php_mcp_pool_register_change(void (*ending)(void));

/* Names the servers that an endpoint has told, and that the pool has now; NULL: they were written. Borrowed, until it takes
 * others. */
zend_string *php_mcp_pool_list(const mcp_pool *pool);
/* Returns the servers of such a name, which the pool had before, for what was left there. To be freed by
 * php_mcp_server_sets_free. */
struct mcp_server_set *php_mcp_pool_former_servers(const mcp_pool *pool, const zend_string *list);

/* Lives as long as the pool. */
mcp_bytes php_mcp_pool_prefix(const mcp_pool *pool);

/* Says how the pool's values are written, and what may be read. Lives as long as the pool. */
const mcp_format *php_mcp_pool_format(const mcp_pool *pool);

/* Returns what it was made with. Lives as long as the pool. */
const mcp_pool_traits *php_mcp_pool_traits_of(const mcp_pool *pool);

/* Hashes the servers that it has, whoever reads them and however. */
uint64_t php_mcp_pool_servers_hash(mcp_pool *pool);

/* Identifies the pool for the user as whom this process acts now. Lives as long as the pool; asked anew when
 * php_mcp_user_changes_count is another. */
const mcp_pool_identity *php_mcp_pool_identify(mcp_pool *pool);

size_t php_mcp_pool_server_count(const mcp_pool *pool);
const mcp_server *php_mcp_pool_server(const mcp_pool *pool, size_t index);
/* Returns the store of one server, under the same rule as php_mcp_pool_store. */
mcp_store *php_mcp_pool_server_store(mcp_pool *pool, size_t index);

/* Drops the connections, also for other pools that share them; they reconnect on next use. Content
 * of memory:// servers stays. */
void php_mcp_pool_close(mcp_pool *pool);

/* Pool::flush(): what is kept of the servers' keys elsewhere ends with them. */

/* Ends what the thread keeps of the keys on this Pool's servers, which have been emptied. Throws nothing, and runs no user
 * code. */
typedef void (*mcp_flush_ending)(mcp_pool *pool);

/* Registers, at start-up, what ends then. */
void php_mcp_pool_flush_register(mcp_flush_ending ending);

/* Empties the servers. False if one of them could not be told. */
bool php_mcp_pool_flush(mcp_pool *pool);

/* The keys on a Pool's servers that names become, for classes without a scope of their own. */

/* A key with the bytes that it is a view of: made once by an object whose name and pool stay, and not to be moved. */
typedef struct mcp_pool_kept_key {
	mcp_key key;
	mcp_key_buffer buffer;
} mcp_pool_kept_key;

/* Makes the key that `name` is among the pool's keys of one kind. */
mcp_key php_mcp_pool_key_make(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer);

static inline void php_mcp_pool_key_keep(mcp_pool_kept_key *kept, mcp_key_space space,
	const mcp_pool *pool, const zend_string *name) {
	kept->key = php_mcp_pool_key_make(space, pool, name, &kept->buffer);
}

#endif
