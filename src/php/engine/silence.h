/* Silences errors about bytes from another client, like the @ operator. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SILENCE_H
#define MCP_PHP_SILENCE_H

/* Silence all but fatal errors. Returns the level for php_mcp_silence_end(). A fatal error in between leaves errors
 * silenced until request end. */
int php_mcp_silence_begin(void);

/* Keep a level that user code has set meanwhile. */
void php_mcp_silence_end(int level);

#endif
