/* Reads what a memcached answers by its text protocol and its meta commands (protocol.txt), out of the bytes
 * that have arrived so far. Knows no socket and keeps nothing: the same bytes give the same answer. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ANSWER_H
#define MCP_CORE_ANSWER_H

#include "../bytes.h"

#include <stdint.h>

/* memcached's longest line, a VALUE's or one of "stats", has far less. */
#define MCP_ANSWER_LINE_MAX 2048
/* As much as memcached can be told to store as one item (-I). */
#define MCP_ANSWER_VALUE_MAX ((uint64_t)1024 * 1024 * 1024)

typedef enum mcp_answer_kind {
	MCP_ANSWER_INCOMPLETE = 0, /* more of it has to come */
	MCP_ANSWER_NONSENSE,       /* no answer of memcached's */
	MCP_ANSWER_VALUE,          /* key, flags, cas id and value of an item; more answers follow */
	MCP_ANSWER_CONFIG,         /* as a value, of "config get" */
	MCP_ANSWER_END,            /* of a retrieval or statistics */
	MCP_ANSWER_STORED,         /* also "HD" of a meta command, perhaps with a cas id */
	MCP_ANSWER_NOT_STORED,     /* "NOT_STORED", "NS" */
	MCP_ANSWER_EXISTS,         /* "EXISTS", "EX" */
	MCP_ANSWER_NOT_FOUND,      /* "NOT_FOUND", "NF" */
	MCP_ANSWER_MISS,           /* "EN", of "mg" */
	MCP_ANSWER_DELETED,
	MCP_ANSWER_TOUCHED,
	MCP_ANSWER_OK,
	MCP_ANSWER_NUMBER,       /* of incr and decr */
	MCP_ANSWER_STATISTIC,    /* key and value, without control characters; more answers follow */
	MCP_ANSWER_VERSION,      /* value */
	MCP_ANSWER_NO_OPERATION, /* "MN", of "mn" */
	MCP_ANSWER_ERROR,        /* the command is not known */
	MCP_ANSWER_CLIENT_ERROR, /* value: what for */
	MCP_ANSWER_SERVER_ERROR, /* value: what for */
} mcp_answer_kind;

/* An answer, whose views point into the bytes that were read. A kind's missing parts are empty or 0. */
typedef struct mcp_answer {
	mcp_answer_kind kind;
	/* The bytes that it has, its line's end and a value's included. For an incomplete one: how many it must have
	 * at least, more than have arrived. */
	size_t length;
	mcp_bytes
		line; /* without its end; of nonsense as much as there is, of an incomplete one nothing */
	mcp_bytes key;
	mcp_bytes value;
	uint64_t cas; /* 0: not given */
	uint64_t number;
	uint32_t flags;
} mcp_answer;

/* Reads the first answer in these bytes. */
void mcp_answer_read(mcp_bytes arrived, mcp_answer *answer);

#endif
