/* PHP's own TLS over a socket that is connected: a stream of its tls:// transport, which is nobody else's, never waits, and
 * outlives requests. No link to OpenSSL, and its option names. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TLS_TLS_STREAM_H
#define MCP_PHP_TLS_TLS_STREAM_H

#include "php.h"
#include "tls_options.h"

/* The fate of a step. */
typedef enum mcp_tls_outcome {
	MCP_TLS_DONE,
	MCP_TLS_WOULD_WAIT, /* for the other side */
	MCP_TLS_BROKEN,
} mcp_tls_outcome;

/* Zero-initialised: closed. */
typedef struct mcp_tls_stream {
	php_stream *stream;
	const char *words; /* why it broke, in our own words; NULL: it ended without a reason */
} mcp_tls_stream;

/* Says whether this PHP has TLS: ext/openssl. */
bool php_mcp_tls_stream_is_supported(void);

/* Begins on this descriptor, which does not block, and which it closes in the end. False if it could not be; the
 * descriptor is the caller's still then. `name` is the server's, unless the options have another. */
bool php_mcp_tls_stream_open(mcp_tls_stream *self, int descriptor, const char *name,
	const mcp_tls_options *options);
/* Shakes hands as far as that goes without waiting. */
mcp_tls_outcome php_mcp_tls_stream_shake_hands(mcp_tls_stream *self);
/* Reads, and writes, what goes without waiting: *length > 0 if it is done. */
mcp_tls_outcome php_mcp_tls_stream_read(mcp_tls_stream *self, char *into, size_t room,
	size_t *length);
mcp_tls_outcome php_mcp_tls_stream_write(mcp_tls_stream *self, const char *bytes, size_t count,
	size_t *length);
/* Closes it with its descriptor. */
void php_mcp_tls_stream_close(mcp_tls_stream *self);
/* Closes it in the child of a fork: neither the other side nor the parent notices. */
void php_mcp_tls_stream_disown(mcp_tls_stream *self);

#endif
