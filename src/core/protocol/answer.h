/* Parses memcached's replies (text protocol and meta commands, protocol.txt) from the bytes received so far.
 * No I/O and no state: the same bytes give the same result. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ANSWER_H
#define MCP_CORE_ANSWER_H

#include "../bytes.h"

#include <stdint.h>

/* memcached's longest line, of VALUE or "stats", is far shorter. */
#define MCP_ANSWER_LINE_MAX 2048
/* memcached's maximum item size (-I). */
#define MCP_ANSWER_VALUE_MAX ((uint64_t)1024 * 1024 * 1024)

typedef enum mcp_answer_kind {
	MCP_ANSWER_INCOMPLETE = 0, /* more bytes are needed */
	MCP_ANSWER_NONSENSE,       /* not a reply of memcached */
	MCP_ANSWER_VALUE,          /* key, flags, CAS value and value of an item; more replies follow */
	MCP_ANSWER_CONFIG,         /* like a value, for "config get" */
	MCP_ANSWER_END,            /* end of a retrieval or of statistics */
	MCP_ANSWER_STORED,         /* also "HD" of a meta command, possibly with a CAS value */
	MCP_ANSWER_NOT_STORED,     /* "NOT_STORED", "NS" */
	MCP_ANSWER_EXISTS,         /* "EXISTS", "EX" */
	MCP_ANSWER_NOT_FOUND,      /* "NOT_FOUND", "NF" */
	MCP_ANSWER_MISS,           /* "EN" of "mg" */
	MCP_ANSWER_DELETED,
	MCP_ANSWER_TOUCHED,
	MCP_ANSWER_OK,
	MCP_ANSWER_NUMBER,       /* of incr and decr */
	MCP_ANSWER_STATISTIC,    /* key and value, without control characters; more replies follow */
	MCP_ANSWER_VERSION,      /* value */
	MCP_ANSWER_NO_OPERATION, /* "MN" of "mn" */
	MCP_ANSWER_ERROR,        /* unknown command */
	MCP_ANSWER_CLIENT_ERROR, /* value: the reason */
	MCP_ANSWER_SERVER_ERROR, /* value: the reason */
} mcp_answer_kind;

/* A reply with views into the received bytes. Fields that its kind does not have are empty or 0. */
typedef struct mcp_answer {
	mcp_answer_kind kind;
	/* Length including line end and value. If incomplete: the minimum, more than was received. */
	size_t length;
	mcp_bytes line; /* without line end; invalid replies: the available bytes; incomplete: empty */
	mcp_bytes key;
	mcp_bytes value;
	uint64_t cas; /* 0: none */
	uint64_t number;
	uint32_t flags;
} mcp_answer;

/* Parse the first reply in these bytes. */
void mcp_answer_read(mcp_bytes arrived, mcp_answer *answer);

#endif
