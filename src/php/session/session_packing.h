/* Sessions' payloads made shorter by a Pool's compressor, as its other strings are, and longer again. The memory is not
 * the engine's, so that no limit of it jumps over a pattern. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_PACKING_H
#define MCP_PHP_SESSION_PACKING_H

#include "../../patterns/session/session.h"
#include "../value/format.h"

typedef struct mcp_session_packer {
	mcp_session_packing packing;
	const mcp_format *format; /* borrowed */
	mcp_buffer packed, plain;
} mcp_session_packer;

void php_mcp_session_packing_init(mcp_session_packer *packer, const mcp_format *format);
void php_mcp_session_packing_free(mcp_session_packer *packer);

#endif
