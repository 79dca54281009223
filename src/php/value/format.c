/* Formats of Pools: read from the constructor's arguments or the INI settings, and freed with secrets erased. */
/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "../engine/compat.h"
#include "php_mcpatterns.h"

void php_mcp_format_free(mcp_format *format) {
	if (format->allowed_classes != NULL) {
		zend_array_destroy(format->allowed_classes);
		format->allowed_classes = NULL;
	}
	if (format->signing_keys != NULL) {
		mcp_signing_keys *keys = format->signing_keys;
		ZEND_SECURE_ZERO(keys->keys, keys->count * sizeof(keys->keys[0]));
		efree(keys);
		format->signing_keys = NULL;
	}
}

/* Positions in the constructor's signature. */
enum {
	SERIALIZER_ARGUMENT = 4,
	ALLOWED_CLASSES_ARGUMENT,
	SIGNING_KEY_ARGUMENT,
	COMPRESSION_ARGUMENT,
	COMPRESS_ABOVE_ARGUMENT,
};

/* --- classes --- */

static bool add_classes(HashTable *classes, HashTable *names) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(names, name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_argument_type_error(ALLOWED_CLASSES_ARGUMENT,
				"must be a list of class names, %s found", zend_zval_type_name(name));
			return false;
		}
		zend_string *lower = zend_string_tolower(Z_STR_P(name));
		zend_hash_add_empty_element(classes, lower);
		zend_string_release(lower);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Does not accept a string, as unserialize() does not, because a class name would convert to true and allow all
 * classes. */
static bool judge_allowed_classes(zval *allowed_classes, mcp_format *format) {
	if (allowed_classes == NULL || Z_TYPE_P(allowed_classes) == IS_TRUE) {
		return true;
	}
	if (Z_TYPE_P(allowed_classes) != IS_ARRAY && Z_TYPE_P(allowed_classes) != IS_FALSE) {
		zend_argument_type_error(ALLOWED_CLASSES_ARGUMENT, "must be of type array|bool, %s given",
			zend_zval_type_name(allowed_classes));
		return false;
	}
	format->allowed_classes = zend_new_array(0);
	return Z_TYPE_P(allowed_classes) == IS_FALSE ||
		add_classes(format->allowed_classes, Z_ARRVAL_P(allowed_classes));
}

/* --- signatures --- */

/* Skips a duplicate key, because the name of a key identifies one signature. */
static bool add_signing_key(mcp_signing_keys *keys, const zval *secret) {
	if (Z_TYPE_P(secret) != IS_STRING) {
		zend_argument_type_error(SIGNING_KEY_ARGUMENT, "must be a list of strings, %s found",
			zend_zval_type_name(secret));
		return false;
	}
	if (Z_STRLEN_P(secret) == 0) {
		zend_argument_value_error(SIGNING_KEY_ARGUMENT, "must not be or contain an empty string");
		return false;
	}
	mcp_bytes bytes = mcp_bytes_of(Z_STRVAL_P(secret), Z_STRLEN_P(secret));
	mcp_signing_key *key = &keys->keys[keys->count];
	mcp_signing_key_make(key, bytes);
	size_t same = 0;
	while (same < keys->count && !mcp_signing_keys_equal(&keys->keys[same], key)) {
		same++;
	}
	keys->count += same == keys->count;
	return true;
}

