/* The Pool behind its PHP object: creates a store from options. Pools share a server set, which has the sockets. The
 * prefix belongs to one pool. Discovery never changes servers in the middle of a method, and the previous set remains
 * valid until the next change. */
/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include "../../core/sha256/sha256.h"
#include "../../core/vendor/xxh64.h"
#include "../engine/interrupt.h"
#include "../engine/user.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "diagnosis/diagnosis.h"
#include "servers/server_sets.h"
#include "php_mcpatterns.h"

#ifndef PHP_WIN32
#include <sys/stat.h>
#endif

/* emalloc'ed, because a pool ends with its request. Its connections outlive the request. */
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
	zend_string *list;        /* list in use, in the format of the option; NULL: none */
	uint64_t changes;
	mcp_server_set *before;      /* previous value of `set`; NULL: none */
	mcp_store_observer observer; /* observer of the listener */
	mcp_pool *next, **place;     /* neighbors in the request's list of such pools */
	uint64_t servers_hash;       /* 0: unknown */
	uint64_t identified_at; /* php_mcp_user_changes_count() before `identity` was made; 0: never */
};

/* --- identity --- */

/* The hash is cryptographic, because other users can choose names of servers and prefixes, and must not find a
 * collision. Each text of variable length is preceded by its length. */

static void add_to_hash(mcp_sha256 *state, const void *bytes, size_t length) {
	mcp_sha256_add(state, mcp_bytes_of(bytes, length));
}

static void add_number(mcp_sha256 *state, uint64_t number) {
	add_to_hash(state, &number, sizeof(number));
}

static void add_text(mcp_sha256 *state, const char *text, size_t length) {
	add_number(state, length);
	add_to_hash(state, text, length);
}

/* Add the root of paths: with a chroot (php-fpm), the same path can lead to a different server, and the same host name
 * to a different host. Returns false if the root is unknown. */
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
static bool add_servers(mcp_sha256 *state, const mcp_server *servers, size_t count) {
	bool depends_on_root = false, is_shareable = true;
	add_number(state, count);
	for (size_t i = 0; i < count; i++) {
		const mcp_server *server = &servers[i];
		add_text(state, server->address, strlen(server->address));
		add_number(state, server->weight);
		add_number(state, server->is_tls);
		add_text(state, server->secret.text, server->secret.length);
		is_shareable &= server->kind != MCP_SERVER_MEMORY;
		depends_on_root |= server->kind == MCP_SERVER_UNIX || server->is_discovery;
	}
	return is_shareable && (!depends_on_root || add_root(state));
}

/* Add the reader: another user can lack access to the socket or the password, and a process without a signing key must
 * not share values with processes that verify signatures. */
static void add_reader(mcp_sha256 *state, const mcp_pool *pool) {
	mcp_user user = php_mcp_user_ask();
	const mcp_server_access *access = pool->traits.connection.access;
	add_number(state, user.id);
	add_number(state, user.group);
	add_number(state, user.namespace_id);
	add_number(state, access != NULL);
	if (access != NULL) {
		add_to_hash(state, access->fingerprint, sizeof(access->fingerprint));
	}
	const mcp_signing_keys *keys = pool->format.signing_keys;
	add_number(state, keys != NULL);
	if (keys != NULL) {
		unsigned char fingerprint[MCP_SIGNATURE_LENGTH];
		mcp_signature_fingerprint(keys, fingerprint);
		add_to_hash(state, fingerprint, sizeof(fingerprint));
	}
}

/* Make the identity. Queries the system for the user, which takes about 5,000 instructions. */
static mcp_pool_identity identify(const mcp_pool *pool, const mcp_server *servers, size_t count) {
	unsigned char digest[MCP_SHA256_LENGTH];
	mcp_sha256 state;
	mcp_pool_identity identity;
	mcp_sha256_begin(&state);
	add_number(&state, pool->traits.distribution);
	add_number(&state, pool->traits.fails_over);
	add_text(&state, ZSTR_VAL(pool->prefix), ZSTR_LEN(pool->prefix));
	identity.is_shareable = add_servers(&state, servers, count);
	add_reader(&state, pool);
	mcp_sha256_finish(&state, digest);
	memcpy(identity.hash, digest, sizeof(identity.hash));
	identity.hash[0] += identity.hash[0] == 0;
	identity.hash[1] += identity.hash[1] == 0;
	return identity;
}

/* --- servers --- */

