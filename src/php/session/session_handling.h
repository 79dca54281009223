/* Does for a handler of sessions what concerns the one that it has open, whoever calls it: PHP's session module or a SessionHandler.
 * Throws nothing and warns of nothing: its callers say what it tells them of. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_HANDLING_H
#define MCP_PHP_SESSION_HANDLING_H

#include "open_session.h"
#include "session_trouble.h"

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
