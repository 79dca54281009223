/* The options of TLS, by the names that PHP's ssl context has for them: judged once, and kept for as long as connections
 * are made by them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TLS_OPTIONS_H
#define MCP_PHP_TLS_OPTIONS_H

#include "php.h"

/* The options that there are, in the order of their table. */
typedef enum mcp_tls_option {
	MCP_TLS_CAFILE,
	MCP_TLS_CAPATH,
	MCP_TLS_PEER_NAME,
	MCP_TLS_VERIFY_PEER,
	MCP_TLS_VERIFY_PEER_NAME,
	MCP_TLS_ALLOW_SELF_SIGNED,
	MCP_TLS_PEER_FINGERPRINT,
	MCP_TLS_LOCAL_CERT,
	MCP_TLS_LOCAL_PK,
	MCP_TLS_PASSPHRASE,
	MCP_TLS_CIPHERS,
	MCP_TLS_CRYPTO_METHOD,
	MCP_TLS_OPTIONS,
} mcp_tls_option;

/* Plain data; all zero is PHP's own defaults, which verify. */
typedef struct mcp_tls_options {
	zend_string *texts[MCP_TLS_OPTIONS]; /* persistent and a reference each; NULL: not given */
	bool is_given[MCP_TLS_OPTIONS];      /* of the switches */
	bool switches[MCP_TLS_OPTIONS];
	zend_long method; /* 0: any that this host's OpenSSL takes */
} mcp_tls_options;

/* Reads a list of options. NULL if it was filled (to be freed), otherwise the mistake in words that follow "must ", never
 * with a value of a secret. */
zend_string *php_mcp_tls_options_read(mcp_tls_options *options, HashTable *given);
void php_mcp_tls_options_switch(mcp_tls_options *options, mcp_tls_option option, bool is_on);
/* Sets one that is no switch by the text of an INI setting; an empty one says nothing. As above. */
zend_string *php_mcp_tls_options_set(mcp_tls_options *options, mcp_tls_option option,
	const char *text);
void php_mcp_tls_options_free(mcp_tls_options *options);

bool php_mcp_tls_options_are_given(const mcp_tls_options *options);
const char *php_mcp_tls_options_name(mcp_tls_option option);

/* Visits what tells them apart, in an order that is always the same. */
void php_mcp_tls_options_visit(const mcp_tls_options *options,
	void (*visit)(void *context, const void *bytes, size_t length), void *context);

/* Makes a stream's context of them, for this request; one reference. */
struct _php_stream_context *php_mcp_tls_options_context(const mcp_tls_options *options);
int php_mcp_tls_options_method(const mcp_tls_options *options);

/* Adds them to an array, but for the secret one, of which it says that there is one. */
void php_mcp_tls_options_show(zval *array, const mcp_tls_options *options);

#endif
