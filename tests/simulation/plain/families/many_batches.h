/* The batches of the family "many". Each write has its own outcome. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_MANY_BATCHES_H
#define PLAIN_MANY_BATCHES_H

#include "patterns/cache/cache.h"
#include "plain/world.h"

enum { MANY_KEYS = 3 };

typedef struct many_batch {
	bool deletes;          /* otherwise it sets */
	unsigned first, count; /* of the keys, cyclically; 1: not a batch */
} many_batch;

/* Prepares a run. Borrowed: MANY_KEYS keys and their names. */
void many_batches_prepare(const mcp_key *keys, const char *const *names);
bool many_batches_have_room(void);
/* Sends the batch and checks its results. The requests have its number as their operation. */
void many_batches_send(plain_client *client, const mcp_cache *cache, const many_batch *batch);
/* Records that one of its writes takes effect. */
void many_batches_note(plain_world *world, int number, unsigned key);

/* Returns a value with a new number. `digits` holds its payload. */
mcp_cache_value many_new_value(char *digits);
/* Returns the newest number. */
uint64_t many_last_number(void);

#endif
