/* Keeps the engine quiet about bytes that another client stored, as the @ operator does. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SILENCE_H
#define MCP_PHP_SILENCE_H

/* Silences all but fatal errors from here on. Returns what php_mcp_silence_end wants. A fatal error in between
 * leaves the silence behind, but not for the next request. */
int php_mcp_silence_begin(void);

/* Leaves alone what user code has set meanwhile. */
void php_mcp_silence_end(int level);

#endif
