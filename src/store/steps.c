/* Steps as single calls, and the checks before any of them is sent. */
/* SPDX-License-Identifier: MIT */
#include "steps.h"

void mcp_steps_answer(mcp_store_step *steps, size_t from, size_t count, mcp_status status) {
	for (size_t i = from; i < count; i++) {
		steps[i].status = status;
	}
}

static bool stores(const mcp_store_step *step) {
	return step->verb == MCP_STEP_ADD || step->verb == MCP_STEP_CAS;
}

static mcp_status judge_size(mcp_store *store, const mcp_store_step *step) {
	size_t size = stores(step) ? mcp_store_size_of(step->key, step->record) : 0;
	return size < mcp_store_item_max(store, step->key, size) ? MCP_OK : MCP_TOO_LARGE;
}

static mcp_status judge_base(const mcp_store_step *step, uint64_t connection) {
	if (!mcp_store_step_has_base(step)) {
		return MCP_OK;
	}
	if (step->base.cas == 0) {
		return MCP_NO_CAS;
	}
	return mcp_proof_holds(&step->base, connection) ? MCP_OK : MCP_UNSUPPORTED;
}

/* Check sizes before bases: a request for the item limit can break the connection. */
mcp_status mcp_steps_judge(const mcp_steps_way *way, const mcp_store_step *steps, size_t count) {
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

static mcp_status write_one(mcp_store *store, const mcp_store_step *step) {
	switch (step->verb) {
		case MCP_STEP_ADD:
			return mcp_store_add(store, step->key, step->record);
		case MCP_STEP_CAS:
			return mcp_store_cas(store, step->key, step->record, step->base.cas);
		case MCP_STEP_TOUCH:
			return mcp_store_touch(store, step->key, step->record->ttl_ms);
		default:
			return mcp_store_delete_if(store, step->key, step->base.cas);
	}
}

/* Check each base again: an earlier step can have lost its connection. */
static size_t write_all(const mcp_steps_way *way, mcp_store_step *steps, size_t count) {
	size_t i = 0;
	for (; i < count && !mcp_store_step_is_read(&steps[i]); i++) {
		mcp_status status = judge_base(&steps[i], way->connection(way->store));
		steps[i].status = status == MCP_OK ? write_one(way->store, &steps[i]) : status;
		if (mcp_status_is_unanswered(steps[i].status)) {
			mcp_steps_answer(steps, i + 1, count, MCP_UNREACHABLE);
			return count;
		}
	}
	return i;
}

static void renew(const mcp_steps_way *way, mcp_store_step *step) {
	step->was_renewed = way->renews && step->verb == MCP_STEP_GET_AND_TOUCH &&
		mcp_store_touch(way->store, step->key, step->record->ttl_ms) == MCP_OK;
}

static void take(mcp_store_step *step, const mcp_reply *reply, uint64_t connection) {
	step->status = reply->status;
	step->read = (mcp_proof){0, connection};
	step->proof = (mcp_proof){0};
	if (reply->status == MCP_OK) {
		step->item = reply->item;
		step->read.cas = reply->item.cas;
	}
}

/* Read all in one call: a second read would end the views of the first. */
static void read_all(const mcp_steps_way *way, mcp_store_step *steps, size_t count) {
	mcp_key keys[MCP_STEPS_MAX] = {{.is_safe = false}};
	mcp_reply replies[MCP_STEPS_MAX];
	for (size_t i = 0; i < count; i++) {
		renew(way, &steps[i]);
		keys[i] = *steps[i].key;
	}
	mcp_store_get_many(way->store, keys, count, replies);
	for (size_t i = 0; i < count; i++) {
		take(&steps[i], &replies[i], way->connection(way->store));
	}
}

void mcp_steps_one_by_one(const mcp_steps_way *way, mcp_store_step *steps, size_t count) {
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
