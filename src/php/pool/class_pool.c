/* The class McPatterns\Pool: the object around an mcp_pool. pool_arguments.c validates its constructor's arguments. */
/* SPDX-License-Identifier: MIT */
#include "class_pool.h"

#include "../../core/decimal.h"
#include "../../store/server/stat_lines.h"
#include "../engine/compat.h"
#include "../engine/user_call.h"
#include "../engine/interrupt.h"
#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/enums.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../objects/options.h"
#include "diagnosis/diagnosis.h"
#include "discovery/discovery.h"
#include "pool_arguments.h"
#include "pool.h"
#include "pool_listener.h"
#include "servers/server_sets.h"
#include "zend_attributes.h"
#include "zend_exceptions.h"
#include "php_mcpatterns.h"

#include "class_pool_arginfo.h"

/* Describe the servers. The caller frees the array. */
static mcp_diagnosed_server *show_servers(mcp_pool *pool, size_t count) {
	mcp_diagnosed_server *servers = safe_emalloc(count, sizeof(*servers), 0);
	for (size_t i = 0; i < count; i++) {
		servers[i].server = php_mcp_pool_server(pool, i);
		servers[i].store = php_mcp_pool_server_store(pool, i);
	}
	return servers;
}

static void diagnose(zval *report, mcp_pool *pool) {
	const mcp_pool_traits *traits = php_mcp_pool_traits_of(pool);
	const mcp_format *format = php_mcp_pool_format(pool);
	size_t count = php_mcp_pool_server_count(pool);
	mcp_diagnosed_server *servers = show_servers(pool, count);
	mcp_diagnosed diagnosed = {
		.servers = servers,
		.count = count,
		.discovery = php_mcp_pool_discovery_of(pool),
		.access = traits->access,
		.serializer = format->serializer->name,
		.compression = format->compressor != NULL ? format->compressor->name : "none",
		.connect_timeout_ms = traits->connect_timeout_ms,
		.timeout_ms = traits->timeout_ms,
		.retry_after_ms = traits->retry_after_ms,
		.is_direct = traits->transport == MCP_TRANSPORT_DIRECT,
		.is_persistent = traits->is_persistent,
		.fails_over = traits->fails_over,
		.is_signed = format->signing_keys != NULL,
		.limits_classes = format->allowed_classes != NULL,
	};
	php_mcp_diagnosis_make(report, &diagnosed, NULL);
	efree(servers);
}

/* Clear the exception and return its message. */
static zend_string *take_mistake(void) {
	zval room;
	const zval *message = php_mcp_exception_property_read(EG(exception), ZEND_STR_MESSAGE, &room);
	zend_string *mistake =
		Z_TYPE_P(message) == IS_STRING ? zend_string_copy(Z_STR_P(message)) : ZSTR_EMPTY_ALLOC();
	zend_clear_exception();
	return mistake;
}

/* Make the report of a Pool. `pool` NULL: report the current exception instead, and clear it. */
static void php_mcp_pool_diagnosis_make(zval *report, mcp_pool *pool) {
	if (pool != NULL) {
		diagnose(report, pool);
		return;
	}
	zend_string *mistake = take_mistake();
	php_mcp_diagnosis_make(report, NULL, ZSTR_VAL(mistake));
	zend_string_release(mistake);
}

/* Requests statistics from the servers, one by one, into arrays keyed by address. No array is modified while a reply
 * is being read, because that could run out of memory. */

#define NS_PER_S 1e9
#define MS_PER_S 1000.0

static void add_server(zval *report, const mcp_server *server) {
	bool is_tcp = server->kind == MCP_SERVER_TCP;
	zval row;
	array_init_size(&row, 3);
	add_assoc_string(&row, "host", is_tcp ? server->host : server->address);
	add_assoc_long(&row, "port", server->port);
	add_assoc_long(&row, "weight", server->weight);
	add_next_index_zval(report, &row);
}

