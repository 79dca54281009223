/* The outcomes a store call can have. "Unknown" is one of them on purpose: a write whose answer
 * did not come may have happened, or may still happen, and must never be repeated blindly. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_STATUS_H
#define MCP_CORE_STATUS_H

#include <stdbool.h>

typedef enum mcp_status {
	MCP_OK = 0,
	MCP_NOT_FOUND,    /* no such key: get, cas, delete, increment, touch */
	MCP_NOT_STORED,   /* add: the key is taken; replace-like: nothing there */
	MCP_EXISTS,       /* cas: the item changed since it was read */
	MCP_NOT_A_NUMBER, /* increment: what is stored is not a decimal number */
	MCP_OUT_OF_RANGE, /* increment: the result does not fit; what was added is taken back */
	MCP_TOO_LARGE,    /* more than the server takes; not sent, the old value stays */
	MCP_FOREIGN,      /* what is stored is not what the pattern stores; it stays */
	MCP_BAD_KEY,      /* the key would not survive the wire; nothing was sent */
	MCP_INTERRUPTED,  /* a wait was cut short: the caller has something to run first */
	MCP_PAUSED,       /* rebuilds failed: none is begun, or waited for, before a pause is over */
	MCP_REFUSED,      /* the server answered that it did not do it (out of memory, an error) */
	MCP_UNSUPPORTED,  /* the peer cannot do this at all (stats through a proxy) */
	MCP_NO_CAS,       /* the server gives no cas ids (memcached -C): nothing was sent */
	MCP_ANSWER_TOO_LARGE, /* a read's answer is larger than this host admits; it was not taken */
	MCP_UNREACHABLE,      /* no connection, or the server is being left alone: nothing was sent */
	MCP_TIMEOUT,          /* a read got no answer in time */
	MCP_UNKNOWN, /* a write got no answer, or a proxy's: it may have happened, or may still happen */
	MCP_PROTOCOL, /* a read got an answer that is not memcached's */
	MCP_BROKEN,   /* a wire alone: its connection broke; a store says "unreachable" or "unknown" */
} mcp_status;

/* Says whether the environment failed, as opposed to the server having answered. */
static inline bool mcp_status_is_failure(mcp_status status) {
	return status >= MCP_REFUSED;
}

/* Says whether no answer came, or none that makes sense: the server may be gone. */
static inline bool mcp_status_is_unanswered(mcp_status status) {
	return status >= MCP_UNREACHABLE;
}

/* Says whether nothing more is answered on the connection that it was sent over. */
static inline bool mcp_status_is_the_end(mcp_status status) {
	return status >= MCP_ANSWER_TOO_LARGE;
}

/* Says whether the server has spoken to no use: the connection is closed. */
static inline bool mcp_status_is_useless(mcp_status status) {
	return status == MCP_PROTOCOL || status == MCP_ANSWER_TOO_LARGE;
}

#endif
