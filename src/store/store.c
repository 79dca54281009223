/* Ops as single calls, the checks before any step is sent, expiry numbers, and buffers. */
/* SPDX-License-Identifier: MIT */
#include "store.h"

#include <stdlib.h>

/* An op that expects a connection must not reach a store that accepts no proofs. */
static mcp_status change_here(mcp_store *store, mcp_op *op) {
	bool is_for_another = op->expects.connection != 0 && !mcp_store_may_take(store, &op->expects);
	return is_for_another ? MCP_UNSUPPORTED : mcp_store_change(store, op);
}

void mcp_store_run_one_by_one(mcp_store *store, mcp_op *const *ops, size_t count) {
	bool are_ids_void = false;
	if (mcp_ops_are_reads(ops, count)) {
		store->operations->get_many(store, ops, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		bool is_bound = mcp_op_compares(ops[i]) && ops[i]->expects.connection == 0;
		if (is_bound && are_ids_void) {
			ops[i]->status = MCP_EXISTS;
			continue;
		}
		ops[i]->status = change_here(store, ops[i]);
		are_ids_void |= is_bound && mcp_status_is_cut_off(ops[i]->status);
	}
}

#define LISTED_ON_STACK 1000

void mcp_store_run_all(mcp_store *store, mcp_op *ops, size_t count) {
	mcp_op *few[LISTED_ON_STACK];
	if (count == 0) {
		return;
	}
	if (count == 1) { /* a run of one op costs more than the single call */
		ops->status = mcp_op_is_read(ops) ? mcp_store_get(store, ops->key, &ops->item)
										  : change_here(store, ops);
		return;
	}
	mcp_op **listed = count <= LISTED_ON_STACK ? few : malloc(count * sizeof(*listed));
	if (listed == NULL) {
		mcp_steps_answer(ops, 0, count, MCP_UNREACHABLE);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		listed[i] = &ops[i];
	}
	mcp_store_run(store, listed, count);
	if (listed != few) {
		free(listed);
	}
}

void mcp_store_get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_op *ops) {
	for (size_t i = 0; i < count; i++) {
		mcp_op_begin(&ops[i], MCP_OP_GET, &keys[i], NULL);
	}
	mcp_store_run_all(store, ops, count);
}

void mcp_store_delete_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	mcp_op *ops = count > 0 ? malloc(count * sizeof(*ops)) : NULL;
	for (size_t i = 0; ops == NULL && i < count; i++) {
		statuses[i] = mcp_store_delete(store, &keys[i]);
	}
	if (ops == NULL) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		ops[i] = (mcp_op){.verb = MCP_OP_DELETE, .key = &keys[i]};
	}
	mcp_store_run_all(store, ops, count);
	for (size_t i = 0; i < count; i++) {
		statuses[i] = ops[i].status;
	}
	free(ops);
}

void mcp_ops_answer(mcp_op *const *ops, size_t count, mcp_status status) {
	for (size_t i = 0; i < count; i++) {
		ops[i]->status = status;
	}
}

void mcp_steps_answer(mcp_op *steps, size_t from, size_t count, mcp_status status) {
	for (size_t i = from; i < count; i++) {
		steps[i].status = status;
	}
}

static mcp_status judge_size(mcp_store *store, const mcp_op *step) {
	size_t size = mcp_op_stores(step) ? mcp_store_size_of(step->key, step->record) : 0;
	return size < mcp_store_item_max(store, step->key, size) ? MCP_OK : MCP_TOO_LARGE;
}

static mcp_status judge_base(const mcp_op *step, uint64_t connection) {
	if (!mcp_op_has_base(step)) {
		return MCP_OK;
	}
	if (step->expects.cas == 0) {
		return MCP_NO_CAS;
	}
	return mcp_proof_holds(&step->expects, connection) ? MCP_OK : MCP_UNSUPPORTED;
}

/* Check sizes before expected items, because a request for the item limit can break the
 * connection. */
mcp_status mcp_steps_judge(const mcp_steps_way *way, const mcp_op *steps, size_t count) {
	mcp_status status = MCP_OK;
	for (size_t i = 0; i < count && status == MCP_OK; i++) {
		bool is_safe = mcp_key_may_be_sent(steps[i].key);
		status = is_safe ? judge_size(way->store, &steps[i]) : MCP_BAD_KEY;
	}
	for (size_t i = 0; i < count && status == MCP_OK; i++) {
		status = judge_base(&steps[i], way->connection(way->store));
	}
	return status;
}

