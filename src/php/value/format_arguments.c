/* Judges how a Pool's values are to be written and read. The constructor's arguments and the INI settings go
 * by the same rules. */
/* SPDX-License-Identifier: MIT */
#include "format_arguments.h"

#include "../engine/compat.h"
#include "php_mcpatterns.h"

#define DEFAULT_COMPRESS_ABOVE 2000

/* Where they stand in the constructor's signature. */
enum {
	SERIALIZER_ARGUMENT = 4,
	ALLOWED_CLASSES_ARGUMENT,
	SIGNING_KEY_ARGUMENT,
	COMPRESSION_ARGUMENT,
	COMPRESS_ABOVE_ARGUMENT,
};

mcp_format_arguments php_mcp_format_arguments_defaults(void) {
	return (mcp_format_arguments){.compress_above = DEFAULT_COMPRESS_ABOVE};
}

/* --- classes --- */

static bool add_class(HashTable *classes, zval *name) {
	ZVAL_DEREF(name);
	if (Z_TYPE_P(name) != IS_STRING) {
		zend_argument_type_error(ALLOWED_CLASSES_ARGUMENT,
			"must be a list of class names, %s given in it", zend_zval_type_name(name));
		return false;
	}
	zend_string *lower = zend_string_tolower(Z_STR_P(name));
	zend_hash_add_empty_element(classes, lower);
	zend_string_release(lower);
	return true;
}

