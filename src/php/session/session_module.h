/* PHP's session module, which may be loaded before this one, be part of PHP, or not be there at all: its symbols are looked
 * up when this module starts, and none of them is linked. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_SESSION_MODULE_H
#define MCP_PHP_SESSION_SESSION_MODULE_H

#include "open_session.h"
#include "php.h"

#if defined(__has_include)
#if __has_include("ext/session/php_session.h")
#include "ext/session/php_session.h"
#define MCP_HAS_SESSION_HEADERS
#endif
#endif

#ifdef MCP_HAS_SESSION_HEADERS

/* Finds it, and registers a save handler with it, which it borrows for good. False if it is not there. */
bool php_mcp_session_module_register(const ps_module *handler);

/* Returns its globals, for this thread. Only once it has been found. */
php_ps_globals *php_mcp_session_module_globals(void);

/* Writes and closes the session that is open, if it is. */
void php_mcp_session_module_flush(void);

#endif

/* Makes a random id as session.sid_length and its like say. Only once it has been found. */
zend_string *php_mcp_session_module_create_id(void);

/* Says whether the save handler is there to be chosen. */
bool php_mcp_session_module_is_here(void);

/* session.save_handler = mcpatterns. */

/* Offers it to PHP's session module at start-up, if that is there. */
void php_mcp_save_handler_register(void);

/* Writes and closes the session that is open by it, before anything else of the request is given back: PHP's own end of a
 * session comes later. Runs user code, as PHP's does. */
void php_mcp_save_handler_end_request(void);

/* The words for what went wrong with a session, and the exception that a SessionHandler throws of it; the save handler warns
 * with the words. They never have its id. */

typedef struct mcp_session_trouble {
	zend_class_entry *exception;
	zend_string *text; /* begins with "the session"; the caller releases it */
} mcp_session_trouble;

/* Does for a handler of sessions what concerns the one that it has open, whoever calls it: PHP's session module or a SessionHandler.
 * Throws nothing and warns of nothing: its callers say what it tells them of. */

/* Zero-initialised but for its terms; `open` must not move. */
typedef struct mcp_session_handling {
	mcp_session_terms terms;
	mcp_open_session open;
	zend_string *created; /* an id of its own that was not read yet; a reference, or NULL */
	bool has_answer;      /* the open session was started by validate: `answer` is for read */
	mcp_status answer;
	/* Written last, for a write of the same session that follows without a read; references, or NULL. */
	zend_string *written_id, *written;
	uint64_t written_birth; /* of the session that it was stored in */
	/* That write, as its session was destroyed: what follows without a read is dropped, too (E13). */
	bool was_dropped;
} mcp_session_handling;

/* Gives back all that is held; the terms stay. */
void php_mcp_session_handling_close(mcp_session_handling *self);

/* Keeps what was written; NULL: nothing. */
void php_mcp_session_handling_keep(mcp_session_handling *self, zend_string *id, zend_string *data);

/* Draws an id, again while its server is left alone and another one is not: new sessions begin where one answers. NULL if
 * there is none. */
zend_string *php_mcp_session_handling_create_id(mcp_session_handling *self);

/* Says no where it is known that there is no such session (E18): a server that could not be asked is no such answer (E15). */
bool php_mcp_session_handling_validate(mcp_session_handling *self, zend_string *id);

/* Makes it the one that is open, and *data a view of it. In all of these: false with the trouble, whose
 * text the caller releases. */
bool php_mcp_session_handling_read(mcp_session_handling *self, zend_string *id, mcp_bytes *data,
	mcp_session_trouble *trouble);
bool php_mcp_session_handling_write(mcp_session_handling *self, zend_string *id, mcp_bytes data,
	mcp_session_trouble *trouble);
bool php_mcp_session_handling_destroy(mcp_session_handling *self, zend_string *id,
	mcp_session_trouble *trouble);

/* Has the log told again of what it is told once for each request. */
void php_mcp_session_handling_end_request(void);

#endif
