/* Outcomes of a store call. MCP_UNKNOWN is one of them: a write without a reply may have been executed, or
 * may still be, and must never be repeated blindly. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_STATUS_H
#define MCP_CORE_STATUS_H

#include <stdbool.h>

typedef enum mcp_status {
	MCP_OK = 0,
	MCP_NOT_FOUND,    /* missing key: get, cas, delete, increment, touch */
	MCP_NOT_STORED,   /* add: the key exists; replace-like: it is missing */
	MCP_EXISTS,       /* cas: the item changed since it was read */
	MCP_NOT_A_NUMBER, /* increment: the item is not a decimal number */
	MCP_OUT_OF_RANGE, /* increment: the result does not fit; the change was undone */
	MCP_TOO_LARGE,    /* above the server's limit; not sent, the stored value stays */
	MCP_FOREIGN,      /* the stored item is not of this pattern; it stays */
	MCP_BAD_KEY,      /* the key is not valid for memcached; nothing was sent */
	MCP_INTERRUPTED,  /* a wait was interrupted: the caller must run something first */
	MCP_PAUSED,       /* rebuilds failed: none is started or waited for during the pause */
	MCP_REFUSED,      /* the server replied that it did not execute it (out of memory, an error) */
	MCP_UNSUPPORTED,  /* the peer does not support it (stats through a proxy) */
	MCP_NO_CAS,       /* the server returns no CAS values (memcached -C): nothing was sent */
	MCP_ANSWER_TOO_LARGE, /* a reply to a read exceeds this host's limit; it was not received */
	MCP_UNREACHABLE,      /* no connection, or the circuit breaker is open: nothing was sent */
	MCP_TIMEOUT,          /* no reply to a read in time */
	/* no reply to a write, or only a proxy's: may have been executed, or may still be */
	MCP_UNKNOWN,
	MCP_PROTOCOL, /* a reply to a read that is not memcached's */
	/* wire only: the connection broke; a store returns MCP_UNREACHABLE or MCP_UNKNOWN */
	MCP_BROKEN,
} mcp_status;

/* Whether the environment failed, in contrast to a regular reply. */
static inline bool mcp_status_is_failure(mcp_status status) {
	return status >= MCP_REFUSED;
}

/* Whether no valid reply came: the server may be down. */
static inline bool mcp_status_is_unanswered(mcp_status status) {
	return status >= MCP_UNREACHABLE;
}

/* Whether the connection returns no more replies after this. */
static inline bool mcp_status_is_the_end(mcp_status status) {
	return status >= MCP_ANSWER_TOO_LARGE;
}

/* Whether the reply was unusable: the connection is closed. */
static inline bool mcp_status_is_useless(mcp_status status) {
	return status == MCP_PROTOCOL || status == MCP_ANSWER_TOO_LARGE;
}

#endif
