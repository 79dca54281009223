/* A session as this process has it open, from its start to its close: what is known of it, and what is to be given back.
 * Handles of one thread share the hold of a session. Runs no user
 * code, also where it waits. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_OPEN_SESSION_H
#define MCP_PHP_SESSION_OPEN_SESSION_H

#include "../../core/bytes.h"
#include "../../patterns/session/session.h"
#include "../host/give_back.h"
#include "../pool/pool.h"
#include "../value/format.h"
#include "php.h"
#include "session_terms.h"

/* The name by which a request stands in the lock of its session, and how it is shown to those who wait for it. */

#define MCP_SESSION_OWNER_MAX 256

/* "host pid start path": the host's name, the process's id, when its request began (Unix time), and the path that was
 * asked for, or the script's, never with a query. */
typedef struct mcp_session_owner {
	char text[MCP_SESSION_OWNER_MAX];
	size_t length;
} mcp_session_owner;

/* Says "web3 4711 since 12.4 s (/cart)". The caller releases it. */
zend_string *php_mcp_session_owner_show(mcp_bytes owner, uint64_t held_for_ms);

/* Sessions' payloads made shorter by a Pool's compressor, as its other strings are, and longer again. The memory is not
 * the engine's, so that no limit of it jumps over a pattern. */

typedef struct mcp_session_packer {
	mcp_session_packing packing;
	const mcp_format *format; /* borrowed */
	mcp_buffer packed, plain;
} mcp_session_packer;

/* Must not move while it has an id. Zero-initialised: nothing is open. */
typedef struct mcp_open_session {
	struct mcp_open_session *next;  /* in the thread's list, while it has an id */
	const mcp_session_terms *terms; /* borrowed */
	zend_string *id;                /* a reference; NULL: none is open */
	mcp_pool_kept_key kept;         /* of the id */
	char foreign_bytes[MCP_WIRE_KEY_MAX];
	mcp_key foreign; /* of another handler's item; not safe: there can be none */
	mcp_session_known known;
	mcp_session_packer packer;
	mcp_session_owner owner;
	mcp_give_back held; /* registered while the lock is held */
	bool was_written;   /* or renewed, since it was started: what is known of it is of before */
	pid_t process;
} mcp_open_session;

static inline bool php_mcp_open_session_is(const mcp_open_session *self, const zend_string *id) {
	return self->id != NULL && zend_string_equals(self->id, id);
}

/* Begins with an id; nothing is asked. Whatever was open must have been closed. */
void php_mcp_open_session_begin(mcp_open_session *self, const mcp_session_terms *terms,
	zend_string *id);
/* Ends it, and gives back what is still held. */
void php_mcp_open_session_end(mcp_open_session *self);

/* Calls the pattern's function of a like name, as those below do. A session
 * that is held already is read again. */
mcp_status php_mcp_open_session_start(mcp_open_session *self, bool is_new);
mcp_status php_mcp_open_session_look(mcp_open_session *self);
/* Renews it where the data is as it was read. */
void php_mcp_open_session_write(mcp_open_session *self, mcp_bytes data, mcp_session_report *report);
void php_mcp_open_session_destroy(mcp_open_session *self, mcp_session_report *report);

/* Tells who holds its lock. MCP_OK, MCP_NOT_FOUND or a failure. */
mcp_status php_mcp_open_session_find_holder(mcp_open_session *self, mcp_buffer *holder);

/* Returns the store of the server that an id is kept on. */
mcp_store *php_mcp_open_session_owner_of(const mcp_session_terms *terms, const zend_string *id);

#endif