static void php_mcp_pool_report_servers(zval *report, const mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		add_server(report, php_mcp_pool_server(pool, i));
	}
}

static void php_mcp_pool_report_ping(zval *report, mcp_pool *pool) {
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

static void add_failure(zval *report, const char *address, const mcp_store_failure *failure) {
	zend_string *message = zend_strpprintf(0, "the server %s", failure->reason.text);
	zval row;
	array_init_size(&row, 2);
	add_assoc_str(&row, "message", message);
	add_assoc_double(&row, "at", (double)failure->at_ms / MS_PER_S);
	add_assoc_zval(report, address, &row);
}

static void php_mcp_pool_report_failures(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		const mcp_store_failure *failure = mcp_store_last_failure(store);
		if (failure != NULL) {
			add_failure(report, store->address, failure);
		} else {
			add_assoc_null(report, store->address);
		}
	}
}

/* Collect a line. Drops it if memory is exhausted. */
static void collect(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_stat_lines_add(context, name, value);
}

/* Add a name and a value, neither NUL-terminated. */
static void add_statistic(void *context, mcp_bytes name, mcp_bytes value) {
	zval *row = context;
	int64_t number;
	if (mcp_decimal_parse_i64(value, &number) && number >= ZEND_LONG_MIN &&
		number <= ZEND_LONG_MAX) {
		add_assoc_long_ex(row, name.data, name.length, (zend_long)number);
	} else {
		add_assoc_stringl_ex(row, name.data, name.length, value.data, value.length);
	}
}

static void add_statistics(zval *report, const char *address, const mcp_buffer *lines) {
	zval row;
	array_init(&row);
	mcp_stat_lines_visit(lines, add_statistic, &row);
	add_assoc_zval(report, address, &row);
}

static void php_mcp_pool_report_stats(zval *report, mcp_pool *pool) {
	array_init(report);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		mcp_store *store = php_mcp_pool_server_store(pool, i);
		mcp_buffer lines = {0};
		if (mcp_store_stats(store, collect, &lines) == MCP_OK) {
			add_statistics(report, store->address, &lines);
		} else {
			add_assoc_null(report, store->address);
		}
		mcp_buffer_free(&lines);
	}
}

static void add_servers(zval *report, const mcp_pool *pool) {
	zval servers;
	array_init(&servers);
	for (size_t i = 0; i < php_mcp_pool_server_count(pool); i++) {
		const mcp_server *server = php_mcp_pool_server(pool, i);
		add_assoc_long(&servers, server->address, server->weight);
	}
	add_assoc_zval(report, "servers", &servers);
}

static void add_format(zval *report, const mcp_format *format) {
	add_assoc_string(report, "serializer", format->serializer->name);
	add_assoc_string(report, "compression",
		format->compressor != NULL ? format->compressor->name : "none");
	add_assoc_long(report, "compressAbove", (zend_long)format->compress_above);
}

/* Report that there is a password, not its text. */
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

/* Add the settings for var_dump() to an existing array. */
static void php_mcp_pool_report_settings(zval *report, mcp_pool *pool) {
	const mcp_pool_traits *traits = php_mcp_pool_traits_of(pool);
	mcp_bytes prefix = php_mcp_pool_prefix(pool);
	add_servers(report, pool);
	if (php_mcp_pool_discovery_of(pool) != NULL) {
		php_mcp_discovery_report_add(report, php_mcp_pool_discovery_of(pool));
	}
	add_assoc_stringl(report, "prefix", prefix.data, prefix.length);
	add_assoc_string(report, "distribution", php_mcp_server_rings_name(traits->distribution));
	add_assoc_string(report, "transport",
		traits->transport == MCP_TRANSPORT_DIRECT ? "direct" : "libmemcached");
	add_format(report, php_mcp_pool_format(pool));
	add_assoc_double(report, "connectTimeout", traits->connect_timeout_ms / MS_PER_S);
	add_assoc_double(report, "timeout", traits->timeout_ms / MS_PER_S);
	add_assoc_double(report, "retryAfter", traits->retry_after_ms / MS_PER_S);
	if (traits->access != NULL) {
		add_access(report, traits->access);
	}
	add_assoc_bool(report, "failover", traits->fails_over);
	add_assoc_bool(report, "persistent", traits->is_persistent);
	zval failures;
	php_mcp_pool_report_failures(&failures, pool);
	add_assoc_zval(report, "lastErrors", &failures);
}

