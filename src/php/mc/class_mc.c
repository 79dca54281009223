/* The class McPatterns\MC: the article's static wrapper over one Cache. It throws nothing of its own:
 * what cannot be done is FALSE. */
/* SPDX-License-Identifier: MIT */
#include "class_mc.h"

#include "../cache/object/cache_object.h"
#include "../cache/value/cache_update.h"
#include "../cache/value/cache_value.h"
#include "../pool/class_pool.h"
#include "../objects/classes.h"
#include "legacy.h"
#include "php_mcpatterns.h"

#include "class_mc_arginfo.h"

#include "Zend/zend_exceptions.h"

/* 15 days less a second: values are stored for twice their timeout, and memcached takes more than 30
 * days for a date. */
#define TIMEOUT_MAX_S 1295999

/* Returns the cache, borrowed; made on first use. NULL if the settings are wrong: then nothing is cached. */
static mcp_cache_object *cache_in_use(void) {
	if (MCP_REQUEST(mc_cache) == NULL) {
		mcp_pool *pool = php_mcp_class_pool_default();
		if (pool == NULL) {
			zend_clear_exception();
			return NULL;
		}
		MCP_REQUEST(mc_cache) = php_mcp_cache_object_create(pool);
	}
	return php_mcp_cache_object_from(MCP_REQUEST(mc_cache));
}

/* Makes scalars strings; anything else, and '', is no key. The caller releases it. */
static zend_string *name_of(zval *key) {
	if (key == NULL || Z_TYPE_P(key) <= IS_NULL || Z_TYPE_P(key) > IS_STRING) {
		return NULL;
	}
	zend_string *name = zval_get_string(key);
	if (ZSTR_LEN(name) > 0) {
		return name;
	}
	zend_string_release(name);
	return NULL;
}

/* False if there is nothing to call; otherwise end() must follow. The cache stays until then, also when the
 * value's own code chooses another one. */
static bool begin(mcp_cache_call *call, zval *key, zend_string **name) {
	mcp_cache_object *object = cache_in_use();
	*name = object != NULL ? name_of(key) : NULL;
	if (*name == NULL) {
		return false;
	}
	GC_ADDREF(&object->std);
	php_mcp_cache_object_renew(call, object, *name);
	return true;
}

static void end(mcp_cache_call *call, zend_string *name) {
	zend_string_release(name);
	OBJ_RELEASE(&call->object->std);
}

ZEND_METHOD(McPatterns_MC, use) {
	zend_object *cache;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_OBJ_OF_CLASS(cache, php_mcp_cache_class_entry)
	ZEND_PARSE_PARAMETERS_END();

	if (php_mcp_cache_object_take(cache) == NULL) {
		RETURN_THROWS();
	}
	/* The old one goes last: what hangs from it may have a destructor, which may call this again. */
	zend_object *old = MCP_REQUEST(mc_cache);
	GC_ADDREF(cache);
	MCP_REQUEST(mc_cache) = cache;
	if (old != NULL) {
		OBJ_RELEASE(old);
	}
}

/* Decodes what the published code has stored, which is not signed. */
static bool decode_legacy(const mcp_cache_call *call, const mcp_cache_entry *entry, zval *value) {
	return MCP_G(mc_legacy) && call->cache.signing_keys == NULL &&
		php_mcp_legacy_decode(value, entry->stored, entry->flags,
			mcp_wall_ms(call->cache.environment));
}

/* Looks as Cache::get does. The note of it may end the views of what is no value. */
static bool look(mcp_cache_call *call, zend_string *name, zval *value) {
	mcp_cache_entry entry;
	mcp_cache_get(&call->cache, &call->key, &entry);
	bool is_elected = entry.verdict == MCP_VERDICT_ELECTED;
	bool is_legacy = entry.is_unreadable && !is_elected && decode_legacy(call, &entry, value);
	php_mcp_cache_value_note_look(call, name, &entry);
	bool has_value = !is_elected && !entry.is_unreadable;
	return is_legacy || (has_value && php_mcp_cache_value_decode(call, &entry, value));
}

