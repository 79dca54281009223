/* Writes by the text protocol's verbs, and by meta commands where the cas id that the item gets is wanted, or is what
 * a delete compares. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_write.h"

#include "wire_direct_meta.h"

#ifndef _WIN32

static mcp_direct *of(mcp_wire *base) {
	return mcp_direct_of(base);
}

/* What a write's answer means, of which `done` says that it was done. */
static mcp_status status_of(mcp_direct *self, const mcp_answer *answer, mcp_answer_kind done) {
	static const char too_large[] = "object too large for cache";
	if (answer->kind == done) {
		return MCP_OK;
	}
	switch (answer->kind) {
		case MCP_ANSWER_NOT_FOUND:
			return MCP_NOT_FOUND;
		case MCP_ANSWER_NOT_STORED:
			return MCP_NOT_STORED;
		case MCP_ANSWER_EXISTS:
			return MCP_EXISTS;
		case MCP_ANSWER_SERVER_ERROR:
			if (mcp_bytes_equal(answer->value, mcp_bytes_of(too_large, sizeof(too_large) - 1))) {
				return MCP_TOO_LARGE;
			}
			return mcp_direct_turn_down(self, answer);
		default:
			return mcp_direct_turn_down(self, answer);
	}
}

static mcp_status conclude(mcp_direct *self, mcp_status sent, mcp_answer_kind done) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear_only(self, sent, &answer);
	return status == MCP_OK ? status_of(self, &answer, done) : status;
}

static mcp_status send_item(mcp_direct *self, mcp_request *request, const mcp_wire_item *item) {
	mcp_bytes pieces[] = {
		mcp_request_end(request),
		item->head,
		item->value,
		mcp_bytes_of("\r\n", 2),
	};
	return mcp_direct_send(self, &self->lines, pieces, 4);
}

static size_t size_of(const mcp_wire_item *item) {
	return item->head.length + item->value.length;
}

static mcp_status store_by_text(mcp_direct *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	static const char *const verbs[] = {
		[MCP_WIRE_ADD] = "add ",
		[MCP_WIRE_SET] = "set ",
		[MCP_WIRE_CAS] = "cas ",
		[MCP_WIRE_PREPEND] = "prepend ",
		[MCP_WIRE_APPEND] = "append ",
	};
	mcp_request request;
	mcp_request_begin(&request, verbs[verb], item->key);
	mcp_request_add_u64(&request, " ", item->flags);
	mcp_request_add_i64(&request, " ", item->expiry);
	mcp_request_add_u64(&request, " ", size_of(item));
	if (verb == MCP_WIRE_CAS) {
		mcp_request_add_u64(&request, " ", item->cas);
	}
	return conclude(self, send_item(self, &request, item), MCP_ANSWER_STORED);
}

/* What a number of 0 means goes without saying. */
static mcp_status store_by_meta(mcp_direct *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_request request;
	mcp_answer answer;
	mcp_request_begin(&request, "ms ", item->key);
	mcp_request_add_u64(&request, " ", size_of(item));
	if (item->flags != 0) {
		mcp_request_add_u64(&request, " F", item->flags);
	}
	if (item->expiry != 0) {
		mcp_request_add_i64(&request, " T", item->expiry);
	}
	if (verb == MCP_WIRE_CAS) {
		mcp_request_add_u64(&request, " C", item->cas);
	} else if (verb == MCP_WIRE_ADD) {
		mcp_request_add(&request, " ME", 3);
	}
	mcp_request_add(&request, " c", 2);
	mcp_status status = mcp_direct_hear_only(self, send_item(self, &request, item), &answer);
	if (status == MCP_OK) {
		status = status_of(self, &answer, MCP_ANSWER_STORED);
	}
	if (status == MCP_OK) {
		*item->proof = (mcp_proof){answer.cas, self->connection};
	}
	return status;
}

mcp_status mcp_direct_store(mcp_wire *base, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_direct *self = of(base);
	if (item->connection != 0 && item->connection != self->connection) {
		return MCP_UNSUPPORTED;
	}
	bool proves = item->proof != NULL && self->knows_meta && verb <= MCP_WIRE_CAS;
	return proves ? store_by_meta(self, verb, item) : store_by_text(self, verb, item);
}

mcp_status mcp_direct_delete(mcp_wire *base, mcp_bytes key) {
	mcp_request request;
	mcp_request_begin(&request, "delete ", key);
	mcp_status sent = mcp_direct_send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_DELETED);
}

mcp_status mcp_direct_delete_proven(mcp_wire *base, mcp_bytes key, const mcp_proof *proof) {
	if (!mcp_direct_holds(base, proof)) {
		return MCP_UNSUPPORTED;
	}
	mcp_request request;
	mcp_request_begin(&request, "md ", key);
	mcp_request_add_u64(&request, " C", proof->cas);
	mcp_status sent = mcp_direct_send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_STORED);
}

mcp_status mcp_direct_touch(mcp_wire *base, mcp_bytes key, int64_t expiry) {
	mcp_request request;
	mcp_request_begin(&request, "touch ", key);
	mcp_request_add_i64(&request, " ", expiry);
	mcp_status sent = mcp_direct_send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_TOUCHED);
}

/* The one "client error" of a well-formed request is that the item is not a number. */
static mcp_status calculate(mcp_direct *self, const char *verb, mcp_bytes key, uint64_t by,
	uint64_t *number) {
	mcp_request request;
	mcp_answer answer;
	mcp_request_begin(&request, verb, key);
	mcp_request_add_u64(&request, " ", by);
	mcp_status sent = mcp_direct_send_line(self, &self->lines, &request);
	mcp_status status = mcp_direct_hear_only(self, sent, &answer);
	if (status != MCP_OK) {
		return status;
	}
	*number = answer.number;
	return answer.kind == MCP_ANSWER_CLIENT_ERROR ? MCP_NOT_A_NUMBER
												  : status_of(self, &answer, MCP_ANSWER_NUMBER);
}

mcp_status mcp_direct_increment(mcp_wire *base, mcp_bytes key, uint64_t by, uint64_t *number) {
	return calculate(of(base), "incr ", key, by, number);
}

mcp_status mcp_direct_decrement(mcp_wire *base, mcp_bytes key, uint64_t by, uint64_t *number) {
	return calculate(of(base), "decr ", key, by, number);
}

mcp_status mcp_direct_flush(mcp_wire *base) {
	mcp_request request;
	mcp_request_begin(&request, "flush_all", mcp_bytes_of("", 0));
	mcp_status sent = mcp_direct_send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_OK);
}

#endif
