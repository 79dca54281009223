/* Changes a set by an append to a shard's item, or by a compaction if the append is refused. The refusal does not
 * tell a missing item from a full one. A writer's compaction includes its own operations, because operations that
 * wait for free space might never be stored. */
/* SPDX-License-Identifier: MIT */
#include "member_set.h"

#include "../../core/backoff.h"
#include "../../core/vendor/xxh64.h"
#include "../append.h"

/* More consecutive races than this indicate a bug. */
#define ROUNDS_MAX 64
#define NO_END MCP_STORE_NO_END

/* Hash collisions are harmless, because members are compared bytewise. With crafted collisions, all members are in
 * one shard, as in a set of one shard. */
uint32_t mcp_member_set_shard_of(const mcp_member_set *set, mcp_bytes member) {
	return set->shards == 1 ? 0 : (uint32_t)(XXH64(member.data, member.length, 0) % set->shards);
}

mcp_status mcp_member_set_parse(const mcp_op *reply, mcp_member_shard *shard) {
	*shard = (mcp_member_shard){.cas = 0};
	if (reply->status != MCP_OK) {
		return reply->status == MCP_NOT_FOUND ? MCP_OK : reply->status;
	}
	mcp_bytes item = reply->item.value;
	if (!mcp_append_head_read(item, MCP_APPEND_SET, &shard->head)) {
		return MCP_FOREIGN;
	}
	shard->cas = reply->item.cas;
	shard->ops =
		mcp_bytes_of(item.data + MCP_APPEND_HEAD_LENGTH, item.length - MCP_APPEND_HEAD_LENGTH);
	return mcp_member_ops_count(shard->ops, &shard->ops_count) ? MCP_OK : MCP_FOREIGN;
}

void *mcp_member_set_replay(const mcp_member_set *set, const mcp_member_shard *shard,
	mcp_members *members) {
	void *memory = set->memory.allocate(mcp_members_memory(shard->ops_count));
	mcp_members_replay(members, shard->ops, shard->ops_count, shard->head.id, memory);
	return memory;
}

bool mcp_member_set_is_wasteful(const mcp_member_set *set, const mcp_members *members) {
	size_t dead_bytes = members->ops.length - members->living_bytes;
	return members->ops.length > set->compact_above && dead_bytes > members->living_bytes;
}

/* --- compaction --- */

static uint64_t end_ms(const mcp_member_set *set) {
	return set->ttl_ms == 0 ? MCP_APPEND_NEVER_MS : mcp_wall_ms(set->environment) + set->ttl_ms;
}

static uint64_t own_ms(const mcp_member_set *set) {
	return set->ttl_ms == 0 ? NO_END : set->ttl_ms;
}

/* Time until the item's expiry; 0: seems expired. The result is only a hint, because the expiry is from the clock of
 * the item's creator. */
static uint64_t seems_left_ms(const mcp_member_set *set, const mcp_append_head *head) {
	if (head->end_ms == MCP_APPEND_NEVER_MS) {
		return NO_END;
	}
	uint64_t now_ms = mcp_wall_ms(set->environment);
	return head->end_ms > now_ms ? head->end_ms - now_ms : 0;
}

/* The remaining TTL of an item, which a cas sets again. */
typedef struct remainder {
	uint64_t left_ms; /* NO_END; 0: expired */
	uint64_t at_ms;   /* monotonic time of left_ms */
	bool is_reported; /* reported by the server, whose clock decides; otherwise a hint */
} remainder;

/* Request the remaining TTL, if the server can report it. MCP_OK. MCP_NOT_FOUND: the item is missing. Or a failure.
 * Views remain valid. */
