/* A host's memory of items: slots that processes share without locks. Each slot holds one item as memcached had it, with
 * its key, whose it is, when it was asked for, and the change counters of before.
 *
 * A slot has one writer at a time, and a sequence number that changes when it begins and when it ends. A reader copies,
 * and believes the copy if the number was that of a slot at rest before, and is the same after: then it is of one
 * writing. That holds as long as no second one writes. So a slot that was left in the middle of a writing is taken
 * over only where its writer is known to be gone: one that is only stopped would go on some day, into what another has
 * written since. It is known by its process id, and by the namespace that the id is of: in another one it may be
 * nobody's, or somebody else's. Where that cannot be told, the slot is lost, until the memory is made anew.
 *
 * The memory is hostile: another process may have written anything into it. Where things lie follows from its size
 * alone, and lengths that are read from it are checked in a copy; what is in the copies may be anything. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_NEAR_SHM_CACHE_H
#define MCP_CORE_NEAR_SHM_CACHE_H

#include "../atomics.h"
#include "../bytes.h"
#include "../words.h"
#include "changes.h"

#include <stddef.h>
#include <string.h>

/* The hashes of what a host's memory of items was given lately: what is given for the second time is worth the place of another. Sets
 * of marks, in each the one that was noted last comes first, and the last one is forgotten. Processes note without
 * locks: where two do at once, one mark may be lost or stand twice, and a second time counts as a first. */

/* A line of the processor's cache. */
#define MCP_ASKED_WAYS 16

typedef struct mcp_asked {
	mcp_atomic_u32 *marks; /* in the memory; 0: none */
	uint32_t set_count;
} mcp_asked;

/* Takes the set by the lower half of the hash, and the mark by the upper one. */
static inline mcp_atomic_u32 *mcp_asked_set(const mcp_asked *asked, uint64_t hash) {
	uint64_t number = (hash & UINT32_MAX) * asked->set_count >> 32;
	return asked->marks + number * MCP_ASKED_WAYS;
}

/* Notes it, and says whether it was noted before, among the last ones. */
static inline bool mcp_asked_note(const mcp_asked *asked, uint64_t hash) {
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

/* Memory that others may write while it is read: what was read counts only if a number beside it tells afterwards that nobody has.
 * It is copied as any other, by the widest means that there are, though by the letter of C11 that is a data race. Built for
 * ThreadSanitizer it is copied by atomic bytes, so that what that reports is what no number guards. */

#ifdef __SANITIZE_THREAD__

static inline void mcp_raced_read(void *to, const void *from, size_t length) {
	for (size_t i = 0; i < length; i++) {
		((char *)to)[i] = __atomic_load_n((const char *)from + i, __ATOMIC_RELAXED);
	}
}

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
	memcpy(to, from, length);
}

static inline bool mcp_raced_equal(const char *raced, const char *own, size_t length) {
	return mcp_words_equal(raced, own, length);
}

#endif

#define MCP_NEAR_CLASSES 13
/* With its key and head an item takes at most the largest class. */
#define MCP_NEAR_SLOT_MAX 65536
/* So many namespaces of process ids are told apart; what a process of another one has begun is taken over by none. */
#define MCP_NEAR_NAMESPACES 63

/* Slots of one size. A hand goes around them, and the first that was not found since it came by last goes (the second chance of
 * F. J. Corbato's CLOCK, 1968). It goes for nothing that is given for the first time: that takes the place of what nobody has found, or
 * whose time is over, or none. */
typedef struct mcp_near_class {
	char *slots;
	size_t size;
	uint32_t count;
	mcp_atomic_u32 *cursor; /* the hand, in the memory */
} mcp_near_class;

/* Where things lie. Plain data, which threads may share. */
typedef struct mcp_shm_cache {
	mcp_changes changes;
	mcp_atomic_u64 *namespaces; /* in the memory; 0: free */
	mcp_atomic_u64 *buckets;
	uint64_t bucket_mask;
	mcp_asked asked;
	unsigned class_count;
	mcp_near_class classes[MCP_NEAR_CLASSES];
} mcp_shm_cache;

/* Lays the room out in `memory`, which is borrowed, begins on 64 bytes and was zeroed when it was new. False if
 * it is too small. */
