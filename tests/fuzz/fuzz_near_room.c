/* Lets the reader and the writer of the host's memory work on memory that holds arbitrary bytes, as another process
 * could have left it: neither touches a byte beside it, waits, or answers more than an item has. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/near/shm_cache.h"
#include "../../src/core/vendor/xxh64.h"

#define MEMORY 49152

static bool is_dead(uint32_t pid) {
	return pid % 2 == 0;
}

/* The bytes before an item's key. */
#define HEAD 104

static mcp_near_item item_of(const uint8_t *data, size_t size) {
	size_t length = size < 8 ? size : 8;
	return (mcp_near_item){
		.key = mcp_bytes_of((const char *)data, length),
		.hash = XXH64(data, length, 0),
		.whose = 1,
		.asked_ms = size % 7,
		.until_ms = size % 5,
		.is_wanted = size % 2 == 0,
		.value = mcp_bytes_of((const char *)data, size),
	};
}

/* Overwrites with the input over and over, so that words of the index, states of segments and heads of items are all met. */
static void overwrite(char *memory, const uint8_t *data, size_t size, size_t from) {
	for (size_t at = from; size > 0 && at < MEMORY; at += size) {
		memcpy(memory + at, data, size < MEMORY - at ? size : MEMORY - at);
	}
}

static bool read_item(const mcp_shm_cache *room, mcp_near_item *item, char *copy) {
	mcp_near_place place;
	if (!mcp_shm_cache_find(room, item, &place)) {
		return false;
	}
	require(item->value.length <= MCP_NEAR_ITEM_MAX - 64);
	require(item->payload_at <= item->value.length);
	item->value.data = copy;
	return mcp_near_place_copy(&place, 0, item->value.length, copy);
}

static void read_and_write(const mcp_shm_cache *room, mcp_near_item item, char *copy) {
	mcp_near_writer writer = {7, 1, is_dead};
	mcp_near_item found = item;
	if (read_item(room, &found, copy)) {
		for (size_t i = 0; i < found.value.length; i++) {
			copy[i] ^= 1;
		}
	}
	if (mcp_shm_cache_keep(room, &item, &writer)) {
		require(read_item(room, &found, copy));
		require(mcp_bytes_equal(found.value, item.value));
	}
}

/* Keeps an item, and then damages what its word, its head and its segment say of places and lengths. */
static void damage(mcp_shm_cache *room, char *memory, const uint8_t *data, size_t size,
	char *copy) {
	memset(memory, 0, MEMORY);
	mcp_near_item item = item_of(data, size);
	mcp_near_writer writer = {7, 1, is_dead};
	if (!mcp_shm_cache_keep(room, &item, &writer)) {
		return;
	}
	for (size_t i = 0; i + 2 < size; i += 3) {
		size_t word = (((item.hash & UINT32_MAX) * room->bucket_count) >> 32) * 8;
		uint64_t place = (item.hash >> 32) << 32 | (uint64_t)data[i + 1] << 9 | data[i];
		room->buckets[word + data[i + 2] % 8] = place ^ (uint64_t)(data[i + 2] >> 7) << 24;
		room->data[data[i + 1] % HEAD] = (char)data[i + 2];
		char *segment = (char *)&room->segments[data[i] % 3];
		segment[data[i + 1] % sizeof(mcp_near_segment)] = (char)data[i + 2];
		room->hand[0] = data[i + 1];
		room->open[0] = data[i + 2];
		mcp_near_item found = item;
		read_item(room, &found, copy);
	}
	read_and_write(room, item, copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	char *memory = aligned_alloc(64, MEMORY);
	char *copy = malloc(MCP_NEAR_ITEM_MAX);
	require(memory != NULL && copy != NULL);
	mcp_shm_cache room;
	memset(memory, 0, MEMORY);
	require(mcp_shm_cache_open(&room, memory, MEMORY));
	overwrite(memory, data, size, size > 0 ? data[0] * 192u % MEMORY : 0);
	read_and_write(&room, item_of(data, size), copy);
	damage(&room, memory, data, size, copy);
	free(copy);
	free(memory);
	return 0;
}
