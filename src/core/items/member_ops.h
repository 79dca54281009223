/* A set of members as the operations that made it: "+" or "-", the member's length and its bytes, one behind the other.
 * Which members there are is found by going through them. docs/spec/storage.md has the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_MEMBER_OPS_H
#define MCP_CORE_MEMBER_OPS_H

#include "../bytes.h"

#include <stdint.h>

typedef struct mcp_member_op {
	bool is_add;
	mcp_bytes member; /* not empty; of one that was read: a view */
} mcp_member_op;

/* Returns the bytes that such an operation takes. */
size_t mcp_member_op_length(size_t member_length);
/* Returns what is behind it. */
char *mcp_member_op_write(const mcp_member_op *op, char *out);

typedef enum mcp_member_reading {
	MCP_MEMBER_OP,      /* here is one, and *at is behind it */
	MCP_MEMBER_END,     /* there is no more */
	MCP_MEMBER_DAMAGED, /* what stands here is no operation */
} mcp_member_reading;

mcp_member_reading mcp_member_op_read(mcp_bytes ops, size_t *at, mcp_member_op *op);

/* Counts the operations. False if they are none, or more than any item has. */
bool mcp_member_ops_count(mcp_bytes ops, size_t *count);

/* Says whether the member is in, by the last operation on it. */
bool mcp_member_ops_have(mcp_bytes ops, mcp_bytes member);

/* The members that are in, in the order in which they joined: one that left and came back is behind those that
 * stayed. */
typedef struct mcp_members {
	mcp_bytes ops; /* borrowed */
	uint64_t seed;
	size_t count;        /* how many are in */
	size_t living_bytes; /* of the operations that are needed for these */
	size_t joined;       /* so many entries, of which some have left */
	struct mcp_member_entry {
		uint32_t at; /* the "+" */
		bool has_left;
	} * entries;
	uint32_t *table; /* hash of a member -> its last entry, counted from 1; 0: free */
	size_t mask;
} mcp_members;

/* Says how much memory `ops_count` operations take. */
size_t mcp_members_memory(size_t ops_count);
/* Replays operations that mcp_member_ops_count has counted; `memory` is aligned for a pointer and lives as long.
 * `seed` is not known to those who choose members, or they could choose slow ones. */
void mcp_members_replay(mcp_members *members, mcp_bytes ops, size_t ops_count, uint64_t seed,
	void *memory);
/* Finds the next one that is in, from *entry on, which begins at 0 and goes behind it. */
bool mcp_members_next(const mcp_members *members, size_t *entry, mcp_bytes *member);
/* Takes out the one that mcp_members_next gave last. */
void mcp_members_drop(mcp_members *members, size_t entry);
/* Writes the operations of those that are in: living_bytes. Returns what is behind. */
char *mcp_members_write(const mcp_members *members, char *out);

#endif
