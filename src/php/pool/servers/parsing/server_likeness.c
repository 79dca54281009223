/* By a scheme, or by a port that memcached has. */
/* SPDX-License-Identifier: MIT */
#include "server_likeness.h"

#include "../../../../core/decimal.h"
#include "server_text.h"

#define USER_PORT_MIN 1024
#define USER_PORT_MAX 65535
/* Where memcached listens by default, and the instances beside it. */
#define MEMCACHED_PORT_MIN 11211
#define MEMCACHED_PORT_MAX 11299

/* Takes ":17" off the end. False if there is none. */
static bool take_number(mcp_bytes *text, uint64_t *number) {
	const char *colon = zend_memrchr(text->data, ':', text->length);
	if (colon == NULL || colon == text->data) {
		return false;
	}
	size_t length = colon - text->data;
	if (!mcp_decimal_parse_u64(mcp_bytes_of(colon + 1, text->length - length - 1), number)) {
		return false;
	}
	text->length = length;
	return true;
}

static bool may_be_a_host(mcp_bytes name, uint64_t port) {
	if (name.data[name.length - 1] == ']' ||
		(port >= MEMCACHED_PORT_MIN && port <= MEMCACHED_PORT_MAX)) {
		return true;
	}
	return port >= USER_PORT_MIN && port <= USER_PORT_MAX &&
		(memchr(name.data, '.', name.length) != NULL ||
			zend_binary_strcmp(name.data, name.length, ZEND_STRL("localhost")) == 0);
}

/* Recognizes "cache2:11211", "10.0.0.2:22122:1" and "[::1]:1". "tenant:17" and "v1.2:3" may be prefixes. */
static bool ends_as_an_address(mcp_bytes text) {
	uint64_t port;
	while (take_number(&text, &port)) {
		if (may_be_a_host(text, port)) {
			return true;
		}
	}
	return false;
}

bool php_mcp_server_likeness_is_sure(const zend_string *text) {
	if (ZSTR_LEN(text) == 0) {
		return false; /* fast, as most prefixes are empty */
	}
	return zend_string_starts_with_literal(text, MCP_UNIX_SCHEME) ||
		zend_string_starts_with_literal(text, MCP_MEMORY_SCHEME) ||
		zend_string_starts_with_literal(text, MCP_TLS_SCHEME) ||
		zend_string_starts_with_literal(text, MCP_DISCOVERY_SCHEME) ||
		ends_as_an_address(mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text)));
}
