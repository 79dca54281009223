/* The table of serializers, searched by enum case and by the type in an item's flags. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "zend_smart_str.h"

static const mcp_serializer_codec *const codecs[] = {
	[MCP_SERIALIZER_PHP] = &php_mcp_serializer_php,
	[MCP_SERIALIZER_IGBINARY] = &php_mcp_serializer_igbinary,
	[MCP_SERIALIZER_JSON] = &php_mcp_serializer_json,
	[MCP_SERIALIZER_MSGPACK] = &php_mcp_serializer_msgpack,
};

#define CODEC_COUNT (sizeof(codecs) / sizeof(codecs[0]))

void php_mcp_serializers_register(void) {
	php_mcp_serializer_igbinary_find();
	php_mcp_serializer_msgpack_find();
}

const mcp_serializer_codec *php_mcp_serializers_get(mcp_serializer which) {
	return codecs[which];
}

const mcp_serializer_codec *php_mcp_serializers_best(void) {
	return php_mcp_serializer_igbinary.is_here() ? &php_mcp_serializer_igbinary
												 : &php_mcp_serializer_php;
}

const mcp_serializer_codec *php_mcp_serializers_named(const char *name) {
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (strcasecmp(codecs[i]->name, name) == 0) {
			return codecs[i];
		}
	}
	return NULL;
}

const mcp_serializer_codec *php_mcp_serializers_of_type(uint32_t type) {
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (codecs[i]->type == type) {
			return codecs[i]->is_here() ? codecs[i] : NULL;
		}
	}
	return NULL;
}

zend_string *php_mcp_serializers_describe(void) {
	smart_str text = {0};
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (codecs[i]->is_here()) {
			smart_str_append_printf(&text, "%s%s", i > 0 ? ", " : "", codecs[i]->name);
		}
	}
	return smart_str_extract(&text);
}
