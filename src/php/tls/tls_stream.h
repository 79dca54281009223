/* PHP's TLS over a connected socket: a private, non-blocking stream of the tls:// transport that outlives requests.
 * Not linked to OpenSSL. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TLS_TLS_STREAM_H
#define MCP_PHP_TLS_TLS_STREAM_H

#include "php.h"
#include "tls_options.h"

/* Result of a step. */
typedef enum mcp_tls_outcome {
	MCP_TLS_DONE,
	MCP_TLS_WOULD_WAIT, /* for the peer */
	MCP_TLS_BROKEN,
} mcp_tls_outcome;

/* Zero-initialized: closed. */
typedef struct mcp_tls_stream {
	php_stream *stream;
	const char *words; /* why it broke, in this module's words; NULL: closed without a reason */
} mcp_tls_stream;

/* True if this PHP has ext/openssl. */
bool php_mcp_tls_stream_is_supported(void);

/* Start on a non-blocking descriptor and take it over. Returns false on failure; the caller then keeps the
 * descriptor. `name`: the server's, unless the options have another. */
bool php_mcp_tls_stream_open(mcp_tls_stream *self, int descriptor, const char *name,
	const mcp_tls_options *options);
/* Continue the handshake without waiting. */
mcp_tls_outcome php_mcp_tls_stream_shake_hands(mcp_tls_stream *self);
/* Read without waiting; the next function writes. *length > 0 on success. */
mcp_tls_outcome php_mcp_tls_stream_read(mcp_tls_stream *self, char *into, size_t room,
	size_t *length);
mcp_tls_outcome php_mcp_tls_stream_write(mcp_tls_stream *self, const char *bytes, size_t count,
	size_t *length);
/* Close it and its descriptor. */
void php_mcp_tls_stream_close(mcp_tls_stream *self);
/* Close it in a forked child without the peer or the parent noticing. */
void php_mcp_tls_stream_disown(mcp_tls_stream *self);

#endif
