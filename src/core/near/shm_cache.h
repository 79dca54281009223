/* Near cache of a host: a log in shared memory, in segments, without locks. An item is a value as in memcached, with
 * its key, its pool, the time of its read, and the change counters from before the read. An item is written after the
 * last item of its segment, and never changed. An index has a word for each item. A segment has one writer at a time,
 * and a number that changes when the segment is emptied, after the index words of its items have been removed. A reader
 * notes the number, reads the word again, copies the item, and trusts the copy if the number is unchanged. A segment
 * whose writer did not finish is taken over only if that writer has certainly exited, because a paused process could
 * continue and overwrite data of another process. The writer is identified by its process id and the id's namespace,
 * because ids of other namespaces are meaningless here. If the namespace is unknown, the segment can still be read, and
 * is not written again until the memory is recreated. The memory is hostile: any process might have written anything.
 * The layout follows from the size alone, and lengths are checked in a copy. The copied data can be anything. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_NEAR_SHM_CACHE_H
#define MCP_CORE_NEAR_SHM_CACHE_H

#include "../atomics.h"
#include "../bytes.h"
#include "../waking/wakeups.h"

#include <stddef.h>
#include <string.h>

/* Hashes of recently offered items: an item that is offered a second time can evict another. A set has the marks of
 * such hashes, the most recent first. A new mark displaces the last mark of the set. Without locks, concurrent calls
 * can lose or duplicate a mark, and a second offer then counts as a first. */

/* Number of marks in a set, which fills a cache line. */
#define MCP_ASKED_WAYS 16

typedef struct mcp_asked {
	mcp_atomic_u32 *marks; /* in shared memory; 0: none */
	uint32_t set_count;
} mcp_asked;

/* The lower half of the hash selects the set, and the upper half is the mark. */
static inline mcp_atomic_u32 *mcp_asked_set(const mcp_asked *asked, uint64_t hash) {
	uint64_t number = (hash & UINT32_MAX) * asked->set_count >> 32;
	return asked->marks + number * MCP_ASKED_WAYS;
}

/* Record the hash. Returns whether it was already among the recent hashes. */
static inline bool mcp_asked_add(const mcp_asked *asked, uint64_t hash) {
	mcp_atomic_u32 *set = mcp_asked_set(asked, hash);
	uint32_t mark = (uint32_t)(hash >> 32) | 1;
	uint32_t moved = mark;
	for (unsigned i = 0; i < MCP_ASKED_WAYS; i++) {
		uint32_t found = atomic_load_explicit(&set[i], memory_order_relaxed);
		atomic_store_explicit(&set[i], moved, memory_order_relaxed);
		if (found == mark) {
			return true;
		}
		moved = found;
	}
	return false;
}

/* Access to memory to which other processes can write at the same time: data is valid only if the segment's number is
 * unchanged afterwards. C11 calls this a data race, but memcpy is the fastest copy. Builds for ThreadSanitizer use
 * atomic bytes, so that ThreadSanitizer reports only unguarded races. */

#ifdef __SANITIZE_THREAD__

static inline void mcp_raced_read(void *to, const void *from, size_t length) {
	for (size_t i = 0; i < length; i++) {
		((char *)to)[i] = __atomic_load_n((const char *)from + i, __ATOMIC_RELAXED);
	}
}

/* The ranges may overlap if `to` is lower. No other process may write to these ranges. */
static inline void mcp_raced_write(void *to, const void *from, size_t length) {
	for (size_t i = 0; i < length; i++) {
		__atomic_store_n((char *)to + i, ((const char *)from)[i], __ATOMIC_RELAXED);
	}
}

static inline bool mcp_raced_equal(const char *raced, const char *own, size_t length) {
	size_t i = 0;
	while (i < length && __atomic_load_n(raced + i, __ATOMIC_RELAXED) == own[i]) {
		i++;
	}
	return i == length;
}

#else

static inline void mcp_raced_read(void *to, const void *from, size_t length) {
	memcpy(to, from, length);
}

static inline void mcp_raced_write(void *to, const void *from, size_t length) {
	memmove(to, from, length);
}

static inline bool mcp_raced_equal(const char *raced, const char *own, size_t length) {
	return mcp_words_equal(raced, own, length);
}

#endif

/* Half of the largest segment. The limit of an item with its key and head is half a segment. */
#define MCP_NEAR_ITEM_MAX 65536
/* Maximum number of process id namespaces. Unfinished writes of other namespaces are never taken over. */
#define MCP_NEAR_NAMESPACES 63