static mcp_status find_remainder(const mcp_member_set *set, const mcp_key *key,
	const mcp_append_head *head, remainder *found) {
	uint64_t reported_ms;
	*found = (remainder){
		.left_ms = seems_left_ms(set, head),
		.at_ms = mcp_monotonic_ms(set->environment),
	};
	if (head->end_ms == MCP_APPEND_NEVER_MS) {
		return MCP_OK;
	}
	mcp_status status = mcp_store_ttl_left(set->store, key, &reported_ms);
	/* Prefer the reported TTL to the hint. A report that the item never expires contradicts the head, so it is about
	 * another item. For a very long TTL, memcached stores a wall-clock time, which is no better than the hint. */
	if (status == MCP_OK && reported_ms != NO_END && !mcp_expiry_needs_wall(reported_ms)) {
		found->left_ms = reported_ms;
		found->is_reported = true;
	}
	return status == MCP_UNSUPPORTED ? MCP_OK : status;
}

/* Returns false if the item has expired. *ttl_ms is never more than the object's own TTL, whatever the clocks say. */
static bool find_ttl(const mcp_member_set *set, const remainder *of, uint64_t *ttl_ms) {
	uint64_t passed_ms = mcp_monotonic_ms(set->environment) - of->at_ms;
	uint64_t left_ms = of->left_ms > passed_ms ? of->left_ms - passed_ms : 0;
	bool is_endless = of->left_ms == NO_END;
	*ttl_ms = is_endless ? 0 : left_ms < own_ms(set) ? left_ms : own_ms(set);
	return left_ms > 0;
}

/* Write the members as a new item with the previous expiry. With a later expiry, the delays of slow clocks would
 * accumulate. */
static mcp_status write_compacted(const mcp_member_set *set, const mcp_key *key,
	const mcp_member_shard *shard, const mcp_members *members, const remainder *left) {
	uint64_t ttl_ms;
	if (!find_ttl(set, left, &ttl_ms)) {
		return MCP_EXISTS;
	}
	char *memory = set->memory.allocate(members->living_bytes + 1);
	char head[MCP_APPEND_HEAD_LENGTH];
	mcp_members_write(members, memory);
	const mcp_record record = {
		.head = mcp_append_new_head(set->environment, MCP_APPEND_SET, shard->head.end_ms, head),
		.body = mcp_bytes_of(memory, members->living_bytes),
		.ttl_ms = ttl_ms,
	};
	mcp_status status = mcp_store_cas(set->store, key, &record, shard->cas);
	set->memory.release(memory);
	return status == MCP_TOO_LARGE ? MCP_NOT_STORED : status;
}

/* Copy the operations of the item and of the caller, because pruning can invalidate views. */
static char *copy_with(const mcp_member_set *set, mcp_bytes ops, mcp_bytes own) {
	char *copy = set->memory.allocate(ops.length + own.length + 1);
	memcpy(copy, ops.data, ops.length);
	if (own.length > 0) {
		memcpy(copy + ops.length, own.data, own.length);
	}
	return copy;
}

/* Prune, and read the item again. The pruning reads from servers and takes time. If the server has restarted
 * meanwhile, the previous CAS value might belong to another item. MCP_EXISTS: the item has changed. It has not
 * changed if its head and its length are the same, because an item only grows. */
static mcp_status prune(const mcp_member_set *set, const mcp_key *key, mcp_member_shard *shard,
	mcp_members *members) {
	mcp_op reply;
	mcp_member_shard now;
	set->pruning->prune(set, members, set->pruning->context);
	reply.status = mcp_store_get(set->store, key, &reply.item);
	mcp_status status = mcp_member_set_parse(&reply, &now);
	if (status == MCP_OK &&
		(now.head.id != shard->head.id || now.ops.length != shard->ops.length)) {
		status = MCP_EXISTS;
	}
	shard->cas = now.cas;
	return status;
}