/* `pool` is NULL until the constructor succeeded. */
typedef struct pool_object {
	mcp_pool *pool;
	zend_object std;
} pool_object;

zend_class_entry *php_mcp_pool_class_entry;

static zend_object_handlers handlers;

static pool_object *from_std(zend_object *object) {
	return (pool_object *)((char *)object - offsetof(pool_object, std));
}

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	pool_object *object = from_std(std);
	if (object->pool != NULL) {
		mcp_pool *pool = object->pool;
		object->pool = NULL;
		php_mcp_pool_belong_to(pool, NULL);
		if (php_mcp_pool_listener(pool) != NULL) {
			php_mcp_listener_set(php_mcp_pool_listener(pool), NULL);
		}
		php_mcp_pool_release(pool);
	}
	zend_object_std_dtor(std);
}

/* Shows the settings without the signing keys. */
static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	mcp_pool *pool = from_std(std)->pool;
	zval info;
	*is_temporary = 1;
	array_init(&info);
	if (pool != NULL) {
		php_mcp_pool_report_settings(&info, pool);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	const mcp_pool *pool = from_std(std)->pool;
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
	if (pool != NULL && php_mcp_pool_listener(pool) != NULL) {
		php_mcp_listener_show(php_mcp_pool_listener(pool), buffer);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

static void construct(pool_object *object, mcp_pool *pool) {
	object->pool = pool;
	php_mcp_pool_belong_to(pool, &object->std);
}

mcp_pool *php_mcp_class_pool_get(zend_object *std) {
	mcp_pool *pool = php_mcp_object_has(std, &handlers) ? from_std(std)->pool : NULL;
	return php_mcp_object_require_constructed(std, pool) ? pool : NULL;
}

void php_mcp_class_pool_release_default(void) {
	zend_object *std = MCP_REQUEST(default_pool);
	MCP_REQUEST(default_pool) = NULL;
	if (std != NULL) {
		OBJ_RELEASE(std);
	}
}

static zend_object *php_mcp_class_pool_default_object(void) {
	if (MCP_REQUEST(default_pool) != NULL &&
		MCP_REQUEST(default_pool_version) == MCP_G(settings_version)) {
		return MCP_REQUEST(default_pool);
	}
	php_mcp_class_pool_release_default();
	mcp_pool_arguments none = php_mcp_pool_arguments_none();
	mcp_pool *pool = php_mcp_pool_arguments_create(&none);
	if (pool == NULL) {
		return NULL;
	}
	zend_object *std = create(php_mcp_pool_class_entry);
	construct(from_std(std), pool);
	MCP_REQUEST(default_pool) = std;
	MCP_REQUEST(default_pool_version) = MCP_G(settings_version);
	return std;
}

mcp_pool *php_mcp_class_pool_default(void) {
	zend_object *std = php_mcp_class_pool_default_object();
	return std != NULL ? from_std(std)->pool : NULL;
}

ZEND_METHOD(McPatterns_Pool, __construct) {
	mcp_pool_arguments arguments = php_mcp_pool_arguments_none();

	if (!php_mcp_strict_argument_judge_text(execute_data, 2,
			"specify the port in $servers, as in \"127.0.0.1:11211\"")) {
		RETURN_THROWS();
	}
	ZEND_PARSE_PARAMETERS_START(0, 17)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_STR_OR_NULL(arguments.server_list, arguments.servers)
		Z_PARAM_STR_OR_NULL(arguments.prefix)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.distribution, php_mcp_distribution_enum)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.format.serializer, php_mcp_serializer_enum)
		Z_PARAM_ZVAL(arguments.format.allowed_classes)
		Z_PARAM_ARRAY_HT_OR_STR_OR_NULL(arguments.format.signing_keys, arguments.format.signing_key)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.format.compression, php_mcp_compression_enum)
		Z_PARAM_LONG_OR_NULL(arguments.format.compress_above,
			arguments.format.compress_above_is_null)
		Z_PARAM_NUMBER_OR_NULL(arguments.connect_timeout)
		Z_PARAM_NUMBER_OR_NULL(arguments.timeout)
		Z_PARAM_NUMBER_OR_NULL(arguments.retry_after)
		Z_PARAM_BOOL(arguments.failover)
		Z_PARAM_BOOL_OR_NULL(arguments.persistent, arguments.persistent_is_null)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.transport, php_mcp_transport_enum)
		Z_PARAM_ARRAY_HT_OR_NULL(arguments.access.tls)
		Z_PARAM_STR_OR_NULL(arguments.access.user)
		Z_PARAM_STR_OR_NULL(arguments.access.password)
	ZEND_PARSE_PARAMETERS_END();

	pool_object *object = from_std(Z_OBJ_P(ZEND_THIS));
	/* A deprecation handler may have constructed the object meanwhile. */
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	mcp_pool *pool = php_mcp_pool_arguments_create(&arguments);
	if (pool == NULL) {
		RETURN_THROWS();
	}
	construct(object, pool);
}

