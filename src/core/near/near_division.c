/* Divides the memory: the sequences of changes, the index, what was asked for, and the slots of each class. */
/* SPDX-License-Identifier: MIT */
#include "shm_cache.h"

#include "near_slot.h"

/* The length of a line of the processor's cache; parts begin on one. */
#define LINE 64
_Static_assert(MCP_NEAR_WAYS * sizeof(uint64_t) == LINE, "a bucket is a line");

/* One counter for so many bytes of memory, and one bucket for so many slots. */
#define BYTES_PER_COUNTER 1024
#define COUNTERS_MAX (1u << 16)
#define SLOTS_PER_BUCKET 2
/* So many more items are remembered than there is room for. With fewer, what comes to be popular is taken for new for too long. */
#define ASKED_PER_SLOT 10

static const uint32_t sizes[MCP_NEAR_CLASSES] = {256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 8192,
	12288, 16384, 32768, MCP_NEAR_SLOT_MAX};

/* The slots that a class has at least; with less its slots would go before they were of use. */
#define SLOTS_MIN 4

static size_t power_of_two_below(size_t number) {
	size_t power = 1;
	while (power * 2 <= number) {
		power *= 2;
	}
	return power;
}

static size_t round_up(size_t size) {
	return (size + LINE - 1) / LINE * LINE;
}

/* Counts the classes, the smallest first, that have slots enough in equal shares. */
static unsigned count_classes(size_t bytes) {
	unsigned count = MCP_NEAR_CLASSES;
	while (count > 0 && bytes / count < (size_t)sizes[count - 1] * SLOTS_MIN) {
		count--;
	}
	return count;
}

static size_t count_slots(size_t bytes, unsigned classes) {
	size_t slots = 0;
	for (unsigned i = 0; i < classes; i++) {
		slots += bytes / classes / sizes[i];
	}
	return slots;
}

static void place_classes(mcp_shm_cache *room, char *from, size_t bytes, mcp_atomic_u32 *cursors) {
	size_t share = bytes / room->class_count / LINE * LINE;
	for (unsigned i = 0; i < room->class_count; i++) {
		room->classes[i] = (mcp_near_class){
			.slots = from + i * share,
			.size = sizes[i],
			.count = (uint32_t)(share / sizes[i]),
			.cursor = &cursors[i],
		};
	}
}

/* Divides what the counters leave into the index, what was asked for, and the slots. */
static bool divide(mcp_shm_cache *room, char *from, size_t bytes, mcp_atomic_u32 *cursors) {
	room->class_count = count_classes(bytes);
	if (room->class_count == 0) {
		return false;
	}
	size_t slots = count_slots(bytes, room->class_count);
	size_t buckets = power_of_two_below(slots / SLOTS_PER_BUCKET + 1);
	size_t sets = slots * ASKED_PER_SLOT / MCP_ASKED_WAYS + 1;
	size_t taken = buckets * LINE + sets * MCP_ASKED_SET_SIZE;
	if (bytes <= taken || (bytes - taken) / room->class_count < sizes[room->class_count - 1]) {
		return false;
	}
	room->buckets = (void *)from;
	room->bucket_mask = buckets - 1;
	room->asked = (mcp_asked){(void *)(from + buckets * LINE), (uint32_t)sets};
	place_classes(room, from + taken, bytes - taken, cursors);
	return true;
}

bool mcp_shm_cache_open(mcp_shm_cache *room, void *memory, size_t size) {
	char *at = memory;
	size_t spaces = LINE + round_up(MCP_NEAR_CLASSES * sizeof(uint32_t));
	size_t head = round_up(spaces + MCP_NEAR_NAMESPACES * sizeof(uint64_t));
	size_t counters = power_of_two_below(size / BYTES_PER_COUNTER + 1);
	counters = counters < COUNTERS_MAX ? counters : COUNTERS_MAX;
	size_t taken = head + round_up(counters * sizeof(uint64_t));
	if (size <= taken) {
		return false;
	}
	*room = (mcp_shm_cache){
		.changes = {(void *)at, (void *)(at + head), counters - 1},
		.namespaces = (void *)(at + spaces),
	};
	return divide(room, at + taken, size - taken, (void *)(at + LINE));
}