ZEND_METHOD(McPatterns_MC, get) {
	zval *key = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(key)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, key, &name)) {
		RETURN_FALSE;
	}
	/* An item without an envelope is the published code's array then, with an end of its own. */
	call.cache.reads_foreign = call.cache.reads_foreign && !MCP_G(mc_legacy);
	bool is_found = look(&call, name, return_value);
	end(&call, name);
	if (!is_found) {
		RETURN_FALSE;
	}
}

/* Reads the article's timeout in seconds. */
static uint64_t timeout_ms(zval *timeout) {
	zend_long seconds = timeout != NULL ? zval_get_long(timeout) : 3600;
	if (seconds <= 0 || seconds > TIMEOUT_MAX_S) {
		seconds = TIMEOUT_MAX_S;
	}
	return (uint64_t)seconds * 1000;
}

/* pecl-memcache's MEMCACHE_COMPRESSED. */
#define FLAG_COMPRESSED 2

/* Compresses if the flag asks for it, however short the value is; the Pool says how, and whether at all. */
static mcp_format format_for(const mcp_cache_object *object, zval *flag) {
	mcp_format format = *php_mcp_pool_format(object->pool);
	if (flag != NULL && (zval_get_long(flag) & FLAG_COMPRESSED) != 0) {
		format.compress_above = 0;
	}
	return format;
}

static bool store(mcp_cache_call *call, zend_string *name, zval *data, zval *flag, zval *timeout) {
	uint64_t ttl_ms = timeout_ms(timeout);
	mcp_format format = format_for(call->object, flag);
	mcp_encoded_value encoded;
	if (!php_mcp_cache_value_encode_as(&encoded, call->object, &format, name, data)) {
		/* A value that serialize() and this extension refuse is FALSE; an exception of the value's own code is
		 * not. */
		if (php_mcp_engine_throw_is_pending()) {
			zend_clear_exception();
		}
		return false;
	}
	php_mcp_cache_object_renew(call, call->object, name);
	mcp_lifetime lifetime = {.ttl_ms = ttl_ms, .grace_ms = ttl_ms};
	mcp_status status = php_mcp_cache_value_write(call, name, &encoded, lifetime, mcp_cache_set);
	php_mcp_value_release(&encoded);
	return status == MCP_OK;
}

ZEND_METHOD(McPatterns_MC, set) {
	zval *key = NULL;
	zval *data = NULL;
	zval *flag = NULL;
	zval *timeout = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 4)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(key)
		Z_PARAM_ZVAL(data)
		Z_PARAM_ZVAL(flag)
		Z_PARAM_ZVAL(timeout)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, key, &name)) {
		RETURN_FALSE;
	}
	zval nothing;
	ZVAL_NULL(&nothing);
	bool is_stored = store(&call, name, data != NULL ? data : &nothing, flag, timeout);
	end(&call, name);
	RETURN_BOOL(is_stored);
}

ZEND_METHOD(McPatterns_MC, delete) {
	zval *key = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(key)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, key, &name)) {
		RETURN_FALSE;
	}
	bool is_gone = php_mcp_cache_update_overtake(&call, name, mcp_cache_delete);
	end(&call, name);
	RETURN_BOOL(is_gone);
}

ZEND_METHOD(McPatterns_MC, increment) {
	zval *key = NULL;
	zval *increment = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(key)
		Z_PARAM_ZVAL(increment)
	ZEND_PARSE_PARAMETERS_END();

	/* An error handler may see this: user code, before anything is begun. */
	int64_t by = increment != NULL ? (int64_t)zval_get_long(increment) : 1;
	mcp_cache_call call;
	zend_string *name;
	if (!begin(&call, key, &name)) {
		RETURN_FALSE;
	}
	int64_t number;
	mcp_status status = mcp_cache_increment(&call.cache, &call.key, by, &number);
	end(&call, name);
	if (status != MCP_OK) {
		RETURN_FALSE;
	}
	RETURN_LONG((zend_long)number);
}

void php_mcp_class_mc_reset(void) {
	zend_object *cache = MCP_REQUEST(mc_cache);
	MCP_REQUEST(mc_cache) = NULL;
	if (cache != NULL) {
		OBJ_RELEASE(cache);
	}
}

void php_mcp_class_mc_register(void) {
	zend_class_entry *class_entry = register_class_McPatterns_MC();
	if (MCP_G(mc_alias)) {
		zend_register_class_alias_ex("MC", 2, class_entry, true);
	}
}
