/* Rebuilds that run after the response has been sent (C11). The client gets the stale value immediately. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AFTER_RESPONSE_H
#define MCP_PHP_AFTER_RESPONSE_H

#include "remember_call.h"

typedef struct mcp_after_response mcp_after_response;

/* Prepares the hidden function at startup. */
void php_mcp_after_response_register(void);

/* Detects at the start of a PHP request whether it is a worker that serves many HTTP requests. */
void php_mcp_after_response_begin_request(void);

/* Returns true if the response of this request can end before the script: with PHP-FPM, LiteSpeed, and FrankenPHP
 * outside worker mode. False during the rebuilds themselves. */
bool php_mcp_after_response_is_possible(void);

/* Queues a copy of *remembering, and takes over its claim. False if no queue can be created. The caller must then
 * compute now. Call it only if php_mcp_after_response_is_possible(). */
bool php_mcp_after_response_queue(const mcp_remember_call *remembering);

/* Registers, at startup, the work that runs last, after all rebuilds. */
void php_mcp_after_response_follow(void (*work)(void));
/* Runs this work once after the response, or at the end of a command's script. Other requests never run it. */
void php_mcp_after_response_expect(void);

/* Logs and clears an exception that no caller can see. An exit is cleared without a log entry. */
void php_mcp_after_response_contain(const char *doing, const char *what);

/* Drops the rebuilds that have not run by the end of the request, and closes the queue. Request end releases their
 * claims. */
void php_mcp_after_response_reset(void);

#endif