bool mcp_shm_cache_open(mcp_shm_cache *room, void *memory, size_t size);

/* The facts in a fresh value's envelope, so that a reader need not decode it. */
typedef struct mcp_near_facts {
	uint64_t created_ms, soft_ms, epoch;
	uint32_t compute_ms, election;
} mcp_near_facts;

/* An item and what is known of it. */
typedef struct mcp_near_item {
	mcp_bytes key;       /* as it is sent */
	uint64_t hash;       /* of it, and of whose it is */
	uint64_t whose;      /* which servers it is of, and how it is placed on them */
	uint64_t whose_else; /* the same by another hash */
	uint64_t asked_ms;   /* monotonic: before it was asked for */
	uint64_t until_ms; /* monotonic: from then on it counts for none of those for whom it is kept */
	bool is_wanted;    /* others are known to ask for it, though it is given for the first time */
	mcp_change_note note; /* of before it was asked for */
	mcp_near_facts facts;
	uint32_t flags;
	uint32_t payload_at; /* where in `value`; at most its length */
	mcp_bytes value;
} mcp_near_item;

/* Who writes: a process may take over what one that is gone had begun. */
typedef struct mcp_near_writer {
	uint32_t pid;          /* 1 to MCP_NEAR_PID_MAX; with another one nothing is kept */
	uint64_t namespace_id; /* that the id is of; 0: unknown */
	/* Takes an id of this namespace. False only if none of that process's writes can come any more. */
	bool (*is_alive)(uint32_t pid);
} mcp_near_writer;

/* The most that Linux gives (PID_MAX_LIMIT); others give less. */
#define MCP_NEAR_PID_MAX ((1u << 22) - 1)

/* Keeps an item that is given for the second time, or wanted. One that is given for the first time is kept where it takes no place of what was
 * found or given more often, and still counts. False if it is not kept, if it is too large, or if the slots whose turn it is are
 * being written. */
bool mcp_shm_cache_keep(const mcp_shm_cache *room, const mcp_near_item *item,
	const mcp_near_writer *writer);

/* Where an item stands, and which writing of it. Good for mcp_near_place_copy alone. */
typedef struct mcp_near_place {
	const mcp_atomic_u64 *state;
	uint64_t seen;
	const char *value;
} mcp_near_place;

/* Looks for the item whose key, hash and owner are given, whatever its age and note: the rest is filled in, of the value
 * its length alone. None of it counts before mcp_near_place_copy has said so. */
bool mcp_shm_cache_find(const mcp_shm_cache *room, mcp_near_item *item, mcp_near_place *place);

/* Copies a part of the value. True if it is of the same writing as what was found, and as the other parts of the place.
 * False if the slot is being overwritten; then nothing was found. The part must lie within the length that was found. */
static inline bool mcp_near_place_copy(const mcp_near_place *place, size_t from, size_t length,
	char *to) {
	mcp_raced_read(to, place->value + from, length);
	/* No writing has begun since the one that was seen at rest. */
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(place->state, memory_order_relaxed) == place->seen;
}

/* A slot of a host's memory of items as it lies there, and what is read of it while it may be written. For shm_cache.c alone. */

typedef struct mcp_near_slot_lengths {
	uint32_t key;
	uint32_t value;
	uint32_t payload_at;
	uint32_t flags;
} mcp_near_slot_lengths;

typedef struct mcp_near_slot_head {
	uint64_t hash;
	uint64_t whose;
	uint64_t whose_else;
	uint64_t asked_ms;
	uint64_t until_ms;
	mcp_change_note note;
	mcp_near_facts facts;
	mcp_near_slot_lengths lengths;
} mcp_near_slot_head;

/* The key stands behind the head, and the value behind it from the next multiple of 8 on. Readers write nothing but the
 * standing. */
typedef struct mcp_near_slot {
	mcp_atomic_u64 state; /* its sequence: shm_cache.c has it */
	mcp_atomic_u64 standing;
	mcp_near_slot_head head;
} mcp_near_slot;

_Static_assert(sizeof(mcp_near_slot) % 8 == 0 && sizeof(mcp_near_slot) <= 128,
	"with a short key two lines");

#endif
