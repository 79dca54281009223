/* Writes by the text protocol's verbs; with a read behind it where the cas id that the item gets is wanted, and by a
 * meta command where a delete compares it. */
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

/* `end`: the value's, and what is asked behind it. */
static mcp_status send_item(mcp_direct *self, mcp_request *request, const mcp_wire_item *item,
	mcp_bytes end) {
	mcp_bytes pieces[] = {
		mcp_request_end(request),
		item->head,
		item->value,
		end,
	};
	return mcp_direct_send(self, &self->lines, pieces, 4);
}

static size_t size_of(const mcp_wire_item *item) {
	return item->head.length + item->value.length;
}

static mcp_request ask_to_store(mcp_wire_verb verb, const mcp_wire_item *item) {
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
	return request;
}

static mcp_status store_unproven(mcp_direct *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_request request = ask_to_store(verb, item);
	return conclude(self, send_item(self, &request, item, mcp_bytes_of("\r\n", 2)),
		MCP_ANSWER_STORED);
}

static bool is_what_was_sent(const mcp_answer *answer, const mcp_wire_item *item) {
	size_t head = item->head.length;
	return answer->flags == item->flags && answer->value.length == size_of(item) &&
		mcp_bytes_equal(mcp_bytes_of(answer->value.data, head), item->head) &&
		mcp_bytes_equal(mcp_bytes_of(answer->value.data + head, item->value.length), item->value);
}

/* What stands there behind the write. Its cas id is a proof when it is what was written: another's may have come in
 * between. */
static mcp_status look_behind(mcp_direct *self, const mcp_wire_item *item, mcp_proof *proof) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear(self, &self->lines, false, &answer);
	if (status == MCP_OK && answer.kind == MCP_ANSWER_VALUE &&
		mcp_bytes_equal(answer.key, item->key)) {
		if (is_what_was_sent(&answer, item)) {
			*proof = (mcp_proof){answer.cas, self->connection};
		}
		status = mcp_direct_hear(self, &self->lines, false, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	return answer.kind == MCP_ANSWER_END ? mcp_direct_finish(self, &self->lines, &answer)
										 : mcp_direct_turn_down(self, &answer);
}

/* By text, and a read sent behind it: a meta set would tell the cas id by itself, but when memcached has no memory for
 * it, or finds it too large, it deletes what is there, though it was only to be added or compared. A read that fails
 * is a write without an answer: the connection has gone. */
static mcp_status store_proven(mcp_direct *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_request request = ask_to_store(verb, item);
	mcp_request look;
	mcp_answer answer;
	mcp_proof proof = {.cas = 0};
	mcp_request_begin(&look, "\r\ngets ", item->key);
	mcp_status status = send_item(self, &request, item, mcp_request_end(&look));
	if (status == MCP_OK) {
		status = mcp_direct_hear(self, &self->lines, false, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_status stored = status_of(self, &answer, MCP_ANSWER_STORED);
	if (mcp_status_is_failure(stored)) {
		return stored;
	}
	status = look_behind(self, item, &proof);
	if (status != MCP_OK) {
		return status == MCP_REFUSED ? MCP_PROTOCOL : status;
	}
	if (stored == MCP_OK) {
		*item->proof = proof;
	}
	return stored;
}

mcp_status mcp_direct_store(mcp_wire *base, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_direct *self = of(base);
	if (item->connection != 0 && item->connection != self->connection) {
		return MCP_UNSUPPORTED;
	}
	bool proves = item->proof != NULL && self->knows_meta && verb <= MCP_WIRE_CAS;
	return proves ? store_proven(self, verb, item) : store_unproven(self, verb, item);
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
