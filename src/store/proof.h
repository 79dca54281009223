/* A write's proof by its answer: the item has this cas id, so whoever finds it unchanged finds what was written.
 * Cas ids are a server process's own and begin anew with it, and a connection ends with it: a proof is worth
 * something over the connection alone that it came by, and never over one that was made again. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_PROOF_H
#define MCP_STORE_PROOF_H

#include "../core/environment.h"

/* Zero-initialised: none. Plain data; outlives the call that it came by. */
typedef struct mcp_proof {
	uint64_t cas; /* 0: none */
	uint64_t
		connection; /* which no other connection of this process, or of one forked from it, has ever been */
} mcp_proof;

/* Says whether the proof holds over `connection`: the one that is open; 0: none is. */
static inline bool mcp_proof_holds(const mcp_proof *proof, uint64_t connection) {
	return proof->cas != 0 && connection != 0 && proof->connection == connection;
}

/* Names a connection that has just been made, or at least what is asked of it first: one that is made again counts on
 * from `last`, 0 for the first of its kind. */
static inline uint64_t mcp_proof_name_connection(uint64_t last,
	const mcp_environment *environment) {
	uint64_t name = last != 0 ? last + 1 : mcp_random_u64(environment);
	return name != 0 ? name : 1;
}

#endif
