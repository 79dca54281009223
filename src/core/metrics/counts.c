/* Rows of the tables in counts.h. */
/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include "../vendor/xxh64.h"

#define ROW(symbol, name, own, kind, unit, help) \
	{MCP_COUNT_##symbol, name, own, MCP_COUNT_IS_##kind, unit, help},
#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

static const mcp_count of_caches[] = {MCP_COUNTS_OF_HITS(ROW) MCP_COUNTS_OF_NEAR(ROW)
		MCP_COUNTS_OF_READS(ROW) MCP_COUNTS_OF_GIVING_UP(ROW) MCP_COUNTS_OF_ERRORS(ROW)
			MCP_COUNTS_OF_COMPUTING(ROW) MCP_COUNTS_OF_AUDITS(ROW)};
static const mcp_count of_objects[] = {MCP_COUNTS_OF_HITS(ROW) MCP_COUNTS_OF_READS(ROW)
		MCP_COUNTS_OF_ERRORS(ROW) MCP_COUNTS_OF_GIVING_UP(ROW) MCP_COUNTS_OF_COMPUTING(ROW)
			MCP_COUNTS_OF_NEAR(ROW) MCP_COUNTS_OF_AUDITS(ROW)};
static const mcp_count of_servers[] = {MCP_COUNTS_OF_SERVERS(ROW)};
static const mcp_count of_locks[] = {MCP_COUNTS_OF_LOCKS(ROW)};
static const mcp_count of_sessions[] = {MCP_COUNTS_OF_SESSIONS(ROW)};
static const mcp_count of_host[] = {MCP_COUNTS_OF_HOST(ROW)};

const mcp_counts mcp_counts_of_caches = {of_caches, LENGTH(of_caches)};
const mcp_counts mcp_counts_of_objects = {of_objects, LENGTH(of_objects)};
const mcp_counts mcp_counts_of_servers = {of_servers, LENGTH(of_servers)};
const mcp_counts mcp_counts_of_locks = {of_locks, LENGTH(of_locks)};
const mcp_counts mcp_counts_of_sessions = {of_sessions, LENGTH(of_sessions)};
const mcp_counts mcp_counts_of_host = {of_host, LENGTH(of_host)};

/* No attacker controls the names, so a collision cannot be forced. */
static uint64_t add_to_fingerprint(uint64_t hash, const mcp_counts *counts) {
	for (size_t i = 0; i < counts->length; i++) {
		const mcp_count *count = &counts->rows[i];
		const char *name = count->name != NULL ? count->name : count->own;
		hash = XXH64(name, strlen(name), hash + count->which);
	}
	return XXH64(&hash, sizeof(hash), counts->length);
}

uint64_t mcp_counts_fingerprint(void) {
	uint64_t hash = add_to_fingerprint(0, &mcp_counts_of_caches);
	hash = add_to_fingerprint(hash, &mcp_counts_of_servers);
	hash = add_to_fingerprint(hash, &mcp_counts_of_locks);
	hash = add_to_fingerprint(hash, &mcp_counts_of_sessions);
	return add_to_fingerprint(hash, &mcp_counts_of_host);
}

#define LETTER_ROW(symbol, letter, word, help) {letter, word, help},
const mcp_letter_row mcp_letter_rows[] = {MCP_LETTERS(LETTER_ROW){'\0', NULL, NULL}};
