/* The class McPatterns\MC: a static wrapper over one Cache with the functions of the published article. Failures
 * return FALSE instead of throwing. */
/* SPDX-License-Identifier: MIT */
#include "../../core/envelope/foreign.h"
#include "../../core/serialized/serialized.h"
#include "../cache/object/cache_object.h"
#include "../cache/value/cache_value.h"
#include "../engine/memory_left.h"
#include "../objects/classes.h"
#include "../pool/class_pool.h"
#include "../value/value.h"
#include "Zend/zend_exceptions.h"
#include "php_mcpatterns.h"

#include "class_mc_arginfo.h"

/* Decodes arrays that pecl-memcache and php-memcached stored, within the limits that apply to every value, and unwraps
 * the published wrapper's array. Only the item's flags decide: a text that looks like an array can be user text. */

enum { CACHED, LIFE_END, CACHE_TIME, MEMBERS_COUNT };
static const char *const MEMBERS[] = {
	[CACHED] = "_dc_cache",
	[LIFE_END] = "_dc_life_end",
	[CACHE_TIME] = "_dc_cache_time",
};

/* A value may take 1/2 of the remaining memory, so that temporary copies fit, too. */
#define VALUE_SHARE 2

/* Reject texts with objects: a class can do harm when its object is unserialized, and igbinary cannot skip objects. */
static bool is_harmless(const mcp_serializer_codec *codec, mcp_bytes text) {
	mcp_serialized_facts facts;
	return codec->scan(text, &facts) && !facts.has_objects &&
		facts.depth <= MCP_SERIALIZED_DEPTH_MAX &&
		facts.memory <= php_mcp_memory_left() / VALUE_SHARE;
}

static bool decode_text(zval *value, mcp_bytes bytes, const mcp_serializer_codec *codec) {
	if (!codec->is_here() || !is_harmless(codec, bytes)) {
		return false;
	}
	HashTable no_classes;
	zend_hash_init(&no_classes, 0, NULL, NULL, false);
	bool is_read = php_mcp_value_unserialize(value, codec, bytes, &no_classes);
	zend_hash_destroy(&no_classes);
	return is_read;
}

/* Accept only the serializers with which the two extensions write arrays for the published code. */
static const mcp_serializer_codec *codec_of(uint32_t type) {
	switch (type) {
		case MCP_VALUE_SERIALIZED:
			return php_mcp_serializers_get(MCP_SERIALIZER_PHP);
		case MCP_VALUE_IGBINARY:
			return php_mcp_serializers_get(MCP_SERIALIZER_IGBINARY);
		default:
			return NULL;
	}
}

static bool decode_item(zval *value, mcp_bytes item, uint32_t flags) {
	mcp_foreign_value found;
	/* The published code sets no flags of its own. */
	if (flags > UINT16_MAX || !mcp_foreign_read(item, flags, &found)) {
		return false;
	}
	const mcp_serializer_codec *codec = codec_of(found.flags & MCP_VALUE_TYPE_MASK);
	uint32_t compression = found.flags & ~MCP_VALUE_TYPE_MASK;
	if (codec == NULL || compression == 0) {
		return codec != NULL && decode_text(value, found.payload, codec);
	}
	zend_string *text = php_mcp_compressors_unpack(found.payload, compression);
	if (text == NULL) {
		return false;
	}
	bool is_decoded = decode_text(value, php_mcp_bytes_of(text), codec);
	zend_string_release(text);
	return is_decoded;
}

static zval *member_of(const zval *wrapper, size_t i) {
	return zend_hash_str_find(Z_ARRVAL_P(wrapper), MEMBERS[i], strlen(MEMBERS[i]));
}

static bool is_wrapper(const zval *value) {
	bool is_one = Z_TYPE_P(value) == IS_ARRAY;
	for (size_t i = 0; i < MEMBERS_COUNT && is_one; i++) {
		is_one = member_of(value, i) != NULL;
	}
	return is_one;
}

/* Decode into *value if the flags say that the item is a serialized array, the array has no objects, and the item has
 * not expired at now_ms. Uses at most half of the remaining memory_limit. Runs user code (an error handler), which
 * invalidates views. Returns false on a miss. */
static bool decode_legacy(zval *value, mcp_bytes item, uint32_t flags, uint64_t now_ms) {
	zval wrapper;
	ZVAL_UNDEF(&wrapper);
	/* Copy the item, because an error handler can use the cache during a warning. */
	zend_string *copy = zend_string_init(item.data, item.length, false);
	mcp_bytes bytes = php_mcp_bytes_of(copy);
	bool is_found = decode_item(&wrapper, bytes, flags) && is_wrapper(&wrapper) &&
		zval_get_double(member_of(&wrapper, LIFE_END)) * 1000.0 >= (double)now_ms;
	if (is_found) {
		ZVAL_COPY_DEREF(value, member_of(&wrapper, CACHED));
	}
	zend_string_release(copy);
	zval_ptr_dtor(&wrapper);
	return is_found;
}

