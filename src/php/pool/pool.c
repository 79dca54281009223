/* The Pool behind its PHP object: options in, store out. The server set holds the sockets and is shared; the prefix
 * is the request's. Discovery never changes servers in the middle of a method, and the previous set stays valid
 * until the next change. */
/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include "../../core/sha256/sha256.h"
#include "../../core/vendor/xxh64.h"
#include "../engine/interrupt.h"
#include "../engine/user.h"
#include "listening/listener.h"
#include "servers/server_sets.h"
#include "php_mcpatterns.h"

/* Parameters that make up a Pool. Borrowed. */
typedef struct mcp_pool_origin {
	const mcp_server *servers;
	size_t server_count;
	mcp_distribution distribution;
	bool fails_over;
	mcp_bytes prefix;
	const mcp_signing_keys *signing_keys; /* NULL: none */
	const mcp_server_access *access;      /* NULL: none */
} mcp_pool_origin;

/* A cryptographic hash, because other users may choose names of servers and prefixes and must not find a collision.
 * Each text of variable length is preceded by its length. */

#ifndef PHP_WIN32
#include <sys/stat.h>
#endif

static void add(mcp_sha256 *state, const void *bytes, size_t length) {
	mcp_sha256_add(state, mcp_bytes_of(bytes, length));
}

static void add_number(mcp_sha256 *state, uint64_t number) {
	add(state, &number, sizeof(number));
}

static void add_text(mcp_sha256 *state, const char *text, size_t length) {
	add_number(state, length);
	add(state, text, length);
}

/* Add the root of paths: with a chroot (php-fpm), the same path can be another server and the same host name another
 * host. Returns false if it is unknown. */
static bool add_root(mcp_sha256 *state) {
#ifndef PHP_WIN32
	struct stat status;
	if (stat("/", &status) != 0) {
		return false;
	}
	add_number(state, (uint64_t)status.st_dev);
	add_number(state, (uint64_t)status.st_ino);
#endif
	return true;
}

/* Add the servers. Returns false if some of their data exists only in this process. */
static bool add_servers(mcp_sha256 *state, const mcp_pool_origin *origin) {
	bool depends_on_root = false, is_shareable = true;
	add_number(state, origin->server_count);
	for (size_t i = 0; i < origin->server_count; i++) {
		const mcp_server *server = &origin->servers[i];
		add_text(state, server->address, strlen(server->address));
		add_number(state, server->weight);
		add_number(state, server->is_tls);
		add_text(state, server->secret.text, server->secret.length);
		is_shareable &= server->kind != MCP_SERVER_MEMORY;
		depends_on_root |= server->kind == MCP_SERVER_UNIX || server->is_discovery;
	}
	return is_shareable && (!depends_on_root || add_root(state));
}

/* Add the reader: another user may lack access to the socket or the password, and a process without a key must not
 * read unverified values that others verified. */
static void add_reader(mcp_sha256 *state, const mcp_pool_origin *origin) {
	mcp_user user = php_mcp_user_ask();
	add_number(state, user.id);
	add_number(state, user.group);
	add_number(state, user.namespace_id);
	add_number(state, origin->access != NULL);
	if (origin->access != NULL) {
		add(state, origin->access->fingerprint, sizeof(origin->access->fingerprint));
	}
	const mcp_signing_keys *keys = origin->signing_keys;
	add_number(state, keys != NULL);
	if (keys != NULL) {
		unsigned char fingerprint[MCP_SIGNATURE_LENGTH];
		mcp_signature_fingerprint(keys, fingerprint);
		add(state, fingerprint, sizeof(fingerprint));
	}
}