static mcp_server_set *get_set(const mcp_pool_traits *traits, const mcp_written_servers *written,
	const zend_string *name) {
	mcp_server_set_options set = {
		.written = *written,
		.list_name = name,
		.distribution = traits->distribution,
		.settings = traits->connection,
		.is_shared = traits->is_persistent,
	};
	set.settings.user = php_mcp_user_of_request();
	return php_mcp_server_sets_get(&set);
}

/* Make the set of a discovered list, which was validated when it was received. */
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

/* True if the pool has not yet taken the newest known list. */
static bool has_another_list(const mcp_pool *pool) {
	const zend_string *list = pool->discovery->list;
	return list != NULL && list != pool->list;
}

static void begin_with_endpoint(mcp_pool *pool, const mcp_pool_options *options) {
	pool->discovery = share_written_discovery(pool, &options->servers);
	pool->place = &MCP_REQUEST(discovering_pools);
	pool->next = *pool->place;
	if (pool->next != NULL) {
		pool->next->place = &pool->next;
	}
	*pool->place = pool;
	php_mcp_discovery_renew(pool->discovery, &pool->traits.connection);
	pool->set = has_another_list(pool)
		? take_list(pool)
		: get_set(&pool->traits, &options->servers, options->servers_name);
}

static void end_with_endpoint(mcp_pool *pool) {
	*pool->place = pool->next;
	if (pool->next != NULL) {
		pool->next->place = pool->place;
	}
	drop_list(pool);
	php_mcp_idle_table_let_go(&MCP_G(discoveries), pool->discovery, false);
	if (pool->before != NULL) {
		php_mcp_server_sets_free(pool->before);
	}
}

/* --- the listener --- */

static void begin_with(mcp_listener *listener, size_t servers) {
	listener->servers = servers;
	listener->failures = ecalloc(servers, sizeof(mcp_pool_failure));
	listener->quiet_until_ms = ecalloc(servers * MCP_ERROR_KIND_KINDS, sizeof(uint64_t));
}

static void free_servers(mcp_listener *listener) {
	efree(listener->failures);
	efree(listener->quiet_until_ms);
}

void php_mcp_pool_add_listener(mcp_pool *pool, mcp_store_observer observer) {
	pool->observer = observer;
	pool->listener = ecalloc(1, sizeof(*pool->listener));
	pool->listener->call = php_mcp_user_call_none();
	pool->listener->end = &pool->listener->first;
	begin_with(pool->listener, php_mcp_server_set_count(pool->set));
	pool->set = php_mcp_server_sets_observe(pool->set, observer, pool);
}

mcp_listener *php_mcp_pool_listener(const mcp_pool *pool) {
	return pool->listener;
}

mcp_queued_error *php_mcp_pool_take_queued_error(mcp_listener *listener) {
	mcp_queued_error *one = listener->first;
	listener->first = one->next;
	if (listener->first == NULL) {
		listener->end = &listener->first;
	}
	return one;
}

void php_mcp_pool_free_queued_error(mcp_queued_error *one) {
	zend_string_release(one->name);
	if (one->exception != NULL) {
		OBJ_RELEASE(one->exception);
	}
	efree(one);
}

/* Release the previous callback last, because it can hold the last reference to any object. */
void php_mcp_pool_set_listener(mcp_listener *listener, const mcp_user_call *call) {
	mcp_user_call before = listener->call;
	memset(listener->failures, 0, listener->servers * sizeof(mcp_pool_failure));
	while (listener->first != NULL) {
		php_mcp_pool_free_queued_error(php_mcp_pool_take_queued_error(listener));
	}
	memset(listener->quiet_until_ms, 0,
		listener->servers * MCP_ERROR_KIND_KINDS * sizeof(uint64_t));
	listener->call = php_mcp_user_call_none();
	if (call != NULL) {
		listener->call = *call;
		php_mcp_user_call_keep(&listener->call);
	}
	if (!php_mcp_user_call_is_none(&before)) {
		php_mcp_user_call_release(&before);
	}
}

bool php_mcp_pool_has_queued_errors(const mcp_listener *listener) {
	for (size_t i = 0; i < listener->servers; i++) {
		if (listener->failures[i].status != MCP_OK) {
			return true;
		}
	}
	return listener->first != NULL;
}

/* --- creation and release --- */