/* The expected item was checked, so the single op does not need to name the connection. */
static mcp_status write_one(mcp_store *store, mcp_op *step) {
	mcp_op op = *step;
	op.expects.connection = 0;
	mcp_status status = mcp_store_change(store, &op);
	step->number = op.number;
	return status;
}

/* Check each expected item again, because a previous step might have lost the connection. */
static size_t write_all(const mcp_steps_way *way, mcp_op *steps, size_t count) {
	size_t i = 0;
	for (; i < count && !mcp_op_is_read(&steps[i]); i++) {
		mcp_status status = judge_base(&steps[i], way->connection(way->store));
		steps[i].status = status == MCP_OK ? write_one(way->store, &steps[i]) : status;
		if (mcp_status_is_unanswered(steps[i].status)) {
			mcp_steps_answer(steps, i + 1, count, MCP_UNREACHABLE);
			return count;
		}
	}
	return i;
}

static void renew(const mcp_steps_way *way, mcp_op *step) {
	step->was_renewed = way->renews && step->verb == MCP_OP_GET_AND_TOUCH &&
		mcp_store_touch(way->store, step->key, step->record->ttl_ms) == MCP_OK;
}

/* Read all in one call, because a second read would invalidate the views of the first. */
static void read_all(const mcp_steps_way *way, mcp_op *steps, size_t count) {
	for (size_t i = 0; i < count; i++) {
		renew(way, &steps[i]);
	}
	mcp_store_run_all(way->store, steps, count);
	for (size_t i = 0; i < count; i++) {
		bool is_found = steps[i].status == MCP_OK;
		uint64_t connection = way->connection(way->store);
		steps[i].read = (mcp_proof){is_found ? steps[i].item.cas : 0, connection};
		steps[i].proof = (mcp_proof){0};
	}
}

void mcp_steps_one_by_one(const mcp_steps_way *way, mcp_op *steps, size_t count) {
	mcp_status status = mcp_steps_judge(way, steps, count);
	if (status != MCP_OK) {
		mcp_steps_answer(steps, 0, count, status);
		return;
	}
	size_t written = write_all(way, steps, count);
	if (written < count) {
		read_all(way, steps + written, count - written);
	}
}

#define MILLISECONDS 1000
/* memcached's clock ticks once per second, up to 1 s apart from ours. */
#define CLOCK_GRAIN_S 1

static uint64_t whole_seconds_up(uint64_t duration_ms) {
	return duration_ms > 0 ? (duration_ms - 1) / MILLISECONDS + 1 : 0;
}

static int64_t absolute(uint64_t ttl_ms, uint64_t wall_ms) {
	if (ttl_ms > UINT64_MAX - wall_ms) {
		return MCP_EXPIRY_NEVER;
	}
	uint64_t end_s = whole_seconds_up(wall_ms + ttl_ms) + CLOCK_GRAIN_S;
	return end_s > MCP_EXPIRY_ABSOLUTE_MAX_S ? MCP_EXPIRY_NEVER : (int64_t)end_s;
}

static inline uint64_t relative(uint64_t ttl_ms) {
	return whole_seconds_up(ttl_ms) + CLOCK_GRAIN_S;
}

int64_t mcp_expiry_from_ttl(uint64_t ttl_ms, uint64_t wall_ms) {
	if (ttl_ms == MCP_TTL_FOREVER) {
		return MCP_EXPIRY_NEVER;
	}
	uint64_t relative_s = relative(ttl_ms);
	if (relative_s <= MCP_EXPIRY_RELATIVE_MAX_S) {
		return (int64_t)relative_s;
	}
	return absolute(ttl_ms, wall_ms);
}

/* --- buffers --- */

#define BUFFER_SMALLEST 256

bool mcp_buffer_grow(mcp_buffer *buffer, size_t extra) {
	if (extra > SIZE_MAX / 2 - buffer->length) {
		return false;
	}
	size_t capacity = buffer->capacity < BUFFER_SMALLEST ? BUFFER_SMALLEST : buffer->capacity;
	while (capacity < buffer->length + extra) {
		capacity *= 2;
	}
	char *data = realloc(buffer->data, capacity);
	if (data == NULL) {
		return false;
	}
	buffer->data = data;
	buffer->capacity = capacity;
	return true;
}

void mcp_buffer_free(mcp_buffer *buffer) {
	free(buffer->data);
	*buffer = (mcp_buffer){0};
}

void mcp_buffer_clear_giant(mcp_buffer *buffer) {
	bool is_giant = buffer->length > MCP_BUFFER_KEPT_MAX;
	if (is_giant || buffer->was_giant) {
		buffer->was_giant = is_giant;
	} else {
		mcp_buffer_free(buffer);
	}
}
