/* A slot of a host's memory of items as it lies there, and what is read of it while it may be written. For shm_cache.c alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_NEAR_SLOT_H
#define MCP_CORE_NEAR_SLOT_H

#include "shm_cache.h"

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

/* The standing of a slot's item, by which it is decided which one goes. */
enum {
	MCP_NEAR_NEW = 0,   /* was given once, and not found since */
	MCP_NEAR_FOUND = 1, /* since the hand came by */
	MCP_NEAR_KNOWN = 2, /* was found before that, or given more than once */
};

/* The key stands behind the head, and the value behind it from the next multiple of 8 on. Readers write nothing but the
 * standing. */
typedef struct mcp_near_slot {
	mcp_atomic_u64 state; /* its sequence: shm_cache.c has it */
	mcp_atomic_u64 standing;
	mcp_near_slot_head head;
} mcp_near_slot;

_Static_assert(sizeof(mcp_near_slot) % 8 == 0 && sizeof(mcp_near_slot) <= 128,
	"with a short key two lines");

/* Reads while it may be written: which one goes is all that depends on it. */
static inline uint64_t mcp_near_peek(const uint64_t *at) {
	return atomic_load_explicit((const mcp_atomic_u64 *)(const void *)at, memory_order_relaxed);
}

static inline uint64_t mcp_near_standing(const mcp_near_slot *slot) {
	return atomic_load_explicit(&slot->standing, memory_order_relaxed);
}

static inline void mcp_near_set_standing(mcp_near_slot *slot, uint64_t standing) {
	atomic_store_explicit(&slot->standing, standing, memory_order_relaxed);
}

/* Says whether its item counts still, for any of those for whom it was kept, when another is given. */
static inline bool mcp_near_slot_counts(const mcp_near_slot *slot, const mcp_near_item *given) {
	return given->asked_ms < mcp_near_peek(&slot->head.until_ms);
}

/* Says how dear its item is: 0 if it counts no longer, and from MCP_NEAR_DEAR on if it was found or given more than once. */
#define MCP_NEAR_DEAR ((uint64_t)1 << 63)
static inline uint64_t mcp_near_slot_worth(const mcp_near_slot *slot, const mcp_near_item *given) {
	if (!mcp_near_slot_counts(slot, given)) {
		return 0;
	}
	uint64_t is_dear = mcp_near_standing(slot) != MCP_NEAR_NEW ? MCP_NEAR_DEAR : 0;
	return is_dear | (mcp_near_peek(&slot->head.asked_ms) & (MCP_NEAR_DEAR - 1));
}

/* Says whether the item in it, of whichever time, is this one. The key that was given has room in the slot. */
static inline bool mcp_near_slot_holds(const mcp_near_slot *slot, const mcp_near_item *given) {
	const mcp_near_slot_head *head = &slot->head;
	uint32_t key_length;
	mcp_raced_read(&key_length, &head->lengths.key, sizeof(key_length));
	return mcp_near_peek(&head->hash) == given->hash &&
		mcp_near_peek(&head->whose) == given->whose &&
		mcp_near_peek(&head->whose_else) == given->whose_else && key_length == given->key.length &&
		mcp_raced_equal((const char *)(slot + 1), given->key.data, given->key.length);
}

#endif
