/* The class McPatterns\SessionHandler: PHP's session interface as an object. */
/* SPDX-License-Identifier: MIT */
#include "../../core/session/session_parts.h"
#include "../engine/bailout.h"
#include "../engine/compat.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/enums.h"
#include "../objects/failure.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"
#include "../pooled/pooled_object.h"
#include "session_module.h"
#include "zend_exceptions.h"
#include "php_ini.h"

#include "class_session_handler_arginfo.h"

/* Parsed arguments. All borrowed. */
typedef struct arguments {
	zend_object *pool;
	zend_object *locking; /* NULL: not given, also below */
	bool has_no_ttl;
	zend_long ttl_s;
	zend_string *format;
	zend_long merge_depth;
	zend_string *foreign;
} arguments;

/* Argument numbers of the stub, as in errors. */

enum { TTL_ARGUMENT = 5, FORMAT_ARGUMENT, DEPTH_ARGUMENT, FOREIGN_ARGUMENT };

static bool judge_ttl(const arguments *given, mcp_session_options *options) {
	zend_long ttl_s =
		given->has_no_ttl ? zend_ini_long_literal("session.gc_maxlifetime") : given->ttl_s;
	options->pattern.ttl_ms = (uint64_t)ttl_s * 1000;
	if (ttl_s >= 1 && (double)ttl_s <= MCP_DURATION_MAX_S) {
		return true;
	}
	zend_argument_value_error(TTL_ARGUMENT, "must be between 1 and %.0f seconds",
		MCP_DURATION_MAX_S);
	return false;
}

static bool judge_format(const arguments *given, mcp_session_options *options) {
	if (given->format == NULL) {
		options->pattern.format =
			php_mcp_open_session_find_format(zend_ini_string_literal("session.serialize_handler"));
		return true;
	}
	bool is_name = strlen(ZSTR_VAL(given->format)) == ZSTR_LEN(given->format);
	options->pattern.format =
		php_mcp_open_session_find_format(is_name ? ZSTR_VAL(given->format) : NULL);
	if (options->pattern.format == MCP_SESSION_OTHER) {
		zend_argument_value_error(FORMAT_ARGUMENT,
			"must be php, php_serialize, php_binary, igbinary or msgpack");
		return false;
	}
	return true;
}

static bool judge_foreign(const arguments *given, mcp_session_options *options) {
	zend_string *prefix = given->foreign;
	if (prefix == NULL || ZSTR_LEN(prefix) == 0) {
		return true;
	}
	if (options->pattern.signing_keys != NULL) {
		zend_argument_value_error(FOREIGN_ARGUMENT,
			"must be null if the Pool has a signing key: another handler's sessions are not signed");
		return false;
	}
	options->foreign = prefix;
	if (mcp_key_is_safe(php_mcp_bytes_of(prefix))) {
		return true;
	}
	zend_argument_value_error(FOREIGN_ARGUMENT,
		"must be at most %d bytes without spaces or control characters", MCP_WIRE_KEY_MAX);
	return false;
}

/* In the order of var_dump(). */
/* clang-format off */
static const mcp_option rows[] = {
	{"lockWait", 3, MCP_OPTION_DURATION, MCP_DURATION_SHORT, false, offsetof(mcp_session_options, pattern.wait_ms), 0, 35, 0, 0},
	{"lockExpire", 4, MCP_OPTION_DURATION, MCP_DURATION_POSITIVE, false, offsetof(mcp_session_options, pattern.lock_ttl_ms), 0, 30, 0, 0},
	{"ttl", TTL_ARGUMENT, MCP_OPTION_MS, 0, false, offsetof(mcp_session_options, pattern.ttl_ms), 0, 0, 0, 0},
};
/* clang-format on */
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* Fill in all options except the pool. The signing keys must have been set. `foreign` is borrowed. Enum cases have the
 * order of the C enum. Returns false with a ValueError that names the argument. */
static bool judge_options(zend_execute_data *call, const arguments *given,
	mcp_session_options *options) {
	php_mcp_options_fill(options, rows, ROWS);
	if (given->locking != NULL) {
		options->pattern.locking = (mcp_session_locking)php_mcp_enums_case(given->locking);
	}
	options->pattern.merge_depth = (unsigned)given->merge_depth;
	return php_mcp_options_judge(call, options, rows, ROWS) && judge_ttl(given, options) &&
		judge_format(given, options) &&
		php_mcp_options_is_between(DEPTH_ARGUMENT, given->merge_depth, 1,
			MCP_SESSION_MERGE_DEPTH_MAX) &&
		judge_foreign(given, options);
}

/* `handling.options.pool` is NULL until construction. */
typedef struct handler_object {
	mcp_session_handling handling;
	zend_object std;
} handler_object;

