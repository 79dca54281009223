/* Which of many things are in: a shard of the set is an item that operations are appended to, and that is compacted
 * when it has become long.
 *
 * The rules are in docs/spec/collections.md under the names used here (M1, M2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_MEMBER_SET_H
#define MCP_PATTERNS_MEMBER_SET_H

#include "../../core/items/append_head.h"
#include "../../core/items/member_ops.h"
#include "../../store/store.h"

/* A shorter item is not compacted by a reader: bytes. */
#define MCP_MEMBER_SET_COMPACT_ABOVE 4096

/* Where a compaction takes its memory; `allocate` comes back with some, or not at all. */
typedef struct mcp_member_memory {
	void *(*allocate)(size_t size);
	void (*release)(void *memory);
} mcp_member_memory;

typedef struct mcp_member_set mcp_member_set;

/* The members that a compaction leaves out besides: drops them, looking at whatever it must. Runs after the item
 * was read and before it is written, so that whoever appends meanwhile makes the compaction void. It may read from
 * the store. */
typedef struct mcp_member_pruning {
	void (*prune)(const mcp_member_set *set, mcp_members *members, const void *context);
	const void *context;
} mcp_member_pruning;

/* Borrows everything; made on the stack for each call. */
struct mcp_member_set {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* without a shard */
	mcp_member_memory memory;
	const mcp_member_pruning *pruning; /* NULL: none */
	uint64_t ttl_ms;                   /* from the making of a shard's item; 0: no end */
	uint32_t shards;
	uint32_t compact_above; /* bytes */
};

/* Makes a shard's key; `buffer` is not the key's own. */
static inline mcp_key mcp_member_set_key(const mcp_member_set *set, mcp_key_buffer *buffer,
	uint32_t shard) {
	return mcp_key_append(buffer, set->key, shard);
}

uint32_t mcp_member_set_shard_of(const mcp_member_set *set, mcp_bytes member);

/* Sends by M1 operations on members of one shard, all "+". MCP_OK; MCP_NOT_STORED: they do not fit, though the
 * shard was compacted; MCP_TOO_LARGE: not into an empty one; MCP_FOREIGN: what is stored is no set; MCP_EXISTS:
 * others kept changing it; or a failure, of which MCP_UNKNOWN may have been done (M5). 1 round trip; 2 for the
 * first. */
mcp_status mcp_member_set_add(const mcp_member_set *set, uint32_t shard, mcp_bytes ops);
/* Sends operations that are all "-". Nothing there: done. 1 round trip. */
mcp_status mcp_member_set_remove(const mcp_member_set *set, uint32_t shard, mcp_bytes ops);

/* The contents of a shard's item, by a reply of its key. */
typedef struct mcp_member_shard {
	uint64_t cas;
	mcp_append_head head;
	mcp_bytes ops; /* a view, or none where there is no item */
	size_t ops_count;
} mcp_member_shard;

/* Returns MCP_OK, MCP_FOREIGN if it is no set, or the reply's failure. */
mcp_status mcp_member_set_look(const mcp_reply *reply, mcp_member_shard *shard);

/* Replays it in memory that the caller releases. */
void *mcp_member_set_replay(const mcp_member_set *set, const mcp_member_shard *shard,
	mcp_members *members);
/* Says whether a reader should compact it. */
bool mcp_member_set_is_wasteful(const mcp_member_set *set, const mcp_members *members);
/* Compacts by M3, by a cas; lost, it is forgotten. Ends views only where there is pruning. 1 round trip. */
void mcp_member_set_compact(const mcp_member_set *set, uint32_t number,
	const mcp_member_shard *shard);

#endif