static mcp_status compact_with(const mcp_member_set *set, const mcp_key *key,
	const mcp_member_shard *shard, mcp_bytes own, const remainder *left) {
	char *copy = copy_with(set, shard->ops, own);
	mcp_member_shard whole = *shard;
	whole.ops = mcp_bytes_of(copy, shard->ops.length + own.length);
	mcp_member_ops_count(whole.ops, &whole.ops_count);
	mcp_members members;
	void *replayed = mcp_member_set_replay(set, &whole, &members);
	mcp_member_shard read = *shard;
	mcp_status status = set->pruning != NULL ? prune(set, key, &read, &members) : MCP_OK;
	if (status == MCP_OK) {
		status = write_compacted(set, key, &read, &members, left);
	}
	set->memory.release(replayed);
	set->memory.release(copy);
	return status;
}

void mcp_member_set_compact(const mcp_member_set *set, uint32_t number,
	const mcp_member_shard *shard) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(set, &buffer, number);
	remainder left;
	if (shard->cas == 0 || find_remainder(set, &key, &shard->head, &left) != MCP_OK) {
		return;
	}
	/* If this host's clock is ahead, a compacted item would expire early. A reader leaves the compaction to a writer
	 * that must compact. */
	bool seems_long = left.is_reported || left.left_ms >= own_ms(set) / 2;
	if (seems_long) {
		compact_with(set, &key, shard, mcp_bytes_none(), &left);
	}
}

/* --- changes --- */

static mcp_status try_compaction(const mcp_member_set *set, const mcp_key *key, mcp_bytes own) {
	mcp_op reply;
	mcp_member_shard shard;
	reply.status = mcp_store_get(set->store, key, &reply.item);
	if (reply.status == MCP_NOT_FOUND) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = mcp_member_set_parse(&reply, &shard);
	if (status != MCP_OK) {
		return status;
	}
	if (shard.cas == 0) {
		return MCP_NO_CAS;
	}
	remainder left;
	status = find_remainder(set, key, &shard.head, &left);
	if (status != MCP_OK) {
		return status;
	}
	if (left.left_ms > 0) {
		return compact_with(set, key, &shard, own, &left);
	}
	/* Delete a full item that has expired, so that the change starts a new item. */
	status = mcp_store_delete_if(set->store, key, shard.cas);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

/* Change the shard with a compaction. MCP_NOT_FOUND: the item is missing. */
static mcp_status change_by_compaction(const mcp_member_set *set, const mcp_key *key,
	mcp_bytes own) {
	mcp_backoff backoff = mcp_backoff_for_contention();
	mcp_status status = try_compaction(set, key, own);
	for (int round = 1; status == MCP_EXISTS && round < ROUNDS_MAX; round++) {
		mcp_sleep_ms(set->environment,
			mcp_backoff_next_ms(&backoff, mcp_random_u64(set->environment),
				mcp_monotonic_ms(set->environment), UINT64_MAX));
		/* Append first, because another process might have freed space, and a compaction loses every race with an
		 * append. */
		status = mcp_store_append(set->store, key, own);
		if (status == MCP_NOT_STORED) {
			status = try_compaction(set, key, own);
		}
	}
	return status;
}

mcp_status mcp_member_set_add(const mcp_member_set *set, uint32_t shard, mcp_bytes ops) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(set, &buffer, shard);
	mcp_status status = MCP_NOT_FOUND;
	/* Retry from the start if the item disappeared in between. */
	for (int round = 0; status == MCP_NOT_FOUND && round < ROUNDS_MAX; round++) {
		char head[MCP_APPEND_HEAD_LENGTH];
		const mcp_record record = {
			.head = mcp_append_new_head(set->environment, MCP_APPEND_SET, end_ms(set), head),
			.body = ops,
			.ttl_ms = set->ttl_ms,
		};
		status = mcp_append(set->store, &key, &record);
		if (status == MCP_NOT_STORED) {
			status = change_by_compaction(set, &key, ops);
		}
	}
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

mcp_status mcp_member_set_remove(const mcp_member_set *set, uint32_t shard, mcp_bytes ops) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(set, &buffer, shard);
	mcp_status status = mcp_store_append(set->store, &key, ops);
	if (status == MCP_NOT_STORED) {
		status = change_by_compaction(set, &key, ops);
	}
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}
