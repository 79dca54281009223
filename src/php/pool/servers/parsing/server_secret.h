/* User and password for memcached's authentication, as they are written and as they are sent. No mistake ever quotes either. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_SECRET_H
#define MCP_PHP_SERVER_SECRET_H

#include "../../../../core/bytes.h"
#include "php.h"

/* memcached reads lines of "user:password" of up to 255 bytes out of its file (authfile.c). */
#define MCP_SECRET_MAX 254

/* The two of them with a space between, as memcached wants to be told. Plain data. */
typedef struct mcp_server_secret {
	char text[MCP_SECRET_MAX + 1];
	uint16_t user_length, length; /* 0: there is none */
} mcp_server_secret;

static inline bool php_mcp_server_secret_is_given(const mcp_server_secret *secret) {
	return secret->length > 0;
}

/* Shows both, for as long as the secret lives; none leaves them as they are. */
static inline void php_mcp_server_secret_show(const mcp_server_secret *secret, mcp_bytes *user,
	mcp_bytes *password) {
	if (php_mcp_server_secret_is_given(secret)) {
		*user = mcp_bytes_of(secret->text, secret->user_length);
		*password = mcp_bytes_of(secret->text + secret->user_length + 1,
			(size_t)secret->length - secret->user_length - 1);
	}
}

/* Makes it of both. NULL, or the mistake in words that follow "must ". */
zend_string *php_mcp_server_secret_make(mcp_server_secret *secret, mcp_bytes user,
	mcp_bytes password);
/* Takes "user:password@" off the beginning of `text`, if there is an '@' in it. A URL's %40 is an '@' in both. As
 * above. */
zend_string *php_mcp_server_secret_take(mcp_server_secret *secret, mcp_bytes *text);

#endif