ZEND_METHOD(McPatterns_Pool, default) {
	ZEND_PARSE_PARAMETERS_NONE();
	zend_object *std = php_mcp_class_pool_default_object();
	if (std == NULL) {
		RETURN_THROWS();
	}
	RETURN_OBJ_COPY(std);
}

ZEND_METHOD(McPatterns_Pool, endRequest) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_request_scopes_between();
}

ZEND_METHOD(McPatterns_Pool, diagnose) {
	zend_object *given = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, php_mcp_pool_class_entry)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = given != NULL ? php_mcp_class_pool_get(given) : php_mcp_class_pool_default();
	if (pool == NULL && given != NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_diagnosis_make(return_value, pool);
}

ZEND_METHOD(McPatterns_Pool, servers) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_report_servers(return_value, pool);
}

ZEND_METHOD(McPatterns_Pool, serverFor) {
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	if (ZSTR_LEN(name) == 0) {
		zend_argument_value_error(1, "must not be empty");
		RETURN_THROWS();
	}
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_pool_key_make(MCP_SPACE_CACHE, pool, name, &buffer);
	RETURN_STRING(mcp_store_owner(php_mcp_pool_store(pool), &key)->address);
}

ZEND_METHOD(McPatterns_Pool, ping) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_report_ping(return_value, pool);
}

ZEND_METHOD(McPatterns_Pool, stats) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_report_stats(return_value, pool);
}

ZEND_METHOD(McPatterns_Pool, lastErrors) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_report_failures(return_value, pool);
}

ZEND_METHOD(McPatterns_Pool, onError) {
	mcp_user_call listener = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC_OR_NULL(listener.info, listener.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_listener_set(pool, php_mcp_user_call_is_none(&listener) ? NULL : &listener);
}

ZEND_METHOD(McPatterns_Pool, flush) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_pool_flush(pool));
}

ZEND_METHOD(McPatterns_Pool, close) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_pool *pool = php_mcp_class_pool_get(Z_OBJ_P(ZEND_THIS));
	if (pool == NULL) {
		RETURN_THROWS();
	}
	php_mcp_pool_close(pool);
}

void php_mcp_class_pool_register(void) {
	php_mcp_pool_class_entry = register_class_McPatterns_Pool();
	php_mcp_pool_class_entry->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(pool_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