static zend_class_entry *class_entry;
static zend_object_handlers handlers;

static handler_object *from_std(zend_object *object) {
	return (handler_object *)((char *)object - offsetof(handler_object, std));
}

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_session_handling *self = &from_std(std)->handling;
	if (self->options.pool != NULL) {
		php_mcp_session_module_close(self);
		php_mcp_session_module_keep(self, NULL, NULL);
		php_mcp_pool_let_go(self->options.pool);
		if (self->options.foreign != NULL) {
			zend_string_release(self->options.foreign);
		}
		self->options.pool = NULL;
	}
	zend_object_std_dtor(std);
	php_mcp_bailout_raise();
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(from_std(std)->handling.options.pool, NULL, table,
		count);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_session_options *options = &from_std(std)->handling.options;
	HashTable *info = php_mcp_pooled_object_begin_debug_info(options->pool, is_temporary);
	if (options->pool != NULL) {
		php_mcp_options_show(info, options, rows, ROWS);
	}
	return info;
}

ZEND_METHOD(McPatterns_SessionHandler, __construct) {
	arguments given = {.has_no_ttl = true, .merge_depth = 1};
	zval *duration; /* moved out of the call frame */
	(void)return_value;
	ZEND_PARSE_PARAMETERS_START(1, 8)
		Z_PARAM_OBJ_OF_CLASS(given.pool, php_mcp_pool_class_entry)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(given.locking, php_mcp_locking_enum)
		Z_PARAM_NUMBER(duration)
		Z_PARAM_NUMBER(duration)
		Z_PARAM_LONG_OR_NULL(given.ttl_s, given.has_no_ttl)
		Z_PARAM_STR_OR_NULL(given.format)
		Z_PARAM_LONG(given.merge_depth)
		Z_PARAM_STR_OR_NULL(given.foreign)
	ZEND_PARSE_PARAMETERS_END();

	handler_object *object = from_std(Z_OBJ_P(ZEND_THIS));
	mcp_pool *pool = php_mcp_class_pool_get(given.pool);
	mcp_session_options options = {
		.pattern.signing_keys = pool != NULL ? php_mcp_pool_format(pool)->signing_keys : NULL,
	};
	if (pool == NULL || !judge_options(execute_data, &given, &options) ||
		!php_mcp_object_require_new(&object->std, object->handling.options.pool)) {
		RETURN_THROWS();
	}
	options.pool = php_mcp_pool_add_reference(pool);
	options.counted = php_mcp_open_session_find_counts(pool);
	options.foreign = options.foreign != NULL ? zend_string_copy(options.foreign) : NULL;
	object->handling.options = options;
}

/* Returns NULL with an Error if the object was never constructed. */
static mcp_session_handling *handling_of(zval *self) {
	mcp_session_handling *handling = &from_std(Z_OBJ_P(self))->handling;
	return php_mcp_object_require_constructed(Z_OBJ_P(self), handling->options.pool) ? handling
																					 : NULL;
}

/* Returns NULL with an exception if the object was never constructed or the id is invalid. */
static mcp_session_handling *handling_for(zval *self, const zend_string *id) {
	if (ZSTR_LEN(id) == 0) {
		zend_argument_value_error(1, "must not be empty");
		return NULL;
	}
	return handling_of(self);
}

/* Like handling_for(), for a method whose only parameter is the id. */
static mcp_session_handling *parse_id(zend_execute_data *execute_data, zend_string **id) {
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(*id)
	ZEND_PARSE_PARAMETERS_END_EX(return NULL);
	return handling_for(ZEND_THIS, *id);
}

/* Takes over the trouble, if there is any, and throws it with its text as a sentence. */
static void return_trouble(zval *return_value, mcp_session_trouble trouble) {
	if (trouble.text == NULL) {
		RETURN_TRUE;
	}
	if (EG(exception) == NULL) {
		ZSTR_VAL(trouble.text)[0] = (char)toupper((unsigned char)ZSTR_VAL(trouble.text)[0]);
		zend_throw_exception(trouble.exception, ZSTR_VAL(trouble.text), 0);
	}
	zend_string_release(trouble.text);
}

/* Keep the hold if PHP calls open() without calling close() first, because session_reset() reads the session again. */
ZEND_METHOD(McPatterns_SessionHandler, open) {
	zend_string *path, *name;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(path)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	(void)path, (void)name;
	mcp_session_handling *self = handling_of(ZEND_THIS);
	if (self == NULL) {
		RETURN_THROWS();
	}
	self->has_answer = false;
	RETURN_TRUE;
}

