/* The options of sessions, from the settings or a SessionHandler. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_SESSION_TERMS_H
#define MCP_PHP_SESSION_SESSION_TERMS_H

#include "../../core/metrics/metrics.h"
#include "../../patterns/session/session.h"
#include "../pool/pool.h"

/* Find the metrics record of the sessions under this Pool's prefix, which keeps its address for the life of the
 * process. NULL if metrics are off. */
mcp_metrics_session *php_mcp_session_counting_find(const mcp_pool *pool);

/* Count a start with this result; `waited_ms`: since its first read, 0 if it did not wait. The record may be NULL
 * here and below. */
void php_mcp_session_counting_start(mcp_metrics_session *counted, const mcp_session_known *known,
	mcp_status status, uint64_t waited_ms);
/* Count the result of a write, a renewal or a destroy. */
void php_mcp_session_counting_report(mcp_metrics_session *counted,
	const mcp_session_report *report);
/* Count data that PHP could not encode. */
void php_mcp_session_counting_refusal(mcp_metrics_session *counted);

typedef struct mcp_session_terms {
	mcp_pool *pool;                       /* a reference */
	mcp_metrics_session *counted;         /* metrics record; NULL: not counted */
	const mcp_signing_keys *signing_keys; /* NULL: none; borrowed */
	mcp_session_locking locking;
	mcp_session_format format;
	unsigned merge_depth;
	uint64_t wait_ms, expire_ms;
	uint64_t ttl_ms;
	zend_string *foreign; /* prefix of the other handler's keys; a reference, or NULL */
	bool fails_over;      /* on strict sites, ids of a server with an open breaker become invalid */
} mcp_session_terms;

/* Find a format by its name in session.serialize_handler. NULL or an unknown name gives MCP_SESSION_OTHER. The next
 * function returns the name. */
mcp_session_format php_mcp_session_terms_format(const char *name);
const char *php_mcp_session_terms_format_name(mcp_session_format format);

/* Make the options from the settings, on `servers`, or on mcpatterns.servers if that is empty. Returns false with a
 * warning if a setting is wrong. The caller frees them. */
bool php_mcp_session_terms_of_settings(mcp_session_terms *terms, const char *servers,
	const char *format_name, zend_long ttl_s);
void php_mcp_session_terms_free(mcp_session_terms *terms);

/* Read mcpatterns.session_key_file, once at start-up. Returns false with a warning. The next function frees the
 * keys. */
bool php_mcp_session_terms_read_keys(void);
void php_mcp_session_terms_forget_keys(void);

#endif
