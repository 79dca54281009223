/* Judges how a Pool's values are to be written and read. The constructor's arguments and the INI settings go
 * by the same rules. */
/* SPDX-License-Identifier: MIT */
#include "format_arguments.h"

#include "../compat.h"
#include "../object.h"
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

mcp_format_arguments mcp_format_arguments_defaults(void) {
	return (mcp_format_arguments){.compress_above = DEFAULT_COMPRESS_ABOVE};
}

/* bool|array has no Z_PARAM of its own. */
static bool judge_allowed_classes(zval *allowed_classes) {
	if (allowed_classes == NULL) {
		return true;
	}
	if (Z_TYPE_P(allowed_classes) == IS_ARRAY) {
		return mcp_object_refuse_later(ALLOWED_CLASSES_ARGUMENT);
	}
	bool allows_all;
	if (!zend_parse_arg_bool(allowed_classes, &allows_all, NULL, false, ALLOWED_CLASSES_ARGUMENT)) {
		zend_argument_type_error(ALLOWED_CLASSES_ARGUMENT, "must be of type array|bool, %s given",
			zend_zval_type_name(allowed_classes));
		return false;
	}
	return allows_all || mcp_object_refuse_later(ALLOWED_CLASSES_ARGUMENT);
}

/* --- serializers --- */

#define LOAD "be one that this PHP has: the extension %s is not loaded"

static bool judge_serializer(const mcp_format_arguments *arguments, mcp_format *format) {
	if (arguments->serializer == NULL) {
		format->serializer = mcp_serializers_best();
		return true;
	}
	format->serializer = mcp_serializers_get((mcp_serializer)mcp_enums_case(arguments->serializer));
	if (format->serializer->is_here()) {
		return true;
	}
	zend_argument_value_error(SERIALIZER_ARGUMENT, "must " LOAD, format->serializer->name);
	return false;
}

static bool judge_serializer_setting(mcp_format *format) {
	const char *setting = MCP_G(serializer);
	if (*setting == '\0') {
		format->serializer = mcp_serializers_best();
		return true;
	}
	format->serializer = mcp_serializers_named(setting);
	if (format->serializer == NULL) {
		zend_value_error(
			"The INI setting mcpatterns.serializer must be \"php\", \"igbinary\", \"json\""
			" or \"msgpack\", \"%.100s\" given",
			setting);
		return false;
	}
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
		format->compressor = mcp_compressors_best();
		return true;
	}
	format->compressor =
		mcp_compressors_get((mcp_compression)mcp_enums_case(arguments->compression));
	if (format->compressor == NULL || mcp_compressors_is_built_in(format->compressor)) {
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

static bool judge_compression_setting(mcp_format *format) {
	const char *setting = MCP_G(compression);
	if (*setting == '\0') {
		format->compressor = mcp_compressors_best();
		return true;
	}
	static const char *const names[] = {"none", "zlib", "zstd"};
	for (int i = MCP_COMPRESSION_NONE; i <= MCP_COMPRESSION_ZSTD; i++) {
		if (strcasecmp(setting, names[i]) == 0) {
			format->compressor = mcp_compressors_get((mcp_compression)i);
			if (i == MCP_COMPRESSION_NONE || mcp_compressors_is_built_in(format->compressor)) {
				return true;
			}
			zend_value_error("The INI setting mcpatterns.compression must be one that mcpatterns"
							 " was built with, and it was built without %s: " BUILD_WITH,
				names[i], format->compressor->package);
			return false;
		}
	}
	zend_value_error(
		"The INI setting mcpatterns.compression must be \"none\", \"zlib\" or \"zstd\","
		" \"%.100s\" given",
		setting);
	return false;
}

/* --- all of it --- */

bool mcp_format_arguments_judge(const mcp_format_arguments *arguments, mcp_format *format) {
	*format = (mcp_format){0};
	if (!judge_serializer(arguments, format) ||
		!judge_allowed_classes(arguments->allowed_classes)) {
		return false;
	}
	if (arguments->signing_key != NULL || arguments->signing_keys != NULL) {
		return mcp_object_refuse_later(SIGNING_KEY_ARGUMENT);
	}
	return judge_compression(arguments, format) && judge_compress_above(arguments, format);
}

bool mcp_format_arguments_judge_settings(mcp_format *format) {
	*format = (mcp_format){.compress_above = (size_t)MCP_G(compress_above)};
	return judge_serializer_setting(format) && judge_compression_setting(format);
}
