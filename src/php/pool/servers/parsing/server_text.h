/* The pieces that a server's text is taken apart by. For the files beside it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_TEXT_H
#define MCP_PHP_SERVER_TEXT_H

#include "../../../../core/bytes.h"
#include "php.h"

#define MCP_UNIX_SCHEME "unix://"
#define MCP_MEMORY_SCHEME "memory://"
#define MCP_TLS_SCHEME "tls://"
#define MCP_DISCOVERY_SCHEME "discover://"

/* Makes a mistake's half a sentence of the format, whose one %s is the offending part, shortened when it is long: so that
 * the constructor and the INI setting can each put their own name before it. */
zend_string *php_mcp_server_text_mistake(const char *format, mcp_bytes part);

static inline mcp_bytes php_mcp_server_text_drop(mcp_bytes text, size_t length) {
	return mcp_bytes_of(text.data + length, text.length - length);
}

/* Allows ASCII only, whatever the locale says. */
static inline bool php_mcp_server_text_is_digit(char byte) {
	return byte >= '0' && byte <= '9';
}

static inline bool php_mcp_server_text_is_letter(char byte) {
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static inline bool php_mcp_server_text_is_blank(char byte) {
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline mcp_bytes php_mcp_server_text_trim(mcp_bytes text) {
	while (text.length > 0 && php_mcp_server_text_is_blank(text.data[0])) {
		text = php_mcp_server_text_drop(text, 1);
	}
	while (text.length > 0 && php_mcp_server_text_is_blank(text.data[text.length - 1])) {
		text.length--;
	}
	return text;
}

static inline bool php_mcp_server_text_begins_with(mcp_bytes text, const char *head) {
	size_t length = strlen(head);
	return text.length >= length && memcmp(text.data, head, length) == 0;
}

/* Takes everything up to the first `separator` (or all of it), which is dropped from *rest. */
static inline mcp_bytes php_mcp_server_text_take_until(mcp_bytes *rest, char separator,
	bool *was_found) {
	const char *at = rest->length == 0 ? NULL : memchr(rest->data, separator, rest->length);
	*was_found = at != NULL;
	mcp_bytes taken = *rest;
	if (at == NULL) {
		*rest = mcp_bytes_of(rest->data + rest->length, 0);
		return taken;
	}
	taken.length = (size_t)(at - rest->data);
	*rest = php_mcp_server_text_drop(*rest, taken.length + 1);
	return taken;
}

static inline bool php_mcp_server_text_contains(mcp_bytes text, const char *part) {
	size_t length = strlen(part);
	for (mcp_bytes rest = text; rest.length >= length; rest = php_mcp_server_text_drop(rest, 1)) {
		if (php_mcp_server_text_begins_with(rest, part)) {
			return true;
		}
	}
	return false;
}

/* Shows what stands behind a password. */
static inline mcp_bytes php_mcp_server_text_without_secret(mcp_bytes text) {
	const char *at = text.length > 0 ? zend_memrchr(text.data, '@', text.length) : NULL;
	return at != NULL ? php_mcp_server_text_drop(text, (size_t)(at + 1 - text.data)) : text;
}

#endif
