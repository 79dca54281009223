/* Sets of members, stored in shards: each change appends operations to a shard's item, and a compaction shortens a
 * long item. The rules are in docs/spec/collections.md under the labels used here (M1, M2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_MEMBER_SET_H
#define MCP_PATTERNS_MEMBER_SET_H

#include "../../core/items/item_head.h"
#include "../../core/items/member_ops.h"
#include "../../store/store.h"

/* Readers compact only items longer than this, in bytes. */
#define MCP_MEMBER_SET_COMPACT_ABOVE 4096

/* Allocator for a compaction. `allocate` does not return if memory is exhausted. */
typedef struct mcp_member_memory {
	void *(*allocate)(size_t size);
	void (*release)(void *memory);
} mcp_member_memory;

typedef struct mcp_member_set mcp_member_set;

/* Drops further members during a compaction. `prune` runs after the item has been read and before it is written, so
 * that a concurrent append makes the cas fail. `prune` can read from the store. */
typedef struct mcp_member_pruning {
	void (*prune)(const mcp_member_set *set, mcp_members *members, const void *context);
	const void *context;
} mcp_member_pruning;

/* Owns nothing; built on the stack for each call. */
struct mcp_member_set {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key of the set, without a shard */
	mcp_member_memory memory;
	const mcp_member_pruning *pruning; /* NULL: none */
	uint64_t ttl_ms; /* TTL from the creation of a shard's item; 0: never expires */
	uint32_t shards;
	uint32_t compact_above; /* bytes */
};

/* Make a shard's key. `buffer` must not be the buffer of set->key. */
static inline mcp_key mcp_member_set_key(const mcp_member_set *set, mcp_key_buffer *buffer,
	uint32_t shard) {
	return mcp_key_append(buffer, set->key, shard);
}

uint32_t mcp_member_set_shard_of(const mcp_member_set *set, mcp_bytes member);

/* Send operations that add members to one shard, all "+" (M1). MCP_OK. MCP_NOT_STORED: the operations do not fit even
 * after a compaction. MCP_TOO_LARGE: the operations do not fit into an empty shard. MCP_FOREIGN: the item is not a
 * set. MCP_EXISTS: contention. MCP_UNKNOWN: the append might have been executed (M5). Or another failure. Cost: 1
 * round trip, 2 for the first operation. */
mcp_status mcp_member_set_add(const mcp_member_set *set, uint32_t shard, mcp_bytes ops);
/* Send operations that remove members of one shard, all "-". MCP_OK also if the item is missing. Cost: 1 round
 * trip. */
mcp_status mcp_member_set_remove(const mcp_member_set *set, uint32_t shard, mcp_bytes ops);

typedef struct mcp_member_shard {
	uint64_t cas;
	mcp_append_head head;
	mcp_bytes ops; /* a view; empty if the item is missing */
	size_t ops_count;
} mcp_member_shard;

/* Parse a reply. MCP_OK, even if the item is missing. MCP_FOREIGN: the item is not a set. Otherwise the reply's
 * failure. */
mcp_status mcp_member_set_parse(const mcp_op *reply, mcp_member_shard *shard);

/* Replay the shard's operations. `members` points into the returned memory, which the caller releases. */
void *mcp_member_set_replay(const mcp_member_set *set, const mcp_member_shard *shard,
	mcp_members *members);
/* Whether a reader should compact the shard. */
bool mcp_member_set_is_wasteful(const mcp_member_set *set, const mcp_members *members);
/* Compact with cas (M3). A lost race is ignored. Views become invalid only if the set has a pruning. Cost: 1 round
 * trip. */
void mcp_member_set_compact(const mcp_member_set *set, uint32_t number,
	const mcp_member_shard *shard);

#endif
