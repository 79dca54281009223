/* Reads, writes and destroys sessions for PHP's session module and SessionHandler. The module can be built in, loaded
 * or missing: its symbols are looked up at start-up, not linked. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_SESSION_MODULE_H
#define MCP_PHP_SESSION_SESSION_MODULE_H

#include "open_session.h"
#include "php.h"

/* True if the save handler can be selected. */
bool php_mcp_session_module_is_here(void);

/* Register session.save_handler = mcpatterns at start-up, if PHP's session module exists. */
void php_mcp_session_module_register(void);

/* Write and close the handler's open session before other parts of the request are released, because PHP ends sessions
 * later. Runs user code, as PHP does. */
void php_mcp_session_module_end_request(void);

/* Description of a session failure, and the exception that a SessionHandler throws for it; the save handler warns with
 * the text. The text never contains the session id. */

typedef struct mcp_session_trouble {
	zend_class_entry *exception;
	zend_string *text; /* begins with "the session"; the caller releases it. NULL: no failure */
} mcp_session_trouble;

/* State of a session handler for PHP's session module or a SessionHandler. Its functions never throw or warn: callers
 * report the results. All zero at first, except `options`. `open` must not move. */
typedef struct mcp_session_handling {
	mcp_session_options options;
	mcp_open_session open;
	zend_string *created; /* generated id whose session was not read yet; a reference, or NULL */
	bool has_answer;      /* validate has started the open session, and `answer` is for read */
	mcp_status answer;
	/* Last write, used if the session is written again without a read. References, or NULL. */
	zend_string *written_id, *written;
	uint64_t written_birth; /* birth of the stored session */
	/* The last write found that the session was destroyed. Further writes without a read are also dropped (E13). */
	bool was_dropped;
} mcp_session_handling;

/* Release the hold. The options are kept. */
void php_mcp_session_module_close(mcp_session_handling *self);

/* Keep the written data. NULL: none. */
void php_mcp_session_module_keep(mcp_session_handling *self, zend_string *id, zend_string *data);

/* Generate an id. Repeat while the circuit breaker of the id's server is open and another server is available, so that
 * new sessions start on a working server. Returns NULL on failure. */
zend_string *php_mcp_session_module_create_id(mcp_session_handling *self);

/* Returns false only if the session is known to be missing (E18), not if the server cannot be reached (E15). */
bool php_mcp_session_module_validate(mcp_session_handling *self, zend_string *id);

/* Open the session. *data is a view of its data. This function and the next two functions return the trouble. The
 * caller releases its text. */
mcp_session_trouble php_mcp_session_module_read(mcp_session_handling *self, zend_string *id,
	mcp_bytes *data);
mcp_session_trouble php_mcp_session_module_write(mcp_session_handling *self, zend_string *id,
	mcp_bytes data);
mcp_session_trouble php_mcp_session_module_destroy(mcp_session_handling *self, zend_string *id);

/* Allow messages that are logged once per request to be logged again. */
void php_mcp_session_module_end_log(void);

#endif
