/* The batches of the family "many", each write of which has an outcome of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_MANY_BATCHES_H
#define PLAIN_MANY_BATCHES_H

#include "patterns/cache/cache.h"
#include "plain/world.h"

enum { MANY_KEYS = 3 };

typedef struct many_batch {
	bool deletes;          /* else it sets */
	unsigned first, count; /* of the keys, in turn; of one it is no batch */
} many_batch;

/* Prepares a run. Borrowed: MANY_KEYS keys and what to call them. */
void many_batches_prepare(const mcp_key *keys, const char *const *names);
bool many_batches_have_room(void);
/* Sends it, and judges what its caller is told. The requests bear its number as their operation. */
void many_batches_send(plain_client *client, const mcp_cache *cache, const many_batch *batch);
/* Notes that one of its writes takes effect. */
void many_batches_note(plain_world *world, int number, unsigned key);

/* Makes a value with a number that no other has; `digits` keeps its payload. */
mcp_cache_value many_new_value(char *digits);
/* Returns that of the newest one. */
uint64_t many_last_number(void);

#endif