/* The bits of a segment's state from this bit on are the segment's number. */
#define MCP_NEAR_NUMBER_SHIFT 40

/* State of a segment, in a cache line. */
typedef struct mcp_near_segment {
	mcp_atomic_u64 state;    /* number, count of writes, and writer (0: none) */
	mcp_atomic_u64 until_ms; /* time from which all its items are invalid */
	mcp_atomic_u32 used;     /* bytes */
	uint32_t reserved[11];
} mcp_near_segment;

/* Locations of the parts. Plain data; threads may share it. */
typedef struct mcp_shm_cache {
	mcp_changes changes;
	mcp_atomic_u64 *namespaces; /* in shared memory; 0: free */
	mcp_atomic_u64 *buckets;
	uint32_t bucket_count;
	mcp_asked asked;
	/* in shared memory; position that circles over the segments to empty them */
	mcp_atomic_u32 *hand;
	mcp_atomic_u32 *open; /* in shared memory; the segments that get the next items */
	mcp_near_segment *segments;
	char *data;
	size_t data_size;
	size_t item_max; /* half a segment */
	uint32_t segment_count;
	uint32_t open_count;
	unsigned segment_bits; /* logarithm of a segment's bytes */
} mcp_shm_cache;

/* Lay out the cache in `memory`, which is borrowed, aligned to 64 bytes, and was zeroed when it was created. Returns
 * false if `memory` is too small. */
bool mcp_shm_cache_open(mcp_shm_cache *cache, void *memory, size_t size);

/* Facts of a fresh value's envelope, so that a reader does not decode the envelope. */
typedef struct mcp_near_facts {
	uint64_t created_ms, soft_ms, epoch;
	uint32_t compute_ms, election;
} mcp_near_facts;

/* An item with its metadata. */
typedef struct mcp_near_item {
	mcp_bytes key;       /* key as sent */
	uint64_t hash;       /* hash of key and pool */
	uint64_t whose;      /* the pool: servers and key distribution */
	uint64_t whose_else; /* second hash of the pool */
	uint64_t asked_ms;   /* monotonic time before the read */
	uint64_t until_ms;   /* monotonic time from which the item is invalid for every reader */
	bool is_wanted;      /* other callers wait for the item: keep it at the first offer */
	mcp_change_snapshot snapshot; /* change counters from before the read */
	mcp_near_facts facts;
	uint32_t flags;
	uint32_t payload_at; /* offset in `value`; at most its length */
	mcp_bytes value;
} mcp_near_item;

/* The writing process, so that other processes can take over its unfinished writes after it has exited. */
typedef struct mcp_near_writer {
	uint32_t pid;          /* 1 to MCP_NEAR_PID_MAX; otherwise nothing is kept */
	uint64_t namespace_id; /* namespace of the process id; 0: unknown */
	/* `pid` is in this namespace. False only if no more writes of that process are possible. */
	bool (*is_alive)(uint32_t pid);
} mcp_near_writer;

/* Linux's maximum (PID_MAX_LIMIT); other systems have less. */
#define MCP_NEAR_PID_MAX ((1u << 22) - 1)

/* Keep an item that is wanted, known or offered for the second time. Any other item is kept if it evicts no valid item,
 * and 1 in 8 is kept if it evicts only valid items that were not found before. Returns false if the item is not kept,
 * also because it is too large or other processes write to the segments. */
bool mcp_shm_cache_keep(const mcp_shm_cache *cache, const mcp_near_item *item,
	const mcp_near_writer *writer);

/* Location of an item, and state of its segment, only for mcp_near_place_copy. */
typedef struct mcp_near_place {
	const mcp_atomic_u64 *state;
	uint64_t seen;
	const char *value;
} mcp_near_place;

/* Find the item with this key, hash and pool, of any age. Fills in the item's other fields, except that `value` has
 * only a length. Nothing is valid until mcp_near_place_copy returns true. */
bool mcp_shm_cache_find(const mcp_shm_cache *cache, mcp_near_item *item, mcp_near_place *place);

/* Copy a part of the value, within its length. True if the part is from the same write as the found facts and the other
 * copied parts. False if the segment was emptied: treat this as a miss. */
static inline bool mcp_near_place_copy(const mcp_near_place *place, size_t from, size_t length,
	char *to) {
	mcp_raced_read(to, place->value + from, length);
	/* Check that the segment has not been emptied since its state was read. */
	atomic_thread_fence(memory_order_acquire);
	uint64_t state = atomic_load_explicit(place->state, memory_order_relaxed);
	return (state ^ place->seen) >> MCP_NEAR_NUMBER_SHIFT == 0;
}

#endif