/* 15 days minus 1 s: values are stored for twice their timeout, and memcached reads more than 30 days as a date. */
#define TIMEOUT_MAX_S 1295999

/* Returns the cache, borrowed; created on first use. NULL if the settings are wrong: caching is off. */
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

/* Convert scalars to strings. Other types and '' are not keys. The caller releases the string. */
static zend_string *name_of_argument(zval *key) {
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

/* Returns false if there is nothing to call; otherwise end_mc_call() must follow. Keeps the cache until end_mc_call(),
 * even if a method of a value selects another cache. */
static bool begin_mc_call(mcp_cache_call *call, zval *key, zend_string **name) {
	mcp_cache_object *object = cache_in_use();
	*name = object != NULL ? name_of_argument(key) : NULL;
	if (*name == NULL) {
		return false;
	}
	GC_ADDREF(&object->std);
	php_mcp_cache_object_renew(call, object, *name);
	return true;
}

static void end_mc_call(mcp_cache_call *call, zend_string *name) {
	zend_string_release(name);
	OBJ_RELEASE(&call->object->std);
}

/* Releases the previous cache last: its destructors can call use(). */
static void select_cache(zend_object *cache) {
	zend_object *old = MCP_REQUEST(mc_cache);
	MCP_REQUEST(mc_cache) = cache;
	if (old != NULL) {
		OBJ_RELEASE(old);
	}
}

ZEND_METHOD(McPatterns_MC, use) {
	zend_object *cache;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_OBJ_OF_CLASS(cache, php_mcp_cache_class_entry)
	ZEND_PARSE_PARAMETERS_END();

	if (php_mcp_cache_object_take(cache) == NULL) {
		RETURN_THROWS();
	}
	GC_ADDREF(cache);
	select_cache(cache);
}

/* Read like Cache::get(). Recording an undecodable value can invalidate views. */
static bool read_value_of(mcp_cache_call *call, zend_string *name, zval *value) {
	mcp_cache_entry entry;
	mcp_cache_get(&call->cache, &call->key, &entry);
	bool is_elected = entry.verdict == MCP_VERDICT_ELECTED;
	/* A value of the published code is not signed. */
	bool is_legacy = entry.is_unreadable && !is_elected && MCP_G(mc_legacy) &&
		call->cache.signing_keys == NULL &&
		decode_legacy(value, entry.stored, entry.flags, mcp_wall_ms(call->cache.environment));
	php_mcp_cache_value_note_read(call, name, &entry);
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
	if (!begin_mc_call(&call, key, &name)) {
		RETURN_FALSE;
	}
	/* Here, an item without an envelope is an array of the published code, which contains its expiry. */
	call.cache.reads_foreign = call.cache.reads_foreign && !MCP_G(mc_legacy);
	bool is_found = read_value_of(&call, name, return_value);
	end_mc_call(&call, name);
	if (!is_found) {
		RETURN_FALSE;
	}
}

/* Parse the article's timeout in seconds. */
static uint64_t timeout_ms(zval *timeout) {
	zend_long seconds = timeout != NULL ? zval_get_long(timeout) : 3600;
	bool is_short = seconds > 0 && seconds < TIMEOUT_MAX_S;
	return (uint64_t)(is_short ? seconds : TIMEOUT_MAX_S) * 1000;
}

/* pecl-memcache's MEMCACHE_COMPRESSED. */
#define FLAG_COMPRESSED 2

/* If the flag is set, compress even short values. The Pool selects the compressor, or none. */
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
		/* A value that serialize() or this extension rejects gives FALSE. An exception from the value's own code is
		 * thrown. */
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
	if (!begin_mc_call(&call, key, &name)) {
		RETURN_FALSE;
	}
	zval *value = data != NULL ? data : &EG(uninitialized_zval);
	bool is_stored = store(&call, name, value, flag, timeout);
	end_mc_call(&call, name);
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
	if (!begin_mc_call(&call, key, &name)) {
		RETURN_FALSE;
	}
	bool is_gone =
		php_mcp_cache_value_finish_delete(&call, name, mcp_cache_delete(&call.cache, &call.key));
	end_mc_call(&call, name);
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

	/* The conversion can run an error handler, so convert before the call begins. */
	int64_t by = increment != NULL ? (int64_t)zval_get_long(increment) : 1;
	mcp_cache_call call;
	zend_string *name;
	if (!begin_mc_call(&call, key, &name)) {
		RETURN_FALSE;
	}
	int64_t number;
	mcp_status status = mcp_cache_increment(&call.cache, &call.key, by, &number);
	end_mc_call(&call, name);
	if (status != MCP_OK) {
		RETURN_FALSE;
	}
	RETURN_LONG((zend_long)number);
}

void php_mcp_class_mc_reset(void) {
	select_cache(NULL);
}

void php_mcp_class_mc_register(void) {
	zend_class_entry *class_entry = register_class_McPatterns_MC();
	if (MCP_G(mc_alias)) {
		zend_register_class_alias_ex("MC", 2, class_entry, true);
	}
}
