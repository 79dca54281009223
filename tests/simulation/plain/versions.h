/* The versions of a key, and the permitted age of shown ones. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_VERSIONS_H
#define PLAIN_VERSIONS_H

#include "patterns/cache/cache.h"
#include "plain/world.h"

enum { PLAIN_VERSIONS_MAX = 256 };

typedef struct plain_versions {
	unsigned count;
	struct {
		uint64_t hash; /* of the item; 0: missing */
		uint64_t from_ms;
	} of[PLAIN_VERSIONS_MAX];
} plain_versions;

/* True if there is space for one more operation and all late effects. */
static inline bool plain_versions_have_room(const plain_versions *versions) {
	return versions->count < PLAIN_VERSIONS_MAX - 32;
}

/* Records the current item as a new version. Returns its number. */
unsigned plain_versions_note(plain_versions *versions, plain_world *world, const mcp_key *key);
/* Records a loss, unless the current item was recorded last: it disappeared without a write. */
void plain_versions_note_loss(plain_versions *versions, plain_world *world, const mcp_key *key);

/* Hashes the shown item now, because its bytes can be gone when the version is checked. */
uint64_t plain_versions_hash(const mcp_cache_entry *shown);

/* The newest version with the shown hash ended at most `near_ms` ago (P1), and is not older than `floor`, the
 * version that the client's host had made at the beginning of the read (P2). */
void plain_versions_check(const plain_versions *versions, plain_client *client, uint64_t shown,
	uint32_t near_ms, unsigned floor);

#endif
