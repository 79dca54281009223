/* Rebuilds that run after the response has been sent (C11). The client gets the stale value immediately. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AFTER_RESPONSE_H
#define MCP_PHP_AFTER_RESPONSE_H

#include "remember_call.h"

typedef struct mcp_after_response mcp_after_response;

/* Registers at startup. */
void php_mcp_after_response_register(void);

/* Detects at the start of a request whether it serves many requests. */
void php_mcp_after_response_begin_request(void);

/* Returns true if the response of this request can end early: PHP-FPM, LiteSpeed, and FrankenPHP outside worker mode.
 * False during the rebuilds themselves. */
bool php_mcp_after_response_is_possible(void);

/* Queues a copy of *remembering and takes over its claim. False if the queue of the request is full or closed:
 * compute now. */
bool php_mcp_after_response_queue(const mcp_remember_call *remembering);

/* Registers at startup the work that runs last, after all rebuilds. */
void php_mcp_after_response_follow(void (*work)(void));
/* Runs this work once after the response, or at the end of a command's script. Other requests never run it. */
void php_mcp_after_response_expect(void);

/* Logs and clears an exception that no caller can see. An exit is not an error. */
void php_mcp_after_response_contain(const char *doing, const char *what);

/* Drops rebuilds that never ran at the end of the request, and closes the queue. The request releases the claims. */
void php_mcp_after_response_reset(void);

#endif
