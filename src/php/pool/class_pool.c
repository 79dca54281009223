/* McPatterns\Pool: the object around an mcp_pool. Its constructor's arguments are read and judged in
 * pool_arguments.c. */
/* SPDX-License-Identifier: MIT */
#include "class_pool.h"

#include "../objects/classes.h"
#include "../engine/compat.h"
#include "../objects/enums.h"
#include "../objects/object.h"
#include "pool_key.h"
#include "../objects/strict_argument.h"
#include "php_mcpatterns.h"
#include "pool_arguments.h"
#include "pool_diagnosis.h"
#include "pool_report.h"
#include "pool_flush.h"
#include "../engine/request_scopes.h"
#include "pool_listener.h"
#include "zend_attributes.h"

#include "class_pool_arginfo.h"

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

/* Shows the settings, never what values are signed with. */
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

zend_object *php_mcp_class_pool_default_object(void) {
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
			"a port stands in $servers, as in \"127.0.0.1:11211\"")) {
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
	/* The handler of a parameter's deprecation may have constructed it. */
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
		zend_argument_value_error(1, "cannot be empty");
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
