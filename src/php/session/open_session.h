/* The options of sessions, and a session that this process has open, with its lock, from start to close. Handles of one
 * thread share the hold of a session. No function runs user code, even while it waits. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_OPEN_SESSION_H
#define MCP_PHP_SESSION_OPEN_SESSION_H

#include "../../core/bytes.h"
#include "../../core/metrics/metrics.h"
#include "../../patterns/session/session.h"
#include "../host/give_back.h"
#include "../pool/pool.h"
#include "../value/format.h"
#include "php.h"

/* Find the metrics record of the sessions under this Pool's prefix, which keeps its address for the life of the
 * process. NULL if metrics are off. */
mcp_metrics_session *php_mcp_open_session_find_counts(const mcp_pool *pool);

/* Count data that PHP could not encode. `counted` can be NULL. */
void php_mcp_open_session_count_refusal(mcp_metrics_session *counted);

/* The options of sessions, from the settings or a SessionHandler. */
typedef struct mcp_session_options {
	mcp_pool *pool;               /* a reference */
	mcp_metrics_session *counted; /* metrics record; NULL: not counted */
	/* options of the pattern; fields of a single session are added for each call */
	mcp_session pattern;
	zend_string *foreign; /* prefix of the other handler's keys; a reference, or NULL */
	/* with session.use_strict_mode, ids whose server has an open circuit breaker are invalid */
	bool fails_over;
} mcp_session_options;

/* Find a format by its name in session.serialize_handler. NULL or an unknown name gives MCP_SESSION_OTHER. The next
 * function returns the name. */
mcp_session_format php_mcp_open_session_find_format(const char *name);
const char *php_mcp_open_session_format_name(mcp_session_format format);

/* Make the options from the settings, with the servers `servers`, or mcpatterns.servers if `servers` is empty. Returns
 * false with a warning if a setting is wrong. The caller frees the options. */
bool php_mcp_open_session_read_settings(mcp_session_options *options, const char *servers,
	const char *format_name, zend_long ttl_s);
void php_mcp_open_session_free_options(mcp_session_options *options);

/* Read mcpatterns.session_key_file, once at start-up. Returns false with a warning. The next function frees the
 * keys. */
bool php_mcp_open_session_read_keys(void);
void php_mcp_open_session_forget_keys(void);

#define MCP_SESSION_OWNER_MAX 256

/* Format as "web3 (pid 4711) for 12.4 s (/cart)". The caller releases the string. */
zend_string *php_mcp_open_session_show_owner(mcp_bytes owner, uint64_t held_for_ms);

/* Compresses and decompresses session payloads with the Pool's compressor. Uses no engine memory, so that a bailout
 * because of memory_limit cannot skip the code of a pattern. */

typedef struct mcp_session_packer {
	mcp_session_packing packing;
	const mcp_format *format; /* borrowed */
	mcp_buffer packed, plain;
} mcp_session_packer;

/* The struct must not move while it has an id. All zero: not open. */
typedef struct mcp_open_session {
	struct mcp_open_session *next;      /* next in the thread's list, while there is an id */
	const mcp_session_options *options; /* borrowed */
	zend_string *id;                    /* a reference; NULL: not open */
	mcp_pool_kept_key kept;             /* key of the id */
	char foreign_bytes[MCP_WIRE_KEY_MAX];
	mcp_key foreign; /* key of the other handler's item; not safe if no such item is possible */
	mcp_session_known known;
	mcp_session_packer packer;
	/* Identifies this request in its session's lock. Format: "host pid start path" with the host name, process id,
	 * request start (Unix time), and the request path without query or the script's path. */
	char owner[MCP_SESSION_OWNER_MAX];
	mcp_give_back held; /* registered while the lock is held */
	/* written or renewed since the start; `known` is from before the write */
	bool was_written;
	bool is_issued; /* the id was created for this session, and nothing is stored yet */
	pid_t process;
} mcp_open_session;

bool php_mcp_open_session_is(const mcp_open_session *self, const zend_string *id);

/* Set the id without a request. A previous session must have been closed. */
void php_mcp_open_session_begin(mcp_open_session *self, const mcp_session_options *options,
	zend_string *id);
/* Close the session, and release the hold. */
void php_mcp_open_session_end(mcp_open_session *self);

/* Start the session. This function and the functions below call the pattern's functions of the same names. A session
 * that is already held is read again. */
mcp_status php_mcp_open_session_start(mcp_open_session *self, bool is_new);
mcp_status php_mcp_open_session_peek(mcp_open_session *self);
/* Write the data, or renew the session if the data is unchanged. */
void php_mcp_open_session_write(mcp_open_session *self, mcp_bytes data, mcp_session_report *report);
void php_mcp_open_session_destroy(mcp_open_session *self, mcp_session_report *report);

/* Find the holder of the lock. Returns MCP_OK, MCP_NOT_FOUND or a failure. */
mcp_status php_mcp_open_session_find_holder(mcp_open_session *self, mcp_buffer *holder);

/* Store of the server that holds an id. */
mcp_store *php_mcp_open_session_owner_of(const mcp_session_options *options, const zend_string *id);

#endif
