/* msgpack, if that extension is loaded: arrays, strings, numbers, booleans and null. Its versions write objects and
 * references differently and do not read them safely, so such values use PHP's serializer. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "peer_module.h"
#include "plain.h"
#include "zend_smart_str.h"

/* Set at start-up. Signatures from php_msgpack.h. The second function's return value differs between versions and is
 * ignored: the scan has validated the bytes. */
static void (*write_block)(smart_str *block, zval *value);
static int (*read_block)(zval *value, char *block, size_t length);

void php_mcp_serializer_msgpack_find(void) {
	write_block = php_mcp_peer_module_function("msgpack", "php_msgpack_serialize");
	read_block = php_mcp_peer_module_function("msgpack", "php_msgpack_unserialize");
}

static bool is_here(void) {
	return write_block != NULL && read_block != NULL;
}

static bool can_be_read(const zend_string *block) {
	mcp_serialized_facts facts;
	return mcp_serialized_scan_msgpack(mcp_bytes_of(ZSTR_VAL(block), ZSTR_LEN(block)), &facts);
}

static zend_string *serialize(zval *value, const char **mistake) {
	(void)mistake;
	mcp_plain_facts facts = php_mcp_plain_look(value);
	if (facts.has_objects || facts.has_references) {
		return NULL;
	}
	smart_str block = {0};
	write_block(&block, value);
	zend_string *bytes = smart_str_extract(&block);
	if (!can_be_read(bytes)) {
		zend_string_release(bytes);
		return NULL;
	}
	return bytes;
}

static bool unserialize(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	(void)allowed_classes;
	ZVAL_NULL(value);
	read_block(value, (char *)bytes.data, bytes.length);
	return true;
}

/* Scan every block, however short, because none may hold an object. */
static size_t memory_max(size_t length) {
	(void)length;
	return SIZE_MAX;
}

const mcp_serializer_codec php_mcp_serializer_msgpack = {
	.name = "msgpack",
	.type = MCP_VALUE_MSGPACK,
	.is_here = is_here,
	.serialize = serialize,
	.scan = mcp_serialized_scan_msgpack,
	.deep_from = 0,
	.memory_max = memory_max,
	.unserialize = unserialize,
};