ZEND_METHOD(McPatterns_SessionHandler, close) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_session_handling *self = handling_of(ZEND_THIS);
	if (self == NULL) {
		RETURN_THROWS();
	}
	php_mcp_session_module_close(self);
	RETURN_TRUE;
}

ZEND_METHOD(McPatterns_SessionHandler, read) {
	zend_string *id;
	mcp_session_handling *self = parse_id(execute_data, &id);
	mcp_bytes data;
	if (self == NULL) {
		RETURN_THROWS();
	}
	mcp_session_trouble trouble = php_mcp_session_module_read(self, id, &data);
	if (trouble.text != NULL) {
		return_trouble(return_value, trouble);
		RETURN_THROWS();
	}
	RETURN_STRINGL(data.data, data.length);
}

/* End the session after its write, because the next write would have to read the session first. */
static void write_and_end(INTERNAL_FUNCTION_PARAMETERS) {
	zend_string *id, *value;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(id)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	mcp_session_handling *self = handling_for(ZEND_THIS, id);
	if (self == NULL) {
		RETURN_THROWS();
	}
	mcp_bytes data = php_mcp_bytes_of(value);
	bool is_open = php_mcp_open_session_is(&self->open, id);
	mcp_session_trouble trouble = php_mcp_session_module_write(self, id, data);
	bool is_stored = trouble.text == NULL;
	if (is_open) {
		php_mcp_session_module_close(self);
	}
	php_mcp_session_module_keep(self, is_stored ? id : NULL, is_stored ? value : NULL);
	return_trouble(return_value, trouble);
}

ZEND_METHOD(McPatterns_SessionHandler, write) {
	write_and_end(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(McPatterns_SessionHandler, updateTimestamp) {
	write_and_end(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(McPatterns_SessionHandler, destroy) {
	zend_string *id;
	mcp_session_handling *self = parse_id(execute_data, &id);
	if (self == NULL) {
		RETURN_THROWS();
	}
	bool is_open = php_mcp_open_session_is(&self->open, id);
	php_mcp_session_module_keep(self, NULL, NULL);
	mcp_session_trouble trouble = php_mcp_session_module_destroy(self, id);
	if (is_open) {
		php_mcp_session_module_close(self);
	}
	return_trouble(return_value, trouble);
}

ZEND_METHOD(McPatterns_SessionHandler, gc) {
	zend_long max_lifetime;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(max_lifetime)
	ZEND_PARSE_PARAMETERS_END();

	(void)max_lifetime;
	RETURN_LONG(0);
}

ZEND_METHOD(McPatterns_SessionHandler, create_sid) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_session_handling *self = handling_of(ZEND_THIS);
	if (self == NULL) {
		RETURN_THROWS();
	}
	zend_string *id = php_mcp_session_module_create_id(self);
	if (id == NULL) {
		if (EG(exception) == NULL) {
			zend_throw_error(NULL, "Cannot create a session id");
		}
		RETURN_THROWS();
	}
	RETURN_STR(id);
}

ZEND_METHOD(McPatterns_SessionHandler, validateId) {
	zend_string *id;
	mcp_session_handling *self = parse_id(execute_data, &id);
	if (self == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(php_mcp_session_module_validate(self, id));
}

ZEND_METHOD(McPatterns_SessionHandler, holder) {
	zend_string *id;
	mcp_session_handling *self = parse_id(execute_data, &id);
	if (self == NULL) {
		RETURN_THROWS();
	}
	mcp_buffer holder = {0};
	mcp_open_session other;
	php_mcp_open_session_begin(&other, &self->options, id);
	mcp_status status = php_mcp_open_session_find_holder(&other, &holder);
	if (status == MCP_OK) {
		RETVAL_STRINGL(holder.data, holder.length);
	} else if (status == MCP_NOT_FOUND) {
		RETVAL_NULL();
	} else {
		php_mcp_failure_throw(status, "read the lock of a session", mcp_bytes_of("", 0),
			php_mcp_open_session_owner_of(&self->options, id));
	}
	php_mcp_open_session_end(&other);
	mcp_buffer_free(&holder);
}

static zend_class_entry *find_interface(const char *name) {
	return zend_hash_str_find_ptr(CG(class_table), name, strlen(name));
}

/* Skip the class if PHP has no sessions. */
void php_mcp_class_session_handler_register(void) {
	zend_class_entry *base = find_interface("sessionhandlerinterface"),
					 *ids = find_interface("sessionidinterface"),
					 *timestamps = find_interface("sessionupdatetimestamphandlerinterface");
	if (base == NULL || ids == NULL || timestamps == NULL) {
		return;
	}
	class_entry = register_class_McPatterns_SessionHandler(base, ids, timestamps);
	class_entry->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(handler_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
