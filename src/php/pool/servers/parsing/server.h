/* A server as a user writes it: 'host:port', 'host:port:weight', 'host', '[::1]:11211', any of these behind 'tcp://',
 * 'memcached://' or 'tls://', 'unix:///path' or 'memory://name'; or the endpoint that tells a list,
 * 'discover://host:port'. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_PARSING_SERVER_H
#define MCP_PHP_POOL_SERVERS_PARSING_SERVER_H

#include "../../../../core/bytes.h"
#include "php.h"

#include <stdbool.h>
#include <stddef.h>

/* A server's host as it may be: a name, an IPv4 address, or an IPv6 address with or without a zone. Nothing is
 * resolved, and nothing is changed: the host as it is written is what the ring hashes. */

#define MCP_HOST_MAX 255

/* User and password for memcached's authentication, as they are written and as they are sent. No mistake ever quotes either. */

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

#define MCP_SERVER_ADDRESS_MAX (MCP_HOST_MAX + 16)

typedef enum mcp_server_kind {
	MCP_SERVER_TCP,
	MCP_SERVER_UNIX,
	MCP_SERVER_MEMORY,
} mcp_server_kind;

/* Plain data: may be copied anywhere. */
typedef struct mcp_server {
	mcp_server_kind kind;
	bool is_tls;                              /* of TCP alone */
	bool is_discovery;                        /* of TCP alone: it tells the servers, and is none */
	uint16_t port;                            /* 0 unless TCP */
	uint32_t weight;                          /* >= 1 */
	char host[MCP_HOST_MAX + 1];              /* a name or address, a path, or a memory name */
	char address[MCP_SERVER_ADDRESS_MAX + 1]; /* "host:port", "unix:///path", "memory://name" */
	mcp_server_secret secret;                 /* written before it */
} mcp_server;

/* Whether a text that should be something else, a prefix, looks like a server. */

/* Recognizes what can only be meant as one more server. */
bool php_mcp_server_likeness_is_sure(const zend_string *text);

/* Reads lists of servers: several texts, one string with commas, or the one endpoint that tells a list. Touches no network. */

typedef struct mcp_server_list {
	mcp_server *servers; /* emalloc */
	size_t count;
} mcp_server_list;

/* A user's own words, borrowed: a list of texts or, where that is NULL, one text. */
typedef struct mcp_written_servers {
	HashTable *texts;
	mcp_bytes text;
} mcp_written_servers;

/* Returns NULL if the list was filled (free it with php_mcp_servers_free), otherwise the mistake in words that follow
 * "must ", quoting the offending part; the caller releases it. Takes time by the number of servers alone. */
zend_string *php_mcp_servers_parse(mcp_server_list *list, const mcp_written_servers *written);
void php_mcp_servers_free(mcp_server_list *list);

#endif