static bool add_classes(HashTable *classes, HashTable *names) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(names, name) {
		if (!add_class(classes, name)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Takes a bool for a bool alone, as unserialize() does: a name alone would be true, and allow all. */
static bool judge_allowed_classes(zval *allowed_classes, mcp_format *format) {
	if (allowed_classes == NULL) {
		return true;
	}
	if (Z_TYPE_P(allowed_classes) == IS_ARRAY) {
		format->allowed_classes = zend_new_array(0);
		return add_classes(format->allowed_classes, Z_ARRVAL_P(allowed_classes));
	}
	if (Z_TYPE_P(allowed_classes) != IS_TRUE && Z_TYPE_P(allowed_classes) != IS_FALSE) {
		zend_argument_type_error(ALLOWED_CLASSES_ARGUMENT, "must be of type array|bool, %s given",
			zend_zval_type_name(allowed_classes));
		return false;
	}
	format->allowed_classes = Z_TYPE_P(allowed_classes) == IS_TRUE ? NULL : zend_new_array(0);
	return true;
}

/* --- signatures --- */

static bool add_signing_key(mcp_signing_keys *keys, const zval *secret) {
	if (Z_TYPE_P(secret) != IS_STRING) {
		zend_argument_type_error(SIGNING_KEY_ARGUMENT, "must be a list of strings, %s given in it",
			zend_zval_type_name(secret));
		return false;
	}
	if (Z_STRLEN_P(secret) == 0) {
		zend_argument_value_error(SIGNING_KEY_ARGUMENT, "cannot be or contain an empty string");
		return false;
	}
	mcp_bytes bytes = mcp_bytes_of(Z_STRVAL_P(secret), Z_STRLEN_P(secret));
	mcp_signing_key_make(&keys->keys[keys->count++], bytes);
	return true;
}

static mcp_signing_keys *make_room(size_t count) {
	mcp_signing_keys *keys = safe_emalloc(count, sizeof(mcp_signing_key), sizeof(mcp_signing_keys));
	keys->count = 0;
	return keys;
}

static bool judge_signing_list(HashTable *secrets, mcp_format *format) {
	if (zend_hash_num_elements(secrets) == 0) {
		zend_argument_value_error(SIGNING_KEY_ARGUMENT, "cannot be an empty list");
		return false;
	}
	format->signing_keys = make_room(zend_hash_num_elements(secrets));
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

static bool judge_signing_key(const mcp_format_arguments *arguments, mcp_format *format) {
	if (arguments->signing_keys != NULL) {
		return judge_signing_list(arguments->signing_keys, format);
	}
	if (arguments->signing_key == NULL) {
		return true;
	}
	zval secret;
	ZVAL_STR(&secret, arguments->signing_key);
	format->signing_keys = make_room(1);
	return add_signing_key(format->signing_keys, &secret);
}

/* --- serializers --- */

#define LOAD "be one that this PHP has: the extension %s is not loaded"

/* Says whether what it writes may be read again where classes are limited. */
static bool is_for(const mcp_serializer_codec *codec, const mcp_format *format) {
	return format->allowed_classes == NULL || codec->limits_classes || format->signing_keys != NULL;
}

static bool judge_given_serializer(zend_object *given, mcp_format *format) {
	format->serializer = php_mcp_serializers_get((mcp_serializer)php_mcp_enums_case(given));
	if (!format->serializer->is_here()) {
		zend_argument_value_error(SERIALIZER_ARGUMENT, "must " LOAD, format->serializer->name);
		return false;
	}
	if (!is_for(format->serializer, format)) {
		zend_argument_value_error(SERIALIZER_ARGUMENT,
			"must be Serializer::Php or Serializer::Json where $allowedClasses is not true and there"
			" is no $signingKey: %s cannot be told which classes are allowed",
			format->serializer->name);
		return false;
	}
	return true;
}

/* Judges the serializer after the classes and the signing key. */
static bool judge_serializer(const mcp_format_arguments *arguments, mcp_format *format) {
	if (arguments->serializer != NULL) {
		return judge_given_serializer(arguments->serializer, format);
	}
	format->serializer = php_mcp_serializers_best();
	if (!is_for(format->serializer, format)) {
		format->serializer = &php_mcp_serializer_php;
	}
	return true;
}

/* Finds the serializer of the setting. Like name_compression it returns NULL, or what the caller is to say of
 * the setting and to release. */
static zend_string *name_serializer(mcp_format *format) {
	const char *setting = MCP_G(serializer);
	format->serializer =
		*setting == '\0' ? php_mcp_serializers_best() : php_mcp_serializers_named(setting);
	return format->serializer != NULL
		? NULL
		: zend_strpprintf(0,
			  "mcpatterns.serializer must be \"php\", \"igbinary\", \"json\" or \"msgpack\", \"%.100s\""
			  " given",
			  setting);
}

static bool is_serializer_here(const mcp_format *format) {
	if (!format->serializer->is_here()) {
		zend_value_error("The INI setting mcpatterns.serializer must " LOAD,
			format->serializer->name);
		return false;
	}
	return true;
}

/* --- compression --- */

#define BUILD_WITH "install %s and pkg-config, and build mcpatterns again"

static bool judge_compression(const mcp_format_arguments *arguments, mcp_format *format) {
	if (arguments->compression == NULL) {
		format->compressor = php_mcp_compressors_best();
		return true;
	}
	format->compressor =
		php_mcp_compressors_get((mcp_compression)php_mcp_enums_case(arguments->compression));
	if (format->compressor == NULL || php_mcp_compressors_is_built_in(format->compressor)) {
		return true;
	}
	zend_argument_value_error(COMPRESSION_ARGUMENT,
		"must be one that mcpatterns was built with, and it was built without %s: " BUILD_WITH,
		format->compressor->name, format->compressor->package);
	return false;
}

static bool judge_compress_above(const mcp_format_arguments *arguments, mcp_format *format) {
	if (arguments->compress_above < 0) {
		zend_argument_value_error(COMPRESS_ABOVE_ARGUMENT,
			"must be at least 0, " ZEND_LONG_FMT " given", arguments->compress_above);
		return false;
	}
	format->compress_above = (size_t)arguments->compress_above;
	return true;
}

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
		: zend_strpprintf(0,
			  "mcpatterns.compression must be \"none\", \"zlib\" or \"zstd\", \"%.100s\" given",
			  setting);
}

static bool is_compressor_here(const mcp_format *format) {
	if (format->compressor != NULL && !php_mcp_compressors_is_built_in(format->compressor)) {
		zend_value_error("The INI setting mcpatterns.compression must be one that mcpatterns"
						 " was built with, and it was built without %s: " BUILD_WITH,
			format->compressor->name, format->compressor->package);
		return false;
	}
	return true;
}

/* --- all of it --- */

bool php_mcp_format_arguments_judge(const mcp_format_arguments *arguments, mcp_format *format) {
	*format = (mcp_format){0};
	bool is_right = judge_allowed_classes(arguments->allowed_classes, format) &&
		judge_signing_key(arguments, format) && judge_serializer(arguments, format) &&
		judge_compression(arguments, format) && judge_compress_above(arguments, format);
	if (!is_right) {
		php_mcp_format_free(format);
	}
	return is_right;
}

zend_string *php_mcp_format_arguments_name(mcp_format *format) {
	*format = (mcp_format){.compress_above = (size_t)MCP_G(compress_above)};
	zend_string *mistake = name_serializer(format);
	return mistake != NULL ? mistake : name_compression(format);
}

bool php_mcp_format_arguments_judge_settings(mcp_format *format) {
	zend_string *mistake = php_mcp_format_arguments_name(format);
	if (mistake != NULL) {
		zend_value_error("The INI setting %s", ZSTR_VAL(mistake));
		zend_string_release(mistake);
		return false;
	}
	return is_serializer_here(format) && is_compressor_here(format);
}
