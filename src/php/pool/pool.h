/* A Pool without its PHP object: servers, prefix and store. It is reference-counted, because the objects that share a
 * Pool are freed in any order. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_POOL_H
#define MCP_PHP_POOL_POOL_H

#include "../../core/envelope/signature.h"
#include "../../core/key/key.h"
#include "../../store/cluster/router.h"
#include "../../store/store.h"
#include "../../store/wrapped/error_observer.h"
#include "../engine/user_call.h"
#include "../value/format.h"
#include "php.h"
#include "servers/discovery.h"

/* Identity of the servers and of the reader of values: pools with the same identity may share values under the same
 * keys (as sent). */
typedef struct mcp_pool_identity {
	uint64_t hash[2];  /* neither half is 0 */
	bool is_shareable; /* false: some data exists only in this process */
} mcp_pool_identity;

typedef struct mcp_pool mcp_pool;

/* Options of all servers together. */
typedef struct mcp_pool_traits {
	mcp_distribution distribution;
	/* connection settings without the user; with a reference to `access` */
	mcp_connection_settings connection;
	bool is_persistent;
	bool fails_over;
} mcp_pool_traits;

/* Validated options. All except the servers are transferred to the pool. */
typedef struct mcp_pool_options {
	mcp_written_servers servers;
	zend_string *servers_name; /* from php_mcp_server_sets_judge() */
	bool are_discovered;       /* the one server is a discovery endpoint */
	zend_string *prefix;
	mcp_format format;
	mcp_pool_traits traits;
} mcp_pool_options;

/* Create a pool. The caller owns one reference. Sends nothing, except a discovery request if one is due. */
mcp_pool *php_mcp_pool_create(const mcp_pool_options *options);
mcp_pool *php_mcp_pool_addref(mcp_pool *pool);
void php_mcp_pool_release(mcp_pool *pool);

/* Set the PHP object; NULL when that object ends. */
void php_mcp_pool_belong_to(mcp_pool *pool, zend_object *object);
zend_object *php_mcp_pool_object(const mcp_pool *pool);
/* Take a reference that also keeps the PHP object and its listener alive. The holder must report the reference to the
 * garbage collector. */
mcp_pool *php_mcp_pool_add_reference(mcp_pool *pool);
void php_mcp_pool_let_go(mcp_pool *pool);

/* The callback of Pool::onError() and its queue, which pool_listener.c fills and empties. */

typedef enum mcp_error_kind {
	MCP_ERROR_KIND_SERVER,      /* a server failed; the stores report it themselves */
	MCP_ERROR_KIND_UNSTORABLE,  /* a value cannot be stored */
	MCP_ERROR_KIND_UNREADABLE,  /* a stored value cannot be read */
	MCP_ERROR_KIND_COMPUTATION, /* a computation failed, and no caller sees it */
	MCP_ERROR_KIND_WHEN_DOWN,   /* an object returned its default because a server failed */
	MCP_ERROR_KIND_DIFFERENT,   /* a served value differs from an Audit's result */
	MCP_ERROR_KIND_KINDS,
} mcp_error_kind;

/* Failure of an object, not of a server, to be reported later. Holds references. */
typedef struct mcp_queued_error {
	mcp_error_kind kind;
	size_t server;
	zend_string *name;
	zend_object *exception; /* exception of the failure; NULL: none */
	double at_s;
	struct mcp_queued_error *next;
} mcp_queued_error;

/* Failure with a copy of its reason, because the operation can fail again for another reason. */
typedef struct mcp_pool_failure {
	mcp_status status; /* MCP_OK: none */
	bool is_explained;
	mcp_store_failure failure; /* the reason */
} mcp_pool_failure;

/* emalloc'ed, as are its members. */
typedef struct mcp_listener {
	mcp_user_call call; /* callable with references; empty: failures are not reported */
	/* If either is set, the module's list holds the pool. */
	bool is_running; /* the listener is running, so failures are not reported */
	bool is_queued;
	mcp_pool *next;
	size_t servers;
	mcp_pool_failure *failures; /* failures of each server that have not been reported yet */
	/* end of the quiet time of each server and kind, by the monotonic clock */
	uint64_t *quiet_until_ms;
	mcp_queued_error *first, **end;
} mcp_listener;

/* NULL if php_mcp_pool_add_listener() was not called. */
mcp_listener *php_mcp_pool_listener(const mcp_pool *pool);
/* Create the listener, once, without a callback, and observe the servers with the pool as context. */
void php_mcp_pool_add_listener(mcp_pool *pool, mcp_store_observer observer);
/* Take references to the contents of `call`. NULL: stop reporting. Can run user code, at the end. */
void php_mcp_pool_set_listener(mcp_listener *listener, const mcp_user_call *call);
bool php_mcp_pool_has_queued_errors(const mcp_listener *listener);
/* Remove and return the oldest event. The queue must not be empty. */
mcp_queued_error *php_mcp_pool_take_queued_error(mcp_listener *listener);
void php_mcp_pool_free_queued_error(mcp_queued_error *trouble);