/* Ask the system for the user: about 5,000 instructions. */
static mcp_pool_identity php_mcp_pool_identity_ask(const mcp_pool_origin *origin) {
	unsigned char digest[MCP_SHA256_LENGTH];
	mcp_sha256 state;
	mcp_pool_identity identity;
	mcp_sha256_begin(&state);
	add_number(&state, origin->distribution);
	add_number(&state, origin->fails_over);
	add_text(&state, origin->prefix.data, origin->prefix.length);
	identity.is_shareable = add_servers(&state, origin);
	add_reader(&state, origin);
	mcp_sha256_finish(&state, digest);
	memcpy(identity.hash, digest, sizeof(identity.hash));
	identity.hash[0] += identity.hash[0] == 0;
	identity.hash[1] += identity.hash[1] == 0;
	return identity;
}

/* emalloc'ed: a pool ends with its request. Its connections do not. */
struct mcp_pool {
	uint32_t references;
	mcp_server_set *set;
	zend_string *prefix;
	mcp_format format;
	mcp_pool_traits traits;
	zend_object *object; /* its PHP object, borrowed; NULL before construction and after the end */
	mcp_listener *listener; /* NULL: never created */
	mcp_pool_identity identity;
	/* For discovered servers: */
	mcp_discovery *discovery; /* a share; NULL: static servers */
	zend_string *list;        /* list in use, as a user would write it; NULL: none */
	uint64_t changes;
	mcp_server_set *before;      /* previous value of `set`; NULL: none */
	mcp_store_observer observer; /* of the listener */
	mcp_pool *next, **place;     /* in the request's list of such pools */
	uint64_t servers_hash;       /* 0: unknown */
	uint64_t identified_at;      /* php_mcp_user_changes_count() before it was made; 0: never */
};

static mcp_server_set *get_set(const mcp_pool_traits *traits, const mcp_written_servers *written,
	const zend_string *name) {
	mcp_server_set_options set = {
		.written = *written,
		.list_name = name,
		.distribution = traits->distribution,
		.settings =
			{
				.transport = traits->transport,
				.connect_timeout_ms = traits->connect_timeout_ms,
				.timeout_ms = traits->timeout_ms,
				.retry_after_ms = traits->retry_after_ms,
				.user = php_mcp_user_of_request(),
				.access = traits->access,
			},
	};
	return traits->is_persistent ? php_mcp_server_sets_share(&set) : php_mcp_server_sets_own(&set);
}

/* Make the set of a discovered list, which was validated then. */
mcp_server_set *php_mcp_pool_former_servers(const mcp_pool *pool, const zend_string *list) {
	mcp_written_servers written = {.text = mcp_bytes_of(ZSTR_VAL(list), ZSTR_LEN(list))};
	mcp_server_list_needs needs;
	zend_string *name;
	zend_string *mistake = php_mcp_server_sets_judge(&written, &name, &needs);
	ZEND_ASSERT(mistake == NULL);
	(void)mistake;
	mcp_server_set *set = get_set(&pool->traits, &written, name);
	zend_string_release(name);
	return set;
}

zend_string *php_mcp_pool_list(const mcp_pool *pool) {
	return pool->list;
}

static void drop_list(mcp_pool *pool) {
	if (pool->list != NULL) {
		zend_string_release(pool->list);
	}
}

static mcp_server_set *take_list(mcp_pool *pool) {
	zend_string *told = zend_string_copy(pool->discovery->list);
	drop_list(pool);
	pool->list = told;
	return php_mcp_pool_former_servers(pool, told);
}

static mcp_pool_identity identify(const mcp_pool *pool, const mcp_server *servers, size_t count) {
	mcp_pool_origin origin = {
		.servers = servers,
		.server_count = count,
		.distribution = pool->traits.distribution,
		.fails_over = pool->traits.fails_over,
		.prefix = php_mcp_pool_prefix(pool),
		.signing_keys = pool->format.signing_keys,
		.access = pool->traits.access,
	};
	return php_mcp_pool_identity_ask(&origin);
}

static mcp_discovery *share_discovery(const mcp_pool *pool, const mcp_server *endpoint) {
	mcp_pool_identity identity = identify(pool, endpoint, 1);
	return php_mcp_discoveries_share(endpoint, identity.hash, identity.is_shareable);
}

