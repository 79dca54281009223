/* Why a server failed, in words that follow "the server ": for messages. Written where it failed, into memory
 * that was there before; what a server said is bounded and printable there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_REASON_H
#define MCP_STORE_REASON_H

#include "../core/bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* Room for the longest of them. */
#define MCP_REASON_MAX 192

/* Zero-initialised: empty. */
typedef struct mcp_reason {
	char text[MCP_REASON_MAX];
} mcp_reason;

/* The last failure of a server; kept when it answers again. */
typedef struct mcp_store_failure {
	mcp_reason reason;
	uint64_t at_ms;  /* Unix time; 0: it never failed */
	uint64_t met_ms; /* of the monotonic clock: when it last met a call */
	bool is_tripped; /* the last call it met was not sent */
} mcp_store_failure;

/* Says it in words that are at hand. */
void mcp_reason_say(mcp_reason *reason, const char *words);

/* Says that there is no connection: `error` is the system's errno, 0 if it is not known. */
void mcp_reason_say_unreachable(mcp_reason *reason, int error);
void mcp_reason_say_no_connection_within(mcp_reason *reason, uint32_t timeout_ms);
/* Says that a connection ended in the middle; `error` 0: the server closed it. */
void mcp_reason_say_broken(mcp_reason *reason, int error);
void mcp_reason_say_no_answer_within(mcp_reason *reason, uint32_t timeout_ms);
void mcp_reason_say_slow(mcp_reason *reason, uint64_t allowed_ms);

/* Says that there are more bytes than the host allows. */
void mcp_reason_say_too_large(mcp_reason *reason, size_t bytes);

/* Says `head` and the first bytes of `answer` after it, in quotes, and `verdict` behind them. */
void mcp_reason_say_answered(mcp_reason *reason, const char *head, mcp_bytes answer,
	const char *verdict);

/* The line that memcached (memcached.c, drive_machine) has for a connection above its limit (-c), of which it reads
 * nothing, and whether it is the reason. */
#define MCP_REASON_FULL_SERVER "ERROR Too many open connections"
bool mcp_reason_is_of_a_full_server(const mcp_reason *reason);

/* Says whether what was answered is an error of a proxy: it does not know what the server behind it has done. */
bool mcp_reason_is_of_a_proxy(const mcp_reason *reason);
/* Says whether what was answered is an error of the server's own, which says nothing about what it can do. */
bool mcp_reason_is_a_server_error(const mcp_reason *reason);

/* The C library's comparisons without regard to the case of letters, which no standard's header has. */

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
