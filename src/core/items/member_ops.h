/* A set of members as a sequence of operations: "+" or "-", the member's length and its bytes. Replaying
 * them gives the current members. docs/spec/storage.md defines the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_MEMBER_OPS_H
#define MCP_CORE_MEMBER_OPS_H

#include "../bytes.h"

#include <stdint.h>

typedef struct mcp_member_op {
	bool is_add;
	mcp_bytes member; /* not empty; a view if it was read */
} mcp_member_op;

/* Returns the size of the operation. */
size_t mcp_member_op_length(size_t member_length);
/* Returns the end of the written bytes. */
char *mcp_member_op_write(const mcp_member_op *op, char *out);

typedef enum mcp_member_reading {
	MCP_MEMBER_OP,      /* an operation; *at is after it */
	MCP_MEMBER_END,     /* no more operations */
	MCP_MEMBER_DAMAGED, /* not an operation */
} mcp_member_reading;

mcp_member_reading mcp_member_op_read(mcp_bytes ops, size_t *at, mcp_member_op *op);

/* Returns false if the operations are damaged, or longer than any item. */
bool mcp_member_ops_count(mcp_bytes ops, size_t *count);

/* Whether the last operation on the member is an add. */
bool mcp_member_ops_have(mcp_bytes ops, mcp_bytes member);

/* The current members, in the order in which they joined: a member that was removed and added again
 * comes after the others. */
typedef struct mcp_members {
	mcp_bytes ops; /* borrowed */
	uint64_t seed;
	size_t count;        /* current members */
	size_t living_bytes; /* bytes of the operations needed for these members */
	size_t joined;       /* number of entries, including removed members */
	struct mcp_member_entry {
		uint32_t at; /* offset of the "+" operation */
		bool has_left;
	} * entries;
	uint32_t *table; /* hash of a member -> its last entry, counted from 1; 0: free */
	size_t mask;
} mcp_members;

/* Memory needed for `ops_count` operations. */
size_t mcp_members_memory(size_t ops_count);
/* Replay operations counted by mcp_member_ops_count. `memory`: pointer-aligned, must live as long as `members`. `seed`
 * must be secret, because an attacker who chooses members could otherwise cause collisions. */
void mcp_members_replay(mcp_members *members, mcp_bytes ops, size_t ops_count, uint64_t seed,
	void *memory);
/* Find the next current member from *entry on. *entry starts at 0, and advances past the member. Returns false at the
 * end. */
bool mcp_members_next(const mcp_members *members, size_t *entry, mcp_bytes *member);
/* Remove the member that mcp_members_next returned last. */
void mcp_members_drop(mcp_members *members, size_t entry);
/* Write the operations of the current members, living_bytes in total. Returns the end of the written bytes. */
char *mcp_members_write(const mcp_members *members, char *out);

#endif
