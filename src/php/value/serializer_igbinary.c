/* igbinary, if that extension is loaded. It recurses without a limit and frees parts of a damaged block twice, so a
 * block must pass mcp_serialized_scan_igbinary() first. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "../engine/storable.h"
#include "peer_module.h"

/* Set at start-up. Signatures from igbinary.h; 0 is success. */
static int (*write_block)(uint8_t **block, size_t *length, zval *value);
static int (*read_block)(const uint8_t *block, size_t length, zval *value);

void php_mcp_serializer_igbinary_find(void) {
	write_block = php_mcp_peer_module_function("igbinary", "igbinary_serialize");
	read_block = php_mcp_peer_module_function("igbinary", "igbinary_unserialize");
}

static bool is_here(void) {
	return write_block != NULL && read_block != NULL;
}

/* Leave enums to PHP's serializer: igbinary 3.2 reads a case of an internal enum so that PHP later ends with a fatal
 * error. The depth of objects is known only after writing. */
static bool may_be_written(mcp_bytes block, const char **mistake) {
	bool may_be_deep = block.length >= MCP_SERIALIZED_DEEP_FROM_IGBINARY;
	if (!may_be_deep && memchr(block.data, MCP_SERIALIZED_ENUM_IGBINARY, block.length) == NULL) {
		return true;
	}
	mcp_serialized_facts facts;
	if (!mcp_serialized_scan_igbinary(block, &facts)) {
		*mistake = MCP_STORABLE_TOO_DEEP;
		return false;
	}
	return !facts.has_enums;
}

static zend_string *serialize(zval *value, const char **mistake) {
	uint8_t *block = NULL;
	size_t length = 0;
	bool is_written = write_block(&block, &length, value) == 0 && EG(exception) == NULL;
	zend_string *bytes = NULL;
	if (is_written && may_be_written(mcp_bytes_of((const char *)block, length), mistake)) {
		bytes = zend_string_init((const char *)block, length, false);
	}
	if (block != NULL) {
		efree(block);
	}
	return bytes;
}

static bool unserialize(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	(void)allowed_classes;
	ZVAL_NULL(value);
	return read_block((const uint8_t *)bytes.data, bytes.length, value) == 0;
}

const mcp_serializer_codec php_mcp_serializer_igbinary = {
	.name = "igbinary",
	.type = MCP_VALUE_IGBINARY,
	.is_here = is_here,
	.serialize = serialize,
	.scan = mcp_serialized_scan_igbinary,
	.deep_from = 0, /* any block can be damaged */
	.memory_max = mcp_serialized_memory_max,
	.unserialize = unserialize,
};
