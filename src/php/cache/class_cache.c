/* The class McPatterns\Cache: its object, constructor and statistics. Its other methods stand in
 * cache_read.c, cache_write.c, cache_change.c and cache_remember.c. */
/* SPDX-License-Identifier: MIT */
#include "cache_object.h"

#include "cache_methods.h"
#include "class_entry.h"
#include "../pool/class_pool.h"
#include "../classes.h"
#include "../duration.h"
#include "../environment.h"
#include "../enums.h"

#include "class_cache_arginfo.h"

#include <math.h>

zend_class_entry *mcp_cache_class_entry;

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *class_entry) {
	mcp_cache_object *object = zend_object_alloc(sizeof(*object), class_entry);
	memset(object, 0, XtOffsetOf(mcp_cache_object, std));
	zend_object_std_init(&object->std, class_entry);
	object_properties_init(&object->std, class_entry);
	object->std.handlers = &handlers;
	return &object->std;
}

static void free_object(zend_object *zend_object) {
	mcp_cache_object *object = mcp_cache_object_from(zend_object);
	if (object->pool != NULL) {
		zend_string_release(object->scope);
		mcp_pool_release(object->pool);
		object->pool = NULL;
	}
	zend_object_std_dtor(zend_object);
}

/* The constructor's arguments as they came in. */
typedef struct raw_arguments {
	zend_object *pool;
	zend_string *prefix;
	zval *ttl, *grace, *lease, *wait;
	bool serve_stale, stale_on_error;
	double early, jitter;
	zend_long copies;
} raw_arguments;

/* An early refresh with a larger beta would nearly always come. */
#define EARLY_MAX 1000.0

bool mcp_cache_early_is_valid(double early) {
	return early >= 0 && early <= EARLY_MAX;
}

bool mcp_cache_jitter_is_valid(double jitter) {
	return jitter >= 0 && jitter <= 1;
}

static bool parse_duration(zval *value, uint32_t arg_num, mcp_duration_rule rule,
	uint64_t fallback_ms, uint64_t *ms) {
	*ms = fallback_ms;
	return value == NULL || Z_TYPE_P(value) == IS_NULL ||
		mcp_duration_parse(value, arg_num, rule, ms);
}

#define DEFAULT_TTL_MS 3600000
#define DEFAULT_LEASE_MS 10000
#define DEFAULT_WAIT_MS 2500
static bool validate(const raw_arguments *arguments, mcp_cache_object *object) {
	uint64_t lease_ms;
	uint64_t wait_ms;
	if (!parse_duration(arguments->ttl, 3, MCP_DURATION_ANY, DEFAULT_TTL_MS, &object->ttl_ms) ||
		!parse_duration(arguments->grace, 4, MCP_DURATION_OR_INFINITE, 0, &object->grace_ms) ||
		!parse_duration(arguments->lease, 5, MCP_DURATION_POSITIVE, DEFAULT_LEASE_MS, &lease_ms) ||
		!parse_duration(arguments->wait, 6, MCP_DURATION_SHORT, DEFAULT_WAIT_MS, &wait_ms)) {
		return false;
	}
	if (!mcp_cache_early_is_valid(arguments->early)) {
		zend_argument_value_error(9, MCP_CACHE_EARLY_RULE);
		return false;
	}
	if (!mcp_cache_jitter_is_valid(arguments->jitter)) {
		zend_argument_value_error(10, MCP_CACHE_JITTER_RULE);
		return false;
	}
	if (arguments->copies != 1) {
		zend_argument_value_error(11, "must be 1: this version keeps one copy of a key");
		return false;
	}
	object->has_grace = arguments->grace != NULL && Z_TYPE_P(arguments->grace) != IS_NULL;
	object->lease_ms = (uint32_t)lease_ms;
	object->wait_ms = (uint32_t)wait_ms;
	return true;
}

ZEND_METHOD(McPatterns_Cache, __construct) {
	raw_arguments arguments = {.serve_stale = true, .copies = 1};
	ZEND_PARSE_PARAMETERS_START(1, 11)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, mcp_pool_class_entry)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(arguments.prefix)
		Z_PARAM_NUMBER(arguments.ttl)
		Z_PARAM_NUMBER_OR_NULL(arguments.grace)
		Z_PARAM_NUMBER(arguments.lease)
		Z_PARAM_NUMBER(arguments.wait)
		Z_PARAM_BOOL(arguments.serve_stale)
		Z_PARAM_BOOL(arguments.stale_on_error)
		Z_PARAM_DOUBLE(arguments.early)
		Z_PARAM_DOUBLE(arguments.jitter)
		Z_PARAM_LONG(arguments.copies)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = mcp_cache_object_from(Z_OBJ_P(ZEND_THIS));
	if (object->pool != NULL) {
		zend_throw_error(NULL, "Cannot call the constructor of a %s twice",
			ZSTR_VAL(object->std.ce->name));
		RETURN_THROWS();
	}
	mcp_pool *pool = mcp_pool_from_object(arguments.pool);
	if (pool == NULL || !validate(&arguments, object)) {
		RETURN_THROWS();
	}
	object->serve_stale = arguments.serve_stale;
	object->stale_on_error = arguments.stale_on_error;
	object->early = arguments.early;
	object->jitter = arguments.jitter;
	object->scope =
		arguments.prefix != NULL ? zend_string_copy(arguments.prefix) : ZSTR_EMPTY_ALLOC();
	object->pool = mcp_pool_addref(pool);
}

zend_object *mcp_cache_object_create(mcp_pool *pool) {
	zend_object *object = create(mcp_cache_class_entry);
	mcp_cache_object *cache = mcp_cache_object_from(object);
	const raw_arguments defaults = {.copies = 1};
	validate(&defaults, cache);
	cache->serve_stale = true;
	cache->scope = ZSTR_EMPTY_ALLOC();
	cache->pool = mcp_pool_addref(pool);
	return object;
}

static void add_count(zval *array, const char *name, uint64_t count) {
	add_assoc_long_ex(array, name, strlen(name), (zend_long)count);
}

ZEND_METHOD(McPatterns_Cache, stats) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_cache_object *object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	const mcp_cache_statistics *statistics = &object->statistics;
	array_init(return_value);
	add_count(return_value, "hits", statistics->hits);
	add_count(return_value, "stale", statistics->stale);
	add_count(return_value, "misses", statistics->misses);
	add_count(return_value, "elected", statistics->elected);
	add_count(return_value, "busy", statistics->busy);
	add_count(return_value, "waited", statistics->waited);
	add_count(return_value, "early", statistics->early);
	add_count(return_value, "after_response", statistics->after_response);
	add_count(return_value, "stored", statistics->stored);
	add_count(return_value, "refused", statistics->refused);
	add_count(return_value, "unreadable", statistics->unreadable);
	add_count(return_value, "errors", statistics->errors);
	add_count(return_value, "gave_up", statistics->gave_up);
	add_assoc_double(return_value, "compute_seconds", (double)statistics->compute_ms / 1000.0);
	add_assoc_double(return_value, "saved_seconds", (double)statistics->saved_ms / 1000.0);
}

void mcp_class_cache_register(void) {
	mcp_cache_class_entry = register_class_McPatterns_Cache();
	mcp_cache_class_entry->create_object = create;
	memcpy(&handlers, &std_object_handlers, sizeof(handlers));
	handlers.offset = XtOffsetOf(mcp_cache_object, std);
	handlers.free_obj = free_object;
	handlers.clone_obj = NULL;
}