static bool judge_signing_key(const mcp_format_arguments *arguments, mcp_format *format) {
	HashTable *secrets = arguments->signing_keys;
	if (secrets == NULL && arguments->signing_key == NULL) {
		return true;
	}
	size_t count = secrets != NULL ? zend_hash_num_elements(secrets) : 1;
	if (count == 0) {
		zend_argument_value_error(SIGNING_KEY_ARGUMENT, "must not be an empty list");
		return false;
	}
	format->signing_keys = safe_emalloc(count, sizeof(mcp_signing_key), sizeof(mcp_signing_keys));
	format->signing_keys->count = 0;
	if (secrets == NULL) {
		zval single;
		ZVAL_STR(&single, arguments->signing_key);
		return add_signing_key(format->signing_keys, &single);
	}
	zval *secret;
	ZEND_HASH_FOREACH_VAL(secrets, secret) {
		ZVAL_DEREF(secret);
		if (!add_signing_key(format->signing_keys, secret)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* --- serializers --- */

#define SERIALIZER_SETTING "mcpatterns.serializer"

/* Releases `rule`, which the argument violates or, if no argument was given, the setting. */
static bool refuse_format(const zend_object *given, uint32_t argument, const char *setting,
	zend_string *rule) {
	if (given != NULL) {
		zend_argument_value_error(argument, "must %s", ZSTR_VAL(rule));
	} else {
		zend_value_error("The INI setting %s must %s", setting, ZSTR_VAL(rule));
	}
	zend_string_release(rule);
	return false;
}

/* Selects the serializer of the setting. This function and name_compression() return NULL, or the violated rule, which
 * the caller releases. */
static zend_string *name_serializer(mcp_format *format) {
	const char *setting = MCP_G(serializer);
	format->serializer =
		*setting == '\0' ? php_mcp_serializers_best() : php_mcp_serializers_named(setting);
	return format->serializer != NULL
		? NULL
		: zend_strpprintf(0, "be \"php\", \"igbinary\", \"json\" or \"msgpack\", \"%.100s\" given",
			  setting);
}

/* Returns NULL or the violated rule. If necessary, replaces a default serializer with a serializer that limits
 * classes. */
static zend_string *fit_serializer(const zend_object *given, mcp_format *format) {
	bool is_named = given != NULL || *MCP_G(serializer) != '\0';
	const char *name = format->serializer->name;
	if (!format->serializer->is_here()) {
		return zend_strpprintf(0, "be available: the extension %s is not loaded", name);
	}
	if (php_mcp_format_allows(format, format->serializer)) {
		return NULL;
	}
	if (is_named) {
		return zend_strpprintf(0,
			"be %s unless $allowedClasses is true or there is a $signingKey: %s cannot restrict"
			" classes",
			given != NULL ? "Serializer::Php or Serializer::Json" : "\"php\" or \"json\"", name);
	}
	format->serializer = php_mcp_serializers_get(MCP_SERIALIZER_PHP);
	return NULL;
}

/* Call it after the classes and the signing key have been judged. */
static bool judge_serializer(zend_object *given, mcp_format *format) {
	zend_string *rule = NULL;
	if (given != NULL) {
		format->serializer = php_mcp_serializers_get((mcp_serializer)php_mcp_enums_case(given));
	} else {
		rule = name_serializer(format);
	}
	if (rule == NULL) {
		rule = fit_serializer(given, format);
	}
	return rule == NULL || refuse_format(given, SERIALIZER_ARGUMENT, SERIALIZER_SETTING, rule);
}

/* --- compression --- */

#define COMPRESSION_SETTING "mcpatterns.compression"

static zend_string *name_compression(mcp_format *format) {
	const char *setting = MCP_G(compression);
	if (*setting == '\0') {
		format->compressor = php_mcp_compressors_best();
		return NULL;
	}
	format->compressor = php_mcp_compressors_named(setting);
	bool is_right = format->compressor != NULL || strcasecmp(setting, "none") == 0;
	return is_right
		? NULL
		: zend_strpprintf(0, "be \"none\", \"zlib\" or \"zstd\", \"%.100s\" given", setting);
}

static bool judge_compression(zend_object *given, mcp_format *format) {
	zend_string *rule = NULL;
	if (given != NULL) {
		format->compressor = php_mcp_compressors_get((mcp_compression)php_mcp_enums_case(given));
	} else {
		rule = name_compression(format);
	}
	const mcp_compressor *found = format->compressor;
	if (rule == NULL && found != NULL && !php_mcp_compressors_is_built_in(found)) {
		rule = zend_strpprintf(0,
			"be built in: mcpatterns was built without %s; install %s and pkg-config,"
			" and rebuild mcpatterns",
			found->name, found->package);
	}
	return rule == NULL || refuse_format(given, COMPRESSION_ARGUMENT, COMPRESSION_SETTING, rule);
}

static bool judge_compress_above(const mcp_format_arguments *arguments, mcp_format *format) {
	zend_long above =
		arguments->compress_above_is_null ? MCP_G(compress_above) : arguments->compress_above;
	if (above < 0) { /* the setting rejects negative numbers itself */
		zend_argument_value_error(COMPRESS_ABOVE_ARGUMENT,
			"must be greater than or equal to 0, " ZEND_LONG_FMT " given", above);
		return false;
	}
	format->compress_above = (size_t)above;
	return true;
}

/* --- the whole format --- */

bool php_mcp_format_arguments_judge(const mcp_format_arguments *arguments, mcp_format *format) {
	*format = (mcp_format){0};
	bool is_right = judge_allowed_classes(arguments->allowed_classes, format) &&
		judge_signing_key(arguments, format) && judge_serializer(arguments->serializer, format) &&
		judge_compression(arguments->compression, format) &&
		judge_compress_above(arguments, format);
	if (!is_right) {
		php_mcp_format_free(format);
	}
	return is_right;
}

zend_string *php_mcp_format_arguments_name(mcp_format *format, const char **setting) {
	*format = (mcp_format){.compress_above = (size_t)MCP_G(compress_above)};
	*setting = SERIALIZER_SETTING;
	zend_string *rule = name_serializer(format);
	if (rule == NULL) {
		*setting = COMPRESSION_SETTING;
		rule = name_compression(format);
	}
	return rule;
}