/* Returns the current store, never NULL. Call this at the start of every method and after user code, because close()
 * and a fork replace the store. In a forked child, disowns the parent's connections. */
mcp_store *php_mcp_pool_store(mcp_pool *pool);
/* Store for values that can be lost and rebuilt: with failover, another server replaces a server that is down. */
mcp_store *php_mcp_pool_cache_store(mcp_pool *pool);
/* Like php_mcp_pool_cache_store(), without failover: data from before a server's outage is suspect. */
mcp_store *php_mcp_pool_marked_store(mcp_pool *pool);
/* True if this process has seen an outage through these two stores. The process then trusts fewer stored items than
 * other processes do. */
bool php_mcp_pool_saw_outage(const mcp_pool *pool);
bool php_mcp_pool_fails_over(const mcp_pool *pool);

/* State of the discovery endpoint. NULL: static servers. */
const mcp_discovery *php_mcp_pool_discovery_of(const mcp_pool *pool);
/* Replace the servers with the currently known servers in all pools of the request that use discovery. Call this only
 * when no method is using servers. */
void php_mcp_pool_renew_all(void);
/* Number of server changes of this pool. Stores that were returned before the previous change are invalid. */
uint64_t php_mcp_pool_changes(const mcp_pool *pool);
/* Register at start-up a function that runs after a pool has changed servers. It must not throw or run user code. */
void php_mcp_pool_register_change(void (*ending)(void));

/* Name of the current discovered list; NULL: static servers. Borrowed until the next change. */
zend_string *php_mcp_pool_list(const mcp_pool *pool);
/* Make the set of a former list, to clean up items that remain there. Free with php_mcp_server_sets_free(). */
struct mcp_server_set *php_mcp_pool_former_servers(const mcp_pool *pool, const zend_string *list);

/* Valid as long as the pool. */
mcp_bytes php_mcp_pool_prefix(const mcp_pool *pool);

/* Format for writing and reading values. Valid as long as the pool. */
const mcp_format *php_mcp_pool_format(const mcp_pool *pool);

/* Hash of the servers, independent of reader and options. */
uint64_t php_mcp_pool_servers_hash(mcp_pool *pool);

/* Identity for the current user. Valid as long as the pool. Call again after php_mcp_user_changes_count() changes. */
const mcp_pool_identity *php_mcp_pool_identify(mcp_pool *pool);

size_t php_mcp_pool_server_count(const mcp_pool *pool);
const mcp_server *php_mcp_pool_server(const mcp_pool *pool, size_t index);
/* Store of one server, with the rules of php_mcp_pool_store(). */
mcp_store *php_mcp_pool_server_store(mcp_pool *pool, size_t index);

/* Close the connections, also for other pools that share them. The pools reconnect at the next use. memory:// servers
 * keep their content. */
void php_mcp_pool_close(mcp_pool *pool);

/* Function that invalidates the thread's data about keys on this Pool's servers after a flush. It must not throw or run
 * user code. */
typedef void (*mcp_flush_ending)(mcp_pool *pool);

/* Register such a function at start-up. */
void php_mcp_pool_flush_register(mcp_flush_ending ending);

/* Flush the servers. Returns false if a server failed. */
bool php_mcp_pool_flush(mcp_pool *pool);

/* Make an array about the servers, in the form of the Pool's method. Each server is queried in turn. No array is
 * modified while a reply is being read, because that could exhaust memory. */
void php_mcp_pool_report_servers(zval *report, mcp_pool *pool);
void php_mcp_pool_report_ping(zval *report, mcp_pool *pool);
void php_mcp_pool_report_failures(zval *report, mcp_pool *pool);
void php_mcp_pool_report_stats(zval *report, mcp_pool *pool);
void php_mcp_pool_report_diagnosis(zval *report, mcp_pool *pool);
/* Add the settings for var_dump() to an existing array. */
void php_mcp_pool_report_settings(zval *report, mcp_pool *pool);

/* A key with its bytes, for objects whose name and pool do not change. The struct must not move. */
typedef struct mcp_pool_kept_key {
	mcp_key key;
	mcp_key_buffer buffer;
} mcp_pool_kept_key;

/* Make the key of `name` in one key space of the pool. */
mcp_key php_mcp_pool_key_make(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer);

static inline void php_mcp_pool_key_keep(mcp_pool_kept_key *kept, mcp_key_space space,
	const mcp_pool *pool, const zend_string *name) {
	kept->key = php_mcp_pool_key_make(space, pool, name, &kept->buffer);
}

#endif