static mcp_discovery *share_written_discovery(const mcp_pool *pool,
	const mcp_written_servers *written) {
	mcp_server_list list;
	zend_string *mistake = php_mcp_servers_parse(&list, written);
	ZEND_ASSERT(mistake == NULL);
	(void)mistake;
	mcp_discovery *discovery = share_discovery(pool, &list.servers[0]);
	php_mcp_servers_free(&list);
	return discovery;
}

static void ask_endpoint(mcp_pool *pool) {
	mcp_discovery_terms terms = {
		.connect_timeout_ms = pool->traits.connect_timeout_ms,
		.timeout_ms = pool->traits.timeout_ms,
		.retry_after_ms = pool->traits.retry_after_ms,
		.access = pool->traits.access,
	};
	php_mcp_discovery_renew(pool->discovery, &terms);
}

/* True if the pool has not yet taken the newest known list. */
static bool has_another_list(const mcp_pool *pool) {
	const zend_string *list = pool->discovery->list;
	return list != NULL && list != pool->list;
}

static void link_pool(mcp_pool *pool) {
	pool->place = &MCP_REQUEST(discovering_pools);
	pool->next = *pool->place;
	if (pool->next != NULL) {
		pool->next->place = &pool->next;
	}
	*pool->place = pool;
}

static void unlink_pool(mcp_pool *pool) {
	*pool->place = pool->next;
	if (pool->next != NULL) {
		pool->next->place = pool->place;
	}
}

static void begin_with_endpoint(mcp_pool *pool, const mcp_pool_options *options) {
	pool->discovery = share_written_discovery(pool, &options->servers);
	link_pool(pool);
	ask_endpoint(pool);
	pool->set = has_another_list(pool)
		? take_list(pool)
		: get_set(&pool->traits, &options->servers, options->servers_name);
}

static void end_with_endpoint(mcp_pool *pool) {
	unlink_pool(pool);
	drop_list(pool);
	php_mcp_discoveries_let_go(pool->discovery);
	if (pool->before != NULL) {
		php_mcp_server_sets_free(pool->before);
	}
}

mcp_pool *php_mcp_pool_create(const mcp_pool_options *options) {
	mcp_pool *pool = ecalloc(1, sizeof(*pool));
	pool->references = 1;
	pool->prefix = zend_string_copy(options->prefix);
	pool->format = options->format;
	pool->traits = options->traits;
	if (options->are_discovered) {
		begin_with_endpoint(pool, options);
	} else {
		pool->set = get_set(&pool->traits, &options->servers, options->servers_name);
	}
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
	if (pool->discovery != NULL) {
		end_with_endpoint(pool);
	}
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

/* Release the object last: the pool may go with it. */
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
	pool->observer = observer;
	pool->listener = php_mcp_listener_create(php_mcp_server_set_count(pool->set));
	pool->set = php_mcp_server_sets_observe(pool->set, observer, pool);
}

const mcp_discovery *php_mcp_pool_discovery_of(const mcp_pool *pool) {
	return pool->discovery;
}

uint64_t php_mcp_pool_changes(const mcp_pool *pool) {
	return pool->changes;
}

static void (*at_change)(void);

void php_mcp_pool_register_change(void (*ending)(void)) {
	at_change = ending;
}

/* Replace the set by the currently known servers. */
static void change_set(mcp_pool *pool) {
	mcp_server_set *set = take_list(pool);
	if (pool->listener != NULL) {
		php_mcp_listener_change_servers(pool->listener, php_mcp_server_set_count(set));
		set = php_mcp_server_sets_observe(set, pool->observer, pool);
	}
	if (pool->before != NULL) {
		php_mcp_server_sets_free(pool->before);
	}
	pool->before = pool->set;
	pool->set = set;
	pool->changes++;
	pool->servers_hash = 0;
	pool->identified_at = 0;
	php_mcp_user_changes_add();
	at_change();
}

