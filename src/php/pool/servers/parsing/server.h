/* Parses a server: 'host:port', 'host:port:weight', 'host', '[::1]:11211', any of these after 'tcp://', 'memcached://'
 * or 'tls://', 'unix:///path', or 'memory://name'. Also parses a source of servers: 'discover://host:port',
 * 'dns://name:port' or 'dns+srv://name'. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_PARSING_SERVER_H
#define MCP_PHP_POOL_SERVERS_PARSING_SERVER_H

#include "../../../../core/bytes.h"
#include "../../../../store/wire/dns.h"
#include "php.h"

#include <stdbool.h>
#include <stddef.h>

/* Host: a name, an IPv4 address, or an IPv6 address with an optional zone. The host is neither resolved nor changed,
 * because the ring hashes the host as written. */

#define MCP_HOST_MAX 255

/* Limit of user and password: memcached reads "user:password" lines of up to 255 bytes from its file (authfile.c). */
#define MCP_SECRET_MAX 254

/* User and password for authentication, separated by a space as sent to memcached. Plain data. Messages never quote
 * them. */
typedef struct mcp_server_secret {
	char text[MCP_SECRET_MAX + 1];
	uint16_t user_length, length; /* 0: none */
} mcp_server_secret;

static inline bool php_mcp_server_secret_is_given(const mcp_server_secret *secret) {
	return secret->length > 0;
}

/* Get user and password, valid as long as the secret. Unchanged if there is no secret. */
static inline void php_mcp_server_secret_show(const mcp_server_secret *secret, mcp_bytes *user,
	mcp_bytes *password) {
	if (php_mcp_server_secret_is_given(secret)) {
		*user = mcp_bytes_of(secret->text, secret->user_length);
		*password = mcp_bytes_of(secret->text + secret->user_length + 1,
			(size_t)secret->length - secret->user_length - 1);
	}
}

/* Make a secret. Returns NULL, or the mistake as text after "must ". */
zend_string *php_mcp_server_secret_make(mcp_server_secret *secret, mcp_bytes user,
	mcp_bytes password);

#define MCP_SERVER_ADDRESS_MAX (MCP_HOST_MAX + 16)

typedef enum mcp_server_kind {
	MCP_SERVER_TCP,
	MCP_SERVER_UNIX,
	MCP_SERVER_MEMORY,
} mcp_server_kind;

/* Plain data that can be copied. */
typedef struct mcp_server {
	mcp_server_kind kind;
	bool is_tls;                              /* TCP only */
	bool is_discovery;                        /* TCP only: a discovery endpoint, not a server */
	mcp_dns_type dns;                         /* record type of a discovery by DNS; 0: none */
	uint16_t port;                            /* 0 unless TCP */
	uint32_t weight;                          /* >= 1 */
	char host[MCP_HOST_MAX + 1];              /* a name or address, a path, or a memory name */
	char address[MCP_SERVER_ADDRESS_MAX + 1]; /* "host:port", "unix:///path", "memory://name" */
	mcp_server_secret secret;                 /* user and password before the address */
} mcp_server;

/* True if a text that should be something else, such as a prefix, looks like a server. */
bool php_mcp_server_likeness_is_sure(const zend_string *text);

/* Parses lists of servers: several texts, one string with commas, or one discovery endpoint. No network access. */

typedef struct mcp_server_list {
	mcp_server *servers; /* emalloc */
	size_t count;
} mcp_server_list;

/* The user's texts, borrowed: the list `texts`, or, if it is NULL, one text. */
typedef struct mcp_written_servers {
	HashTable *texts;
	mcp_bytes text;
} mcp_written_servers;

/* Returns NULL if the list was filled (free with php_mcp_servers_free()), otherwise the mistake as words after "must "
 * that quote the invalid part. The caller releases the mistake. The time depends only on the number of servers. */
zend_string *php_mcp_servers_parse(mcp_server_list *list, const mcp_written_servers *written);
void php_mcp_servers_free(mcp_server_list *list);

#endif
