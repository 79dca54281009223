/* TLS options under the names of PHP's ssl context. They are validated once, and kept as long as connections use
 * them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TLS_OPTIONS_H
#define MCP_PHP_TLS_OPTIONS_H

#include "php.h"

/* Options in the order of their table. */
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

/* Plain data. All zero: PHP's defaults, which verify the peer. */
typedef struct mcp_tls_options {
	/* UNDEF: not given. Strings are persistent, one reference each. Without a method, every method that this host's
	 * OpenSSL allows can be used. */
	zval values[MCP_TLS_OPTIONS];
} mcp_tls_options;

/* Parse an array of options. Returns NULL if the options were filled (free them), otherwise the mistake as
 * text after "must ", without secrets. */
zend_string *php_mcp_tls_options_read(mcp_tls_options *options, HashTable *given);
/* Set a non-boolean option from an INI setting. An empty text is not set. Returns NULL or a mistake like the previous
 * function. */
zend_string *php_mcp_tls_options_set(mcp_tls_options *options, mcp_tls_option option,
	const char *text);
void php_mcp_tls_options_free(mcp_tls_options *options);

bool php_mcp_tls_options_are_given(const mcp_tls_options *options);
const char *php_mcp_tls_options_setting(mcp_tls_option option);

/* Visit all values that identify the options, in a fixed order. */
void php_mcp_tls_options_visit(const mcp_tls_options *options,
	void (*visit)(void *context, const void *bytes, size_t length), void *context);

/* Make a stream context for this request, with one reference. */
struct _php_stream_context *php_mcp_tls_options_context(const mcp_tls_options *options);
int php_mcp_tls_options_method(const mcp_tls_options *options);

/* Add the options to an array. For the passphrase, only its presence is added. */
void php_mcp_tls_options_show(zval *array, const mcp_tls_options *options);

#endif
