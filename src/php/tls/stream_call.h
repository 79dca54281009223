/* Calls into PHP's streams from below: without user code, without a warning to anybody, and without a fatal error's jump
 * over what called. The one place of this extension that catches a bailout. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STREAM_CALL_H
#define MCP_PHP_STREAM_CALL_H

#include "php.h"

/* Room for the head of a warning, with what OpenSSL says. */
#define MCP_STREAM_WARNING_MAX 512

/* A call, and what became of it. */
typedef struct mcp_stream_call {
	void (*run)(void *context);
	void *context;
	char warning[MCP_STREAM_WARNING_MAX]; /* the last that it would have given; "": none */
} mcp_stream_call;

/* Runs it. False if it bailed out: the bailout is noted (bailout.h), and the call left unfinished what it was at. */
bool php_mcp_stream_call_run(mcp_stream_call *call);

#endif
