/* Counts into slots and adds them up. A visit belongs to the slot it began in, however long its
 * counting takes, so nothing is lost or counted twice where slots meet (O4). */
/* SPDX-License-Identifier: MIT */
#include "online_counter.h"

#include "../../core/decimal.h"
#include "online_slots.h"

mcp_status mcp_online_increment(const mcp_online *online, uint64_t by) {
	if (by > INT64_MAX) {
		return MCP_OUT_OF_RANGE;
	}
	mcp_key_buffer buffer;
	uint64_t slot = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	mcp_key key = mcp_online_slot_key(online, &buffer, slot);
	mcp_status status = mcp_online_bump(online, &key, slot, by);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* Reads a number; an absent one is 0. */
static mcp_status number_of(const mcp_reply *reply, uint64_t *number) {
	*number = 0;
	if (reply->status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	if (reply->status != MCP_OK) {
		return reply->status;
	}
	if (!mcp_decimal_parse_u64(reply->item.value, number)) {
		return MCP_NOT_A_NUMBER;
	}
	return *number <= INT64_MAX ? MCP_OK : MCP_OUT_OF_RANGE;
}

/* Names the slots: keys[0] is `newest`'s, and so on back in time. Before 1970 there is nothing. */
static size_t name_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t newest) {
	for (size_t i = 0; i <= online->window.slots; i++) {
		if (i > newest) {
			return i;
		}
		scratch->keys[i] = mcp_online_slot_key(online, &scratch->buffers[i], newest - i);
	}
	return (size_t)online->window.slots + 1;
}

/* Reads the window's slots into scratch->numbers, newest first, all or nothing. */
static mcp_status read_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t newest) {
	size_t named = name_slots(online, scratch, newest);
	memset(scratch->numbers, 0,
		mcp_online_read_length(&online->window) * sizeof(*scratch->numbers));
	mcp_store_get_many(online->store, scratch->keys, named, scratch->replies);
	for (size_t i = 0; i < named; i++) {
		mcp_status status = number_of(&scratch->replies[i], &scratch->numbers[i]);
		if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

/* MCP_OUT_OF_RANGE if the sum does not fit. */
static mcp_status sum_up(const mcp_online *online, const uint64_t *numbers, uint64_t *sum) {
	*sum = 0;
	for (size_t i = 0; i <= online->window.slots; i++) {
		*sum += numbers[i];
		if (*sum > INT64_MAX) {
			return MCP_OUT_OF_RANGE;
		}
	}
	return MCP_OK;
}

mcp_status mcp_online_count(const mcp_online *online, const mcp_slots_scratch *scratch,
	bool is_smooth, uint64_t *count) {
	uint64_t now_ms = mcp_wall_ms(online->environment);
	uint64_t slot = mcp_window_slot(&online->window, now_ms);
	mcp_status status = read_slots(online, scratch, slot);
	if (status != MCP_OK) {
		return status;
	}
	uint64_t *oldest = &scratch->numbers[online->window.slots];
	if (is_smooth) {
		*oldest = mcp_window_oldest_share(&online->window, now_ms, *oldest);
	}
	return sum_up(online, scratch->numbers, count);
}

mcp_status mcp_online_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *newest) {
	*newest = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	return read_slots(online, scratch, *newest);
}
