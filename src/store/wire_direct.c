/* Reads by "gets", of one key or many, and writes by the text protocol's verbs. What the answers of many keys and
 * of one have in common stands in wire_direct_line.c. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct.h"

#include "wire_direct_line.h"

#include <stdlib.h>

#ifdef _WIN32

bool mcp_wire_direct_is_supported(void) {
	return false;
}

mcp_wire *mcp_wire_direct_create(const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	(void)settings;
	(void)environment;
	return NULL;
}

#else

/* Read to see whether the server answers; what it holds does not matter. */
#define PING_KEY "mcpatterns:ping"
/* What any socket takes at once, so that a server which takes nothing costs one timeout. */
#define ASK_BYTES_MAX 8000

static mcp_direct *of(mcp_wire *base) {
	return (mcp_direct *)base;
}

static mcp_status send_line(mcp_direct *self, mcp_inbox *inbox, mcp_request *request) {
	mcp_bytes line = mcp_request_end(request);
	return mcp_direct_send(self, inbox, &line, 1);
}

static mcp_item item_of(const mcp_answer *answer) {
	return (mcp_item){.value = answer->value, .flags = answer->flags, .cas = answer->cas};
}

/* The item, and the end of the answer behind it, which mostly has come with it, and else may move the item. */
static mcp_status take_one(mcp_direct *self, mcp_inbox *inbox, mcp_answer *answer, mcp_item *item) {
	*item = item_of(answer);
	if (mcp_inbox_take_rest(inbox, "END\r\n", sizeof("END\r\n") - 1)) {
		return MCP_OK;
	}
	size_t offset = (size_t)(answer->value.data - inbox->bytes.data);
	mcp_status status = mcp_direct_hear(self, inbox, true, answer);
	if (status != MCP_OK) {
		return status;
	}
	item->value.data = inbox->bytes.data + offset;
	return answer->kind == MCP_ANSWER_END ? mcp_direct_finish(self, inbox, answer)
										  : mcp_direct_turn_down(self, answer);
}

