/* memcached takes what it is sent apart at spaces, and its file's lines at the first colon: neither can be in a user. */
/* SPDX-License-Identifier: MIT */
#include "server_secret.h"

static bool is_sendable(mcp_bytes text, bool is_user) {
	for (size_t i = 0; i < text.length; i++) {
		unsigned char byte = (unsigned char)text.data[i];
		if (byte <= 0x20 || byte == 0x7f || (is_user && byte == ':')) {
			return false;
		}
	}
	return text.length > 0;
}

zend_string *php_mcp_server_secret_make(mcp_server_secret *secret, mcp_bytes user,
	mcp_bytes password) {
	if (!is_sendable(user, true)) {
		return zend_strpprintf(0,
			"have a user that is not empty and has no spaces, control characters or colons");
	}
	if (!is_sendable(password, false)) {
		return zend_strpprintf(0,
			"have a password that is not empty and has no spaces or control characters");
	}
	if (user.length + 1 + password.length > MCP_SECRET_MAX) {
		return zend_strpprintf(0, "have a user and a password of at most %d bytes together",
			MCP_SECRET_MAX - 1);
	}
	memcpy(secret->text, user.data, user.length);
	secret->text[user.length] = ' ';
	memcpy(secret->text + user.length + 1, password.data, password.length);
	secret->user_length = (uint16_t)user.length;
	secret->length = (uint16_t)(user.length + 1 + password.length);
	return NULL;
}

static int digit_of(char byte) {
	return byte >= '0' && byte <= '9' ? byte - '0'
		: byte >= 'a' && byte <= 'f'  ? byte - 'a' + 10
		: byte >= 'A' && byte <= 'F'  ? byte - 'A' + 10
									  : -1;
}

/* Decodes into `decoded`, which has room for as many bytes. */
static mcp_bytes decode(mcp_bytes text, char *decoded) {
	size_t length = 0;
	for (size_t i = 0; i < text.length; i++) {
		bool is_code = text.data[i] == '%' && i + 2 < text.length &&
			digit_of(text.data[i + 1]) >= 0 && digit_of(text.data[i + 2]) >= 0;
		decoded[length++] = is_code
			? (char)(digit_of(text.data[i + 1]) * 16 + digit_of(text.data[i + 2]))
			: text.data[i];
		i += is_code ? 2 : 0;
	}
	return mcp_bytes_of(decoded, length);
}

#define CODED_MAX (3 * MCP_SECRET_MAX)

zend_string *php_mcp_server_secret_take(mcp_server_secret *secret, mcp_bytes *text) {
	const char *at = text->length > 0 ? memchr(text->data, '@', text->length) : NULL;
	if (at == NULL) {
		return NULL;
	}
	mcp_bytes both = mcp_bytes_of(text->data, (size_t)(at - text->data));
	*text = mcp_bytes_of(at + 1, text->length - both.length - 1);
	const char *colon = both.length > 0 ? memchr(both.data, ':', both.length) : NULL;
	if (colon == NULL || both.length > CODED_MAX) {
		return zend_strpprintf(0,
			"have a user and a password before a server's \"@\" as"
			" \"user:password@\"");
	}
	char user[CODED_MAX], password[CODED_MAX];
	size_t user_length = (size_t)(colon - both.data);
	mcp_bytes coded = mcp_bytes_of(colon + 1, both.length - user_length - 1);
	return php_mcp_server_secret_make(secret, decode(mcp_bytes_of(both.data, user_length), user),
		decode(coded, password));
}
