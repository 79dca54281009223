/* memcached answers in the order it was asked, leaving out what it has not, so a moving cursor finds
 * each answer's key at once; a search behind it covers a proxy that does not keep the order. */
/* SPDX-License-Identifier: MIT */
#include "multi_get.h"

#include "../../core/compiler.h"

#define SPACE 1

bool mcp_multi_get_prepare(mcp_multi_get *many, mcp_buffer *room, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	*many = (mcp_multi_get){.keys = keys, .replies = replies, .count = count};
	size_t per_key = sizeof(char *) + 2 * sizeof(size_t);
	if (count > SIZE_MAX / per_key || !mcp_buffer_use(room, count * per_key)) {
		return false;
	}
	many->names = (const char **)(void *)room->data;
	many->lengths = (size_t *)(many->names + count);
	many->offsets = many->lengths + count;
	return true;
}

static size_t plan(mcp_multi_get *many, size_t bytes_max) {
	size_t names = 0;
	size_t request = 0;
	size_t i = many->from;
	for (; i < many->count; i++) {
		mcp_bytes wire = many->keys[i].wire;
		if (!mcp_key_may_be_sent(&many->keys[i])) {
			many->replies[i].status = MCP_BAD_KEY;
			continue;
		}
		request += wire.length + SPACE;
		if (request > bytes_max) {
			break;
		}
		many->replies[i].status = MCP_NOT_FOUND;
		many->names[names] = wire.data;
		many->lengths[names] = wire.length;
		names++;
	}
	many->to = i;
	return names;
}

bool mcp_multi_get_next(mcp_multi_get *many, size_t bytes_max) {
	many->from = many->to;
	many->cursor = many->from;
	many->asked = plan(many, bytes_max);
	return many->asked > 0;
}

void mcp_multi_get_again(mcp_multi_get *many) {
	many->from = many->to = 0;
}

static inline bool is_answer_to(const mcp_multi_get *many, size_t i, mcp_bytes key) {
	return many->replies[i].status == MCP_NOT_FOUND && mcp_bytes_equal(many->keys[i].wire, key);
}

/* Returns `end` if it is not between start and end. */
static size_t find(const mcp_multi_get *many, mcp_bytes key, size_t start, size_t end) {
	for (size_t i = start; i < end; i++) {
		if (is_answer_to(many, i, key)) {
			return i;
		}
	}
	return end;
}

static MCP_APART size_t find_any(const mcp_multi_get *many, mcp_bytes key) {
	size_t i = find(many, key, many->cursor, many->to);
	if (i < many->to) {
		return i;
	}
	i = find(many, key, many->from, many->cursor);
	return i < many->cursor ? i : many->to;
}

mcp_status mcp_multi_get_take(mcp_multi_get *many, mcp_bytes key, const mcp_item *item,
	const char *items) {
	size_t i = many->cursor;
	if (i == many->to || !is_answer_to(many, i, key)) {
		i = find_any(many, key);
		if (i == many->to) {
			return MCP_PROTOCOL;
		}
	}
	many->cursor = i;
	*mcp_multi_get_place(many) = *item;
	mcp_multi_get_took(many, items);
	return MCP_OK;
}

void mcp_multi_get_fail(mcp_multi_get *many, mcp_status status) {
	for (size_t i = 0; i < many->from; i++) {
		many->replies[i].item.cas = 0;
	}
	for (size_t i = many->from; i < many->count; i++) {
		bool is_safe = mcp_key_may_be_sent(&many->keys[i]);
		many->replies[i].status = is_safe ? status : MCP_BAD_KEY;
	}
}

void mcp_multi_get_end(mcp_multi_get *many, const char *items) {
	if (items == NULL) {
		return; /* each stands where it did */
	}
	for (size_t i = 0; i < many->count; i++) {
		mcp_reply *reply = &many->replies[i];
		if (reply->status != MCP_OK) {
			continue;
		}
		reply->item.value.data = (const char *)((uintptr_t)items + many->offsets[i]);
	}
}