mcp_pool *php_mcp_pool_create(const mcp_pool_options *options) {
	mcp_pool *pool = ecalloc(1, sizeof(*pool));
	pool->references = 1;
	pool->prefix = options->prefix;
	pool->format = options->format;
	pool->traits = options->traits;
	if (options->are_discovered) {
		begin_with_endpoint(pool, options);
	} else {
		pool->set = get_set(&pool->traits, &options->servers, options->servers_name);
	}
	zend_string_release(options->servers_name);
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
		php_mcp_pool_set_listener(pool->listener, NULL);
		free_servers(pool->listener);
		efree(pool->listener);
	}
	php_mcp_server_sets_free(pool->set);
	if (pool->discovery != NULL) {
		end_with_endpoint(pool);
	}
	zend_string_release(pool->prefix);
	php_mcp_format_free(&pool->format);
	php_mcp_server_access_free(pool->traits.connection.access);
	efree(pool);
}

void php_mcp_pool_belong_to(mcp_pool *pool, zend_object *object) {
	pool->object = object;
}

zend_object *php_mcp_pool_object(const mcp_pool *pool) {
	return pool->object;
}

mcp_pool *php_mcp_pool_add_reference(mcp_pool *pool) {
	if (pool->object != NULL) {
		GC_ADDREF(pool->object);
	}
	return php_mcp_pool_addref(pool);
}

/* Release the object last, because it can release the pool. */
void php_mcp_pool_let_go(mcp_pool *pool) {
	zend_object *object = pool->object;
	php_mcp_pool_release(pool);
	if (object != NULL) {
		OBJ_RELEASE(object);
	}
}

/* --- changes of servers --- */

static void (*at_change)(void);

void php_mcp_pool_register_change(void (*ending)(void)) {
	at_change = ending;
}

/* Replace the set with a set of the currently known servers. */
static void change_set(mcp_pool *pool) {
	mcp_server_set *set = take_list(pool);
	if (pool->listener != NULL) {
		free_servers(pool->listener);
		begin_with(pool->listener, php_mcp_server_set_count(set));
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

/* Follow the discovery of the current user. Skip a pool whose listener has unreported failures of the pool's current
 * servers. */
void php_mcp_pool_renew_all(void) {
	for (mcp_pool *pool = MCP_REQUEST(discovering_pools); pool != NULL; pool = pool->next) {
		mcp_discovery *before = pool->discovery;
		pool->discovery = share_discovery(pool, &before->endpoint);
		php_mcp_idle_table_let_go(&MCP_G(discoveries), before, false);
		php_mcp_discovery_renew(pool->discovery, &pool->traits.connection);
		bool is_busy = pool->listener != NULL && php_mcp_pool_has_queued_errors(pool->listener);
		if (!is_busy && has_another_list(pool)) {
			change_set(pool);
		}
	}
}

const mcp_discovery *php_mcp_pool_discovery_of(const mcp_pool *pool) {
	return pool->discovery;
}

uint64_t php_mcp_pool_changes(const mcp_pool *pool) {
	return pool->changes;
}

zend_string *php_mcp_pool_list(const mcp_pool *pool) {
	return pool->list;
}

/* --- use --- */

/* Schedule the renewal for the end of the method. */
static zend_never_inline void renew_from_endpoint(const mcp_pool *pool) {
	if (has_another_list(pool) ||
		mcp_discovered_is_outdated(&pool->discovery->known, php_mcp_environment_get())) {
		MCP_REQUEST(servers_are_outdated) = true;
		php_mcp_method_end_ask();
	}
}

static zend_always_inline void renew_servers_if_due(const mcp_pool *pool) {
	if (UNEXPECTED(pool->discovery != NULL)) {
		renew_from_endpoint(pool);
	}
}

mcp_store *php_mcp_pool_store(mcp_pool *pool) {
	renew_servers_if_due(pool);
	return php_mcp_server_set_store(pool->set);
}

mcp_store *php_mcp_pool_cache_store(mcp_pool *pool) {
	renew_servers_if_due(pool);
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

/* Sum of hashes: for ketama, the order of servers does not matter. The application chooses the servers, and the sum
 * remains in the process, so a forged collision gains nothing. */
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
	renew_servers_if_due(pool);
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

mcp_key php_mcp_pool_key_make(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer) {
	mcp_key_parts parts = {
		.space = space,
		.prefix = php_mcp_pool_prefix(pool),
		.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
	};
	return mcp_key_make(buffer, &parts);
}

/* --- reports --- */

#define NS_PER_S 1e9
#define MS_PER_S 1000.0

void php_mcp_pool_report_servers(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		const mcp_server *server = php_mcp_pool_server(pool, i);
		zval row;
		array_init_size(&row, 3);
		add_assoc_string(&row, "host",
			server->kind == MCP_SERVER_TCP ? server->host : server->address);
		add_assoc_long(&row, "port", server->port);
		add_assoc_long(&row, "weight", server->weight);
		add_next_index_zval(report, &row);
	}
}

void php_mcp_pool_report_ping(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		uint64_t begin_ns = php_mcp_environment_measure_ns();
		bool is_up = mcp_store_ping(store) == MCP_OK;
		uint64_t taken_ns = php_mcp_environment_measure_ns() - begin_ns;
		if (is_up) {
			add_assoc_double(report, store->address, (double)taken_ns / NS_PER_S);
		} else {
			add_assoc_null(report, store->address);
		}
	}
}

void php_mcp_pool_report_failures(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		const mcp_store_failure *failure = mcp_store_last_failure(store);
		if (failure == NULL) {
			add_assoc_null(report, store->address);
			continue;
		}
		zend_string *message = zend_strpprintf(0, "the server %s", failure->reason.text);
		zval row;
		array_init_size(&row, 2);
		add_assoc_str(&row, "message", message);
		add_assoc_double(&row, "at", (double)failure->at_ms / MS_PER_S);
		add_assoc_zval(report, store->address, &row);
	}
}

