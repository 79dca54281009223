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

/* Reads `count` keys into scratch->numbers, all or nothing. */
static mcp_status read_numbers(const mcp_online *online, const mcp_slots_scratch *scratch,
	size_t count) {
	mcp_store_get_many(online->store, scratch->keys, count, scratch->replies);
	for (size_t i = 0; i < count; i++) {
		mcp_status status = number_of(&scratch->replies[i], &scratch->numbers[i]);
		if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

/* Names the slots: keys[0] is `newest`'s, and so on back in time. Before 1970 there is nothing. */
static size_t name_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t newest, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (i > newest) {
			return i;
		}
		scratch->keys[i] = mcp_online_slot_key(online, &scratch->buffers[i], newest - i);
	}
	return count;
}

static bool add_up(uint64_t *sum, uint64_t number) {
	*sum += number;
	return *sum <= INT64_MAX;
}

/* MCP_OUT_OF_RANGE if the sum does not fit. */
static mcp_status sum_of(const uint64_t *numbers, size_t count, uint64_t *sum) {
	*sum = 0;
	for (size_t i = 0; i < count; i++) {
		if (!add_up(sum, numbers[i])) {
			return MCP_OUT_OF_RANGE;
		}
	}
	return MCP_OK;
}

mcp_status mcp_online_count(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *count) {
	uint64_t slot = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	*count = 0;
	if (slot == 0) {
		return MCP_OK;
	}
	size_t named = name_slots(online, scratch, slot - 1, online->window.slots);
	mcp_status status = read_numbers(online, scratch, named);
	return status == MCP_OK ? sum_of(scratch->numbers, named, count) : status;
}

/* Reads everything that a smooth count needs: the slots newest first, then how many returned in the newest and
 * in the oldest. */
static mcp_status read_smooth(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t newest) {
	size_t slots = name_slots(online, scratch, newest, (size_t)online->window.slots + 1);
	size_t returned = slots, stayed = slots + 1;
	scratch->keys[returned] = mcp_online_returned_key(online, &scratch->buffers[returned], newest);
	scratch->keys[stayed] =
		mcp_online_returned_key(online, &scratch->buffers[stayed], newest - slots + 1);
	return read_numbers(online, scratch, slots + 2);
}

mcp_status mcp_online_count_smooth(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *count) {
	uint64_t now_ms = mcp_wall_ms(online->environment);
	uint64_t slot = mcp_window_slot(&online->window, now_ms);
	if (slot < online->window.slots) {
		/* Less than one window after 1970: nothing is leaving yet. */
		size_t named = name_slots(online, scratch, slot, online->window.slots);
		mcp_status status = read_numbers(online, scratch, named);
		return status == MCP_OK ? sum_of(scratch->numbers, named, count) : status;
	}
	mcp_status status = read_smooth(online, scratch, slot);
	if (status != MCP_OK) {
		return status;
	}
	size_t slots = online->window.slots;
	mcp_window_oldest oldest = {
		.counted = scratch->numbers[slots],
		.returned = scratch->numbers[slots + 1],
		.stayed = scratch->numbers[slots + 2],
	};
	status = sum_of(scratch->numbers, slots, count);
	uint64_t share = mcp_window_oldest_share(&online->window, now_ms, &oldest);
	return status == MCP_OK && !add_up(count, share) ? MCP_OUT_OF_RANGE : status;
}

mcp_status mcp_online_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *newest) {
	*newest = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	size_t wanted = (size_t)online->window.slots + 1;
	size_t named = name_slots(online, scratch, *newest, wanted);
	memset(scratch->numbers, 0, wanted * sizeof(*scratch->numbers));
	return read_numbers(online, scratch, named);
}