static mcp_status get_into(mcp_direct *self, mcp_inbox *inbox, mcp_bytes key, mcp_item *item) {
	mcp_request request;
	mcp_answer answer;
	mcp_request_begin(&request, "gets ", key);
	mcp_status status = send_line(self, inbox, &request);
	if (status == MCP_OK) {
		status = mcp_direct_hear(self, inbox, true, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == MCP_ANSWER_VALUE && mcp_bytes_equal(answer.key, key)) {
		return take_one(self, inbox, &answer, item);
	}
	if (answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	status = mcp_direct_finish(self, inbox, &answer);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

static mcp_status get(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	return get_into(of(base), &of(base)->items, key, item);
}

static mcp_status cas_of(mcp_wire *base, mcp_bytes key, uint64_t *cas) {
	mcp_item item = {.cas = 0};
	mcp_status status = get_into(of(base), &of(base)->lines, key, &item);
	*cas = item.cas;
	return status;
}

/* Not "version": some proxies close the connection on it. */
static mcp_status ping(mcp_wire *base) {
	mcp_item item;
	mcp_bytes key = mcp_bytes_of(PING_KEY, sizeof(PING_KEY) - 1);
	mcp_status status = get_into(of(base), &of(base)->lines, key, &item);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

static bool compose(mcp_buffer *request, const char *const *keys, const size_t *lengths,
	size_t count) {
	mcp_buffer_clear(request);
	bool has_room = mcp_buffer_append(request, mcp_bytes_of("gets", 4));
	for (size_t i = 0; i < count && has_room; i++) {
		has_room = mcp_buffer_append(request, mcp_bytes_of(" ", 1)) &&
			mcp_buffer_append(request, mcp_bytes_of(keys[i], lengths[i]));
	}
	return has_room && mcp_buffer_append(request, mcp_bytes_of("\r\n", 2));
}

static mcp_status ask(mcp_wire *base, const char *const *keys, const size_t *lengths,
	size_t count) {
	mcp_direct *self = of(base);
	if (!compose(&self->keys, keys, lengths, count)) {
		mcp_reason_say(&self->reason, "was not asked: this process has no memory for it");
		return MCP_UNREACHABLE;
	}
	mcp_bytes request = mcp_bytes_of(self->keys.data, self->keys.length);
	return mcp_direct_send(self, &self->items, &request, 1);
}

static mcp_status next(mcp_wire *base, mcp_bytes *key, mcp_item *item) {
	mcp_direct *self = of(base);
	mcp_answer answer;
	mcp_status status = mcp_direct_hear(self, &self->items, false, &answer);
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == MCP_ANSWER_VALUE) {
		*key = answer.key;
		*item = item_of(&answer);
		return MCP_OK;
	}
	if (answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	status = mcp_direct_finish(self, &self->items, &answer);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

static void break_off(mcp_wire *base) {
	mcp_reason_say(&of(base)->reason, "answered something else than it was asked");
	mcp_direct_hang_up(of(base));
}

/* What a write's answer means, of which `done` says that it was done. */
static mcp_status status_of(mcp_direct *self, const mcp_answer *answer, mcp_answer_kind done) {
	static const char too_large[] = "object too large for cache";
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
			return answer->kind == done ? MCP_OK : mcp_direct_turn_down(self, answer);
	}
}

static mcp_status hear_only(mcp_direct *self, mcp_answer *answer) {
	mcp_status status = mcp_direct_hear(self, &self->lines, true, answer);
	return status == MCP_OK ? mcp_direct_finish(self, &self->lines, answer) : status;
}

static mcp_status conclude(mcp_direct *self, mcp_status sent, mcp_answer_kind done) {
	mcp_answer answer;
	mcp_status status = sent == MCP_OK ? hear_only(self, &answer) : sent;
	return status == MCP_OK ? status_of(self, &answer, done) : status;
}

static mcp_status store(mcp_wire *base, mcp_wire_verb verb, const mcp_wire_item *item) {
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
	mcp_request_add_u64(&request, " ", item->head.length + item->value.length);
	if (verb == MCP_WIRE_CAS) {
		mcp_request_add_u64(&request, " ", item->cas);
	}
	mcp_bytes pieces[] = {
		mcp_request_end(&request),
		item->head,
		item->value,
		mcp_bytes_of("\r\n", 2),
	};
	mcp_status sent = mcp_direct_send(of(base), &of(base)->lines, pieces, 4);
	return conclude(of(base), sent, MCP_ANSWER_STORED);
}

static mcp_status delete_one(mcp_wire *base, mcp_bytes key) {
	mcp_request request;
	mcp_request_begin(&request, "delete ", key);
	mcp_status sent = send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_DELETED);
}

static mcp_status touch(mcp_wire *base, mcp_bytes key, int64_t expiry) {
	mcp_request request;
	mcp_request_begin(&request, "touch ", key);
	mcp_request_add_i64(&request, " ", expiry);
	mcp_status sent = send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_TOUCHED);
}

/* The one "client error" of a well-formed request is that the item is not a number. */
static mcp_status calculate(mcp_direct *self, const char *verb, mcp_bytes key, uint64_t by,
	uint64_t *number) {
	mcp_request request;
	mcp_answer answer;
	mcp_request_begin(&request, verb, key);
	mcp_request_add_u64(&request, " ", by);
	mcp_status status = send_line(self, &self->lines, &request);
	if (status == MCP_OK) {
		status = hear_only(self, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	*number = answer.number;
	return answer.kind == MCP_ANSWER_CLIENT_ERROR ? MCP_NOT_A_NUMBER
												  : status_of(self, &answer, MCP_ANSWER_NUMBER);
}

static mcp_status increment(mcp_wire *base, mcp_bytes key, uint64_t by, uint64_t *number) {
	return calculate(of(base), "incr ", key, by, number);
}

static mcp_status decrement(mcp_wire *base, mcp_bytes key, uint64_t by, uint64_t *number) {
	return calculate(of(base), "decr ", key, by, number);
}

static mcp_status flush(mcp_wire *base) {
	mcp_request request;
	mcp_request_begin(&request, "flush_all", mcp_bytes_of("", 0));
	mcp_status sent = send_line(of(base), &of(base)->lines, &request);
	return conclude(of(base), sent, MCP_ANSWER_OK);
}

/* A peer without statistics answers "ERROR" and goes on. */
static mcp_status end_statistics(mcp_direct *self, const mcp_answer *answer) {
	mcp_status status = mcp_direct_finish(self, &self->lines, answer);
	if (status != MCP_OK || answer->kind == MCP_ANSWER_END) {
		return status;
	}
	if (answer->kind != MCP_ANSWER_ERROR) {
		return mcp_direct_turn_down(self, answer);
	}
	mcp_reason_say_answered(&self->reason, "", answer->line, "");
	return MCP_REFUSED;
}

static mcp_status read_statistics(mcp_direct *self, mcp_wire_line line, void *context) {
	for (;;) {
		mcp_answer answer;
		mcp_status status = mcp_direct_hear(self, &self->lines, false, &answer);
		if (status != MCP_OK) {
			return status;
		}
		if (answer.kind != MCP_ANSWER_STATISTIC) {
			return end_statistics(self, &answer);
		}
		if (!line(context, answer.key, answer.value)) {
			return mcp_direct_turn_down(self, &answer);
		}
	}
}

static mcp_status stats(mcp_wire *base, const char *kind, mcp_wire_line line, void *context) {
	mcp_request request;
	mcp_bytes what = kind != NULL ? mcp_bytes_of(kind, strlen(kind)) : mcp_bytes_of("", 0);
	mcp_request_begin(&request, kind != NULL ? "stats " : "stats", what);
	mcp_status status = send_line(of(base), &of(base)->lines, &request);
	return status == MCP_OK ? read_statistics(of(base), line, context) : status;
}

static const mcp_reason *reason(const mcp_wire *base) {
	return &((const mcp_direct *)base)->reason;
}

static void free_wire(mcp_wire *base) {
	mcp_direct *self = of(base);
	mcp_direct_hang_up(self);
	mcp_inbox_free(&self->items);
	mcp_inbox_free(&self->lines);
	mcp_buffer_free(&self->keys);
	free(self);
}

/* To close the child's own descriptor tells the server nothing. */
static const mcp_wire_operations operations = {
	.ask_bytes_max = ASK_BYTES_MAX,
	.sends_pieces = true,
	.get = get,
	.cas_of = cas_of,
	.ping = ping,
	.ask = ask,
	.next = next,
	.break_off = break_off,
	.store = store,
	.delete = delete_one,
	.touch = touch,
	.increment = increment,
	.decrement = decrement,
	.flush = flush,
	.stats = stats,
	.reason = reason,
	.free = free_wire,
	.disown = free_wire,
};

bool mcp_wire_direct_is_supported(void) {
	return true;
}

mcp_wire *mcp_wire_direct_create(const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	size_t length = strlen(settings->host) + 1;
	mcp_direct *self = calloc(1, sizeof(*self) + length);
	if (self == NULL) {
		return NULL;
	}
	self->base.operations = &operations;
	self->environment = environment;
	self->socket.descriptor = -1;
	self->connect_timeout_ms = settings->connect_timeout_ms;
	self->timeout_ms = settings->timeout_ms;
	self->port = settings->port;
	memcpy(self->host, settings->host, length);
	return &self->base;
}

#endif
