/* The versions that a key held, from one effect to the next, and how old what is shown of it may be. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_VERSIONS_H
#define PLAIN_VERSIONS_H

#include "patterns/cache/cache.h"
#include "plain/world.h"

enum { PLAIN_VERSIONS_MAX = 256 };

typedef struct plain_versions {
	unsigned count;
	struct {
		uint64_t hash; /* of the item; 0: nothing was there */
		uint64_t from_ms;
	} of[PLAIN_VERSIONS_MAX];
} plain_versions;

/* Says whether there is room for what one more operation makes, whatever comes late. */
static inline bool plain_versions_have_room(const plain_versions *versions) {
	return versions->count < PLAIN_VERSIONS_MAX - 32;
}

/* Notes what is there now, which begins. Returns its number. */
unsigned plain_versions_note(plain_versions *versions, plain_world *world, const mcp_key *key);
/* Notes a loss, unless it is what was noted last: an item that nobody wrote went by itself. */
void plain_versions_note_loss(plain_versions *versions, plain_world *world, const mcp_key *key);

/* Hashes the item that the entry shows; its bytes may be gone when the version is checked. */
uint64_t plain_versions_hash(const mcp_cache_entry *shown);

/* Checks by P1 that the newest version with the hash of what is shown ended no longer ago than `near_ms`, and by P2
 * that it is not older than `floor`, which the client's host had made when the read began. */
void plain_versions_check(const plain_versions *versions, plain_client *client, uint64_t shown,
	uint32_t near_ms, unsigned floor);

#endif
