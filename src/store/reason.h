/* Descriptions of server failures, for messages. Each description follows "the server ", is bounded and printable, and
 * needs no allocation. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_REASON_H
#define MCP_STORE_REASON_H

#include "../core/bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* Length of the longest description. */
#define MCP_REASON_MAX 192

/* Zero-initialized: empty. */
typedef struct mcp_reason {
	char text[MCP_REASON_MAX];
} mcp_reason;

/* The last failure of a server; kept after the server recovers. */
typedef struct mcp_store_failure {
	mcp_reason reason;
	uint64_t at_ms;  /* Unix time; 0: no failure yet */
	uint64_t met;    /* number of the last call that failed because of this failure */
	bool is_tripped; /* the circuit breaker was open for the last call that failed */
} mcp_store_failure;

/* Copies `words`. */
void mcp_reason_say(mcp_reason *reason, const char *words);

/* There is no connection. `error`: errno, or 0 if unknown. */
void mcp_reason_say_unreachable(mcp_reason *reason, int error);
void mcp_reason_say_no_connection_within(mcp_reason *reason, uint32_t timeout_ms);
/* The connection ended during a call. `error` 0: the server closed the connection. */
void mcp_reason_say_broken(mcp_reason *reason, int error);
void mcp_reason_say_no_answer_within(mcp_reason *reason, uint32_t timeout_ms);
void mcp_reason_say_slow(mcp_reason *reason, uint64_t allowed_ms);

/* The reply exceeds the host's limits. */
void mcp_reason_say_too_large(mcp_reason *reason, size_t bytes);

/* Appends the first bytes of `answer` to `head`, in quotes, and then `verdict`. */
void mcp_reason_say_answered(mcp_reason *reason, const char *head, mcp_bytes answer,
	const char *verdict);

/* Reply of memcached (memcached.c, drive_machine) to a connection above the server's limit (-c). memcached does not
 * read from that connection. */
#define MCP_REASON_FULL_SERVER "ERROR Too many open connections"
bool mcp_reason_is_of_a_full_server(const mcp_reason *reason);

/* True for a proxy's error reply: such a reply does not say whether the server behind the proxy executed the
 * command. */
bool mcp_reason_is_of_a_proxy(const mcp_reason *reason);
/* True for a SERVER_ERROR reply: such a reply says nothing about the server's capabilities. */
bool mcp_reason_is_a_server_error(const mcp_reason *reason);

/* Case-insensitive comparisons, which no standard header has. */

#ifdef _WIN32
#include <string.h>
#define mcp_caseless_compare _stricmp
#define mcp_caseless_compare_head _strnicmp
#else
#include <strings.h>
#define mcp_caseless_compare strcasecmp
#define mcp_caseless_compare_head strncasecmp
#endif

#endif
