/* A host's memory of items: slots that processes share without locks. Each slot holds one item as memcached had it, with
 * its key, whose it is, when it was asked for, and the change counters of before. A reader copies a slot and believes
 * the copy alone; whatever else writes to the memory, or died while it did, costs a miss.
 *
 * The memory is hostile: another process may have written anything into it. Where things lie follows from its size
 * alone, and what is read from it is checked in a copy. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_NEAR_ROOM_H
#define MCP_CORE_NEAR_ROOM_H

#include "bytes.h"
#include "changes.h"

#define MCP_NEAR_CLASSES 13
/* With its key and head an item takes at most the largest class. */
#define MCP_NEAR_SLOT_MAX 65536

/* Slots of one size; they are written in turn, so that the oldest goes. */
typedef struct mcp_near_class {
	char *slots;
	size_t size;
	uint32_t count;
	_Atomic uint32_t *cursor; /* in the memory */
} mcp_near_class;

/* Where things lie. Plain data, which threads may share. */
typedef struct mcp_near_room {
	mcp_changes changes;
	_Atomic uint64_t *buckets;
	uint64_t bucket_mask;
	unsigned class_count;
	mcp_near_class classes[MCP_NEAR_CLASSES];
} mcp_near_room;

/* `memory` is borrowed, begins on 64 bytes and was zeroed when it was new. False: too small. */
bool mcp_near_room_open(mcp_near_room *room, void *memory, size_t size);

/* An item and what is known of it. */
typedef struct mcp_near_item {
	mcp_bytes key;        /* as it is sent */
	uint64_t hash;        /* of it */
	uint64_t whose;       /* which servers it is of, and how it is placed on them */
	uint64_t whose_else;  /* the same by another hash */
	uint64_t asked_ms;    /* monotonic: before it was asked for */
	mcp_change_note note; /* of before it was asked for */
	uint32_t flags;
	mcp_bytes value;
} mcp_near_item;

/* Who writes: a process may take over what one that is gone had begun. */
typedef struct mcp_near_writer {
	uint32_t pid; /* not 0 */
	bool (*is_alive)(uint32_t pid);
} mcp_near_writer;

/* False: too large, or the slots whose turn it is are being written. */
bool mcp_near_room_keep(const mcp_near_room *room, const mcp_near_item *item,
	const mcp_near_writer *writer);

/* Looks for the item whose key, hash and owner are given, whatever its age and note: the rest is filled in. Its value
 * lies in `copy`, which has room for MCP_NEAR_SLOT_MAX bytes and begins on 8. */
bool mcp_near_room_find(const mcp_near_room *room, mcp_near_item *item, char *copy);

#endif