void php_mcp_pool_report_stats(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		mcp_buffer lines = {0};
		if (mcp_store_stats(store, php_mcp_diagnosis_collect, &lines) == MCP_OK) {
			php_mcp_diagnosis_add_lines(report, store->address, &lines);
		} else {
			add_assoc_null(report, store->address);
			mcp_buffer_free(&lines);
		}
	}
}

/* Report that a password is set, but not its text. */
static void add_access(zval *report, const mcp_server_access *access) {
	if (php_mcp_tls_options_are_given(&access->tls)) {
		zval options;
		array_init(&options);
		php_mcp_tls_options_show(&options, &access->tls);
		add_assoc_zval(report, "tls", &options);
	}
	if (php_mcp_server_secret_is_given(&access->secret)) {
		add_assoc_stringl(report, "user", access->secret.text, access->secret.user_length);
		add_assoc_bool(report, "password", true);
	}
}

void php_mcp_pool_report_settings(zval *report, mcp_pool *pool) {
	const mcp_pool_traits *traits = &pool->traits;
	const mcp_connection_settings *connection = &traits->connection;
	const mcp_format *format = &pool->format;
	zval servers, failures;
	array_init(&servers);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		const mcp_server *server = php_mcp_pool_server(pool, i);
		add_assoc_long(&servers, server->address, server->weight);
	}
	add_assoc_zval(report, "servers", &servers);
	if (pool->discovery != NULL) {
		php_mcp_discovery_report_add(report, pool->discovery);
	}
	add_assoc_str(report, "prefix", zend_string_copy(pool->prefix));
	add_assoc_string(report, "distribution",
		php_mcp_server_sets_distribution_name(traits->distribution));
	add_assoc_string(report, "transport",
		connection->transport == MCP_TRANSPORT_DIRECT ? "direct" : "libmemcached");
	add_assoc_string(report, "serializer", format->serializer->name);
	add_assoc_string(report, "compression",
		format->compressor != NULL ? format->compressor->name : "none");
	add_assoc_long(report, "compressAbove", (zend_long)format->compress_above);
	add_assoc_double(report, "connectTimeout", connection->connect_timeout_ms / MS_PER_S);
	add_assoc_double(report, "timeout", connection->timeout_ms / MS_PER_S);
	add_assoc_double(report, "retryAfter", connection->retry_after_ms / MS_PER_S);
	if (connection->access != NULL) {
		add_access(report, connection->access);
	}
	add_assoc_bool(report, "failover", traits->fails_over);
	add_assoc_bool(report, "persistent", traits->is_persistent);
	php_mcp_pool_report_failures(&failures, pool);
	add_assoc_zval(report, "lastErrors", &failures);
}

/* Query all servers first, one after the other, each within its timeouts. */
void php_mcp_pool_report_diagnosis(zval *report, mcp_pool *pool) {
	mcp_diagnosed diagnosed = {
		.discovery = pool->discovery,
		.connection = &pool->traits.connection,
		.format = &pool->format,
		.is_persistent = pool->traits.is_persistent,
		.fails_over = pool->traits.fails_over,
	};
	zval servers;
	array_init(&servers);
	size_t count = php_mcp_pool_server_count(pool);
	for (size_t i = 0; i < count; i++) {
		php_mcp_diagnosis_ask(&servers, php_mcp_pool_server(pool, i),
			php_mcp_pool_server_store(pool, i), diagnosed.connection);
	}
	php_mcp_diagnosis_make(report, &servers, &diagnosed, NULL);
}
