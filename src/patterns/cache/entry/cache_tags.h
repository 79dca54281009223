/* Tags: a value is fresh only while the numbers of its tags are what they were before it was computed, so that one
 * increment invalidates every value of a tag. The rules are in docs/spec/tags.md under the names used here (T1, T2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENTRY_CACHE_TAGS_H
#define MCP_PATTERNS_CACHE_ENTRY_CACHE_TAGS_H

#include "../cache.h"

#include <stdlib.h>

/* The result that a look has given its caller, who may have begun to compute unless it was a value. */
typedef enum mcp_look_gave {
	MCP_LOOK_GAVE_A_VALUE, /* be it an old one */
	MCP_LOOK_GAVE_NOTHING, /* this caller was elected, too: it computes anew, from nothing that it read before */
	MCP_LOOK_GAVE_NO_WORD, /* on the value itself: what its caller read before may still be what it stores */
} mcp_look_gave;

/* Captures what the look found that led to the entry; all of it is known if that ended as ELECTED. Sends nothing. */
void mcp_cache_capture(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured);

/* Captures for an update of what the entry shows: the value's other tags stay with it, as it has them, and with the key that
 * names them: the update is signed by that, and ends no later than the value (T9). False if all together are too many, and none may be left out, or invalidating it would not reach the value (T1); then *captured
 * means nothing. */
bool mcp_cache_capture_kept(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured);

/* Captures after a look whose caller may compute though it was not elected: sends what is absent once. A number
 * that is not acknowledged stays unknown, and so does everything after a look without an answer. Reads nothing. */
void mcp_cache_capture_look(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	mcp_captured_tags *captured);

/* Captures for one of many that have been read. Numbers sent for it are not sent for those behind it on the
 * same server. */
void mcp_cache_capture_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index,
	mcp_captured_tags *captured);

/* Adds by T7 a later look's numbers to those that are noted. Where the tag has one, that stays, as what is stored
 * next may have been computed as early as then, unless this is the first of all these looks that gave nothing. An
 * unknown one becomes one that no value is valid by, and so does each for which there is no room. `held`: the numbers
 * of the claim that is held on the key, which no look outdoes; NULL: none is; of several claims, no numbers. */
void mcp_cache_note_tags(mcp_read_tags *noted, mcp_bytes later, mcp_look_gave gave,
	const mcp_read_tags *held);
/* Has noted numbers count from the caller's own invalidation on: that of the tag becomes what it has left for it. Where it has
 * left none, the noted one stays, which nothing is valid by. */
void mcp_cache_note_left(char *numbers, size_t length, mcp_tag left);
/* Returns what a look that led to the entry has given a caller that asked for the value. */
mcp_look_gave mcp_cache_look_gave(const mcp_cache_entry *entry);

/* Captures, from what was captured or noted earlier, under a claim or by looks, what the cache has too; the rest as
 * of this call. Ends views where anything is left to read. */
mcp_status mcp_cache_capture_of(const mcp_cache *cache, const mcp_key *key, mcp_bytes other,
	mcp_captured_tags *captured);

/* Makes what the look found absent, before a caller computes that was not elected. Needs no round trip if nothing
 * was; otherwise it reads, and ends views. A failure: it is not to be had, and nothing may be stored with it. */
mcp_status mcp_cache_complete_capture(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured);

/* Captures the numbers as of this call, complete. One round trip, and one for each that is absent; ends views. None
 * if the cache has no tags. */
mcp_status mcp_cache_capture_now(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured);

/* Hears which number an invalidation has left for a tag on a server; 0: the tag is not there. */
typedef void (*mcp_tag_hearer)(const mcp_store *server, mcp_tag left);

/* Invalidates by T1 and T2 all values of these tags, by all of their names (T9). MCP_OK when every server has been told, else the first
 * failure; the others are told all the same. Strict: nothing old is served. `hear`: called for each name on each server that
 * has answered; NULL: nobody wants to know. One round trip per server and name; where the
 * store sends many in one go, per server and 16 names. */
mcp_status mcp_cache_invalidate(const mcp_cache *cache, mcp_bytes prefix,
	const mcp_cache_tags *tags, bool is_strict, mcp_tag_hearer hear);

/* Returns the number that an answer holds: 0 if the tag is absent, or the answer did not come. */
uint64_t mcp_cache_tag_number(const mcp_reply *reply);

/* Room for a multi-get of a key and its tags: for a few in itself, for more taken from malloc. */
#define MCP_CACHE_TAGS_FEW 36
typedef struct mcp_cache_tag_room {
	void *memory;
	mcp_key *keys;
	mcp_reply *replies;
	mcp_key_buffer *buffers;
	mcp_key few_keys[MCP_CACHE_TAGS_FEW];
	mcp_reply few_replies[MCP_CACHE_TAGS_FEW];
	mcp_key_buffer few_buffers[MCP_CACHE_TAGS_FEW];
} mcp_cache_tag_room;
bool mcp_cache_tag_room_take_memory(mcp_cache_tag_room *room, size_t count);
/* False if there is no memory; it is given back all the same. */
static inline bool mcp_cache_tag_room_take(mcp_cache_tag_room *room, size_t count) {
	room->memory = NULL;
	room->keys = room->few_keys;
	room->replies = room->few_replies;
	room->buffers = room->few_buffers;
	return count <= MCP_CACHE_TAGS_FEW || mcp_cache_tag_room_take_memory(room, count);
}
static inline void mcp_cache_tag_room_give_back(mcp_cache_tag_room *room) {
	if (room->memory != NULL) {
		free(room->memory);
	}
}

/* --- for those who are elected, or compute without an election --- */

/* Makes those of the cache's tags that are not there. MCP_OK: the entry's numbers are what is to be stored with the
 * result. MCP_EXISTS: others make them too, or an answer did not come; look again, and never believe the number that
 * was sent. Reads nothing. */
mcp_status mcp_cache_make_tags(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);
/* Says whether there is nothing to make. */
bool mcp_cache_knows_tags(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Whether a value that was read holds by the numbers of its tags, is old, or is none (T1, T2, T6). The rules are in
 * docs/spec/tags.md. */

/* A tag's number as it was found. */
typedef struct mcp_cache_tag_found {
	mcp_status status;
	uint64_t number;
	uint64_t changes; /* its change counter of before it was asked for; 0: nothing is near */
} mcp_cache_tag_found;

/* Says whether the entry's value has all tags of the cache under their first names; their numbers are then as the value has them, in the cache's
 * room. */
bool mcp_cache_bears_tags(const mcp_cache *cache, mcp_cache_entry *entry);

/* Looks one up among what was asked for; NULL: it was not. */
typedef const mcp_cache_tag_found *(*mcp_cache_tag_finder)(const void *context,
	uint64_t fingerprint);

/* Judges the entry by what was found. `numbers` is room for those of the cache's tags, if it has any. False if a tag that it
 * has to have, or has, was not asked for. */
bool mcp_cache_judge_tags(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context);

#endif
