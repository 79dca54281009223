/* Finds, begins and drops the copies. The memory of their registers is kept for the next one. */
/* SPDX-License-Identifier: MIT */
#include "unique_known.h"

#include "../../core/vendor/xxh64.h"

#include <stdlib.h>

static bool is_of(const mcp_unique_copy *copy, uint64_t server, const mcp_key *key,
	unsigned precision) {
	mcp_bytes wire = mcp_bytes_of(copy->wire.bytes, copy->wire_length);
	return copy->server == server && copy->precision == precision &&
		mcp_bytes_equal(wire, key->wire);
}

void mcp_unique_copy_restart(mcp_unique_copy *copy, uint64_t now_ms) {
	memset(copy->registers, 0, mcp_hyperloglog_registers(copy->precision));
	copy->since_ms = now_ms;
}

static mcp_unique_copy *longest_unused(mcp_unique_known *known) {
	mcp_unique_copy *found = &known->copies[0];
	for (size_t i = 1; i < MCP_UNIQUE_COPIES_MAX; i++) {
		if (known->copies[i].used_ms < found->used_ms) {
			found = &known->copies[i];
		}
	}
	return found;
}

static mcp_unique_copy *begin(mcp_unique_copy *copy, uint64_t server, const mcp_key *key,
	unsigned precision, uint64_t now_ms) {
	if (copy->registers == NULL) {
		copy->registers = malloc(MCP_HYPERLOGLOG_REGISTERS_MAX);
		if (copy->registers == NULL) {
			return NULL;
		}
	}
	copy->server = server;
	copy->precision = precision;
	copy->wire_length = key->wire.length;
	memcpy(copy->wire.bytes, key->wire.data, key->wire.length);
	mcp_unique_copy_restart(copy, now_ms);
	copy->used_ms = now_ms;
	return copy;
}

mcp_unique_copy *mcp_unique_known_copy(mcp_unique_known *known, const char *address,
	const mcp_key *key, unsigned precision, uint64_t now_ms) {
	/* The application chooses its servers: a made collision gains nothing. */
	uint64_t server = XXH64(address, strlen(address), 0);
	for (size_t i = 0; i < MCP_UNIQUE_COPIES_MAX; i++) {
		mcp_unique_copy *copy = &known->copies[i];
		if (!is_of(copy, server, key, precision)) {
			continue;
		}
		copy->used_ms = now_ms;
		if (now_ms - copy->since_ms >= MCP_UNIQUE_BELIEVED_MS) {
			mcp_unique_copy_restart(copy, now_ms);
		}
		return copy;
	}
	return begin(longest_unused(known), server, key, precision, now_ms);
}

void mcp_unique_known_forget(mcp_unique_known *known) {
	for (size_t i = 0; i < MCP_UNIQUE_COPIES_MAX; i++) {
		if (known->copies[i].registers != NULL) {
			memset(known->copies[i].registers, 0, MCP_HYPERLOGLOG_REGISTERS_MAX);
		}
	}
}

void mcp_unique_known_free(mcp_unique_known *known) {
	for (size_t i = 0; i < MCP_UNIQUE_COPIES_MAX; i++) {
		free(known->copies[i].registers);
	}
	*known = (mcp_unique_known){0};
}
