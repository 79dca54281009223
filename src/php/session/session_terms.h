/* The terms on which sessions are kept, be they of the settings or of a SessionHandler. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_SESSION_TERMS_H
#define MCP_PHP_SESSION_SESSION_TERMS_H

#include "../../core/metrics/metrics.h"
#include "../../patterns/session/session.h"
#include "../pool/pool.h"

/* Counts what becomes of sessions, for all processes that look at the metrics. */

/* Finds the record of the sessions that this Pool's prefix is of. NULL if nothing is counted. It stays where it is for as
 * long as the process lives. */
mcp_metrics_session *php_mcp_session_counting_find(const mcp_pool *pool);

/* In all of these the record may be NULL. */

/* Counts a start that came to this; `waited_ms`: from its first look on, 0 if it had not to wait. */
void php_mcp_session_counting_start(mcp_metrics_session *counted, const mcp_session_known *known,
	mcp_status status, uint64_t waited_ms);
/* Counts what a write, a renewal or a destroy came to. */
void php_mcp_session_counting_report(mcp_metrics_session *counted,
	const mcp_session_report *report);
/* Counts data that PHP could not encode. */
void php_mcp_session_counting_refusal(mcp_metrics_session *counted);

typedef struct mcp_session_terms {
	mcp_pool *pool;                       /* a reference */
	mcp_metrics_session *counted;         /* where it is counted; NULL: nowhere */
	const mcp_signing_keys *signing_keys; /* NULL: none; borrowed */
	mcp_session_locking locking;
	mcp_session_format format;
	unsigned merge_depth;
	uint64_t wait_ms, expire_ms;
	uint64_t ttl_ms;
	zend_string *foreign; /* the prefix of another handler's keys; a reference, or NULL */
	bool fails_over; /* a strict site's ids of a server that is left alone are no longer valid */
} mcp_session_terms;

/* Finds a format by the name that session.serialize_handler has for it. NULL, or one that is not known, is
 * MCP_SESSION_OTHER. The next names it. */
mcp_session_format php_mcp_session_terms_format(const char *name);
const char *php_mcp_session_terms_format_name(mcp_session_format format);

/* Makes terms of the settings, on these servers, or on those of mcpatterns.servers where that is empty. False with a
 * warning if one of them is wrong. The caller frees them. */
bool php_mcp_session_terms_of_settings(mcp_session_terms *terms, const char *servers,
	const char *format_name, zend_long ttl_s);
void php_mcp_session_terms_free(mcp_session_terms *terms);

/* Reads mcpatterns.session_key_file when the module starts; nothing else is read from it later. False with a warning.
 * The next forgets the keys. */
bool php_mcp_session_terms_read_keys(void);
void php_mcp_session_terms_forget_keys(void);

#endif
