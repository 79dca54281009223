/* session.save_handler = mcpatterns. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SAVE_HANDLER_H
#define MCP_PHP_SAVE_HANDLER_H

/* Offers it to PHP's session module at start-up, if that is there. */
void php_mcp_save_handler_register(void);

/* Writes and closes the session that is open by it, before anything else of the request is given back: PHP's own end of a
 * session comes later. Runs user code, as PHP's does. */
void php_mcp_save_handler_end_request(void);

#endif
