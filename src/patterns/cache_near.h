/* A value of this host's memory for one of memcached's: at most so much behind it, and never behind what this host has
 * changed. The rules are in docs/near.md under the names used here (P1, P2 ...). A near entry has no cas id, and takes
 * part in no election. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_NEAR_H
#define MCP_PATTERNS_CACHE_NEAR_H

#include "../core/near_room.h"
#include "cache.h"

/* What is noted before a key is asked for, or what was noted then of a value that was found near. */
typedef struct mcp_near_look {
	uint64_t hash;        /* finds the key's change counter */
	mcp_change_note note; /* P2: the value counts while this is so */
	uint64_t asked_ms;    /* P1: monotonic; the value's age begins here */
	bool may_be_kept;     /* the entry read with it is a value that may be answered again */
} mcp_near_look;

/* Of a call that may be answered near. Borrows what it points to. */
typedef struct mcp_near {
	const mcp_changes *changes;
	const mcp_near_room *room; /* NULL: only the caller's own memo */
	mcp_near_writer writer;
	uint64_t whose;      /* the pool: its servers and how keys are placed on them, ... */
	uint64_t whose_else; /* ... by two hashes */
	uint32_t age_max_ms;
	char *copy;         /* scratch, see mcp_near_room_find; a found entry's views lie in it */
	mcp_near_look look; /* of the call's last read of one key */
} mcp_near;

/* Whether what was noted then counts still (P1, P2). */
static inline bool mcp_near_look_counts(const mcp_changes *changes, uint32_t age_max_ms,
	const mcp_near_look *look, uint64_t now_ms) {
	return now_ms >= look->asked_ms && now_ms - look->asked_ms < age_max_ms &&
		mcp_change_notes_equal(look->note, mcp_changes_look(changes, look->hash));
}

/* Notes in *look what a value must be kept with that is asked for from now on. */
void mcp_cache_near_begin(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look);

/* The same, and looks the key up near. True: the
 * entry is a fresh value; nothing is counted, and *look is what was noted when that was asked for. */
bool mcp_cache_near_find(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	mcp_cache_entry *entry);

/* What memcached answered: kept near, if it is a value that may be (P3). */
void mcp_cache_near_keep(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	const mcp_cache_entry *entry);

/* Of a value found near: whether this caller is drawn to rebuild it early. Then memcached is asked, and if that value
 * stands there still, `drawn` makes it this caller's turn. */
bool mcp_cache_near_is_drawn(const mcp_cache *cache, const mcp_remember *remember,
	const mcp_cache_entry *entry, mcp_distrust *drawn);

/* Counts an answer that mcp_cache_near_find found. */
void mcp_cache_near_count(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry);

#endif