/* Follow the discovery of the current user. */
static void follow_user(mcp_pool *pool) {
	mcp_discovery *before = pool->discovery;
	pool->discovery = share_discovery(pool, &before->endpoint);
	php_mcp_discoveries_let_go(before);
}

/* Skip a pool whose listener has unreported failures about its current servers. */
static void renew(mcp_pool *pool) {
	follow_user(pool);
	ask_endpoint(pool);
	bool is_busy = pool->listener != NULL && php_mcp_listener_has_untold(pool->listener);
	if (!is_busy && has_another_list(pool)) {
		change_set(pool);
	}
}

void php_mcp_pool_renew_all(void) {
	for (mcp_pool *pool = MCP_REQUEST(discovering_pools); pool != NULL; pool = pool->next) {
		renew(pool);
	}
}

/* Schedule the renewal for the end of the method. */
static zend_never_inline void look_at_endpoint(const mcp_pool *pool) {
	if (has_another_list(pool) || php_mcp_discovery_is_outdated(pool->discovery)) {
		MCP_REQUEST(servers_are_outdated) = true;
		php_mcp_method_end_ask();
	}
}

static zend_always_inline void look(const mcp_pool *pool) {
	if (UNEXPECTED(pool->discovery != NULL)) {
		look_at_endpoint(pool);
	}
}

mcp_store *php_mcp_pool_store(mcp_pool *pool) {
	look(pool);
	return php_mcp_server_set_store(pool->set);
}

mcp_store *php_mcp_pool_cache_store(mcp_pool *pool) {
	look(pool);
	return pool->traits.fails_over ? php_mcp_server_set_failover_store(pool->set)
								   : php_mcp_server_set_store(pool->set);
}

mcp_store *php_mcp_pool_marked_store(mcp_pool *pool) {
	return php_mcp_server_set_marked_store(pool->set);
}

bool php_mcp_pool_fails_over(const mcp_pool *pool) {
	return pool->traits.fails_over;
}

bool php_mcp_pool_saw_outage(const mcp_pool *pool) {
	return php_mcp_server_set_saw_outage(pool->set);
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

/* Sum of hashes: for ketama, the order of servers does not matter. The application chooses the servers and the sum
 * stays in the process, so a forged collision gains nothing. */
static uint64_t hash_servers(const mcp_server_set *set) {
	uint64_t hash = 0;
	for (size_t i = 0; i < php_mcp_server_set_count(set); i++) {
		const char *address = php_mcp_server_set_server(set, i)->address;
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
	uint64_t version = php_mcp_user_changes_count();
	if (pool->identified_at != version) {
		pool->identity = identify(pool, php_mcp_server_set_server(pool->set, 0),
			php_mcp_server_set_count(pool->set));
		pool->identified_at = version;
	}
	return &pool->identity;
}

size_t php_mcp_pool_server_count(const mcp_pool *pool) {
	look(pool);
	return php_mcp_server_set_count(pool->set);
}

const mcp_server *php_mcp_pool_server(const mcp_pool *pool, size_t index) {
	return php_mcp_server_set_server(pool->set, index);
}

mcp_store *php_mcp_pool_server_store(mcp_pool *pool, size_t index) {
	return php_mcp_server_set_server_store(pool->set, index);
}

void php_mcp_pool_close(mcp_pool *pool) {
	php_mcp_server_set_close(pool->set);
}

static mcp_flush_ending registered;

void php_mcp_pool_flush_register(mcp_flush_ending ending) {
	registered = ending;
}

bool php_mcp_pool_flush(mcp_pool *pool) {
	bool is_done = mcp_store_flush(php_mcp_pool_store(pool)) == MCP_OK;
	if (is_done) {
		registered(pool);
	}
	return is_done;
}

/* Make keys from names with only the Pool's prefix. */

mcp_key php_mcp_pool_key_make(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer) {
	mcp_key_parts parts = {
		.space = space,
		.prefix = php_mcp_pool_prefix(pool),
		.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
	};
	return mcp_key_make(buffer, &parts);
}
