/* The object cache: values that one Cache object has served, by key name. Values with objects or references are not
 * kept. It also contains the values that Cache::prefetch() has read for this request. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MEMO_H
#define MCP_PHP_CACHE_MEMO_H

#include "../../../patterns/cache/look/cache_near.h"

#include "php.h"

/* Limits for the number and the size of all values. If a new value does not fit, all values are dropped, because the
 * near cache is nearly as fast. */
#define MCP_MEMO_VALUES_MAX 256
#define MCP_MEMO_BYTES_MAX (1024 * 1024)
/* Maximum size of a kept value. */
#define MCP_MEMO_VALUE_BYTES_MAX (256 * 1024)

/* Limits for the prefetched values (P18). Further values are not kept. */
#define MCP_MEMO_AHEAD_MAX 1000
#define MCP_MEMO_AHEAD_BYTES_MAX (8 * 1024 * 1024)
/* Maximum age of a prefetched value of a Cache without `near`, in milliseconds (P11). */
#define MCP_MEMO_AHEAD_MS 3000

/* Number of slots of the index, a hash table with open addressing. It has twice as many slots as values, which keeps
 * probing short. */
#define MCP_MEMO_INDEX (2 * MCP_MEMO_VALUES_MAX)
#define MCP_MEMO_INDEX_BITS 9

/* Number of bits of a filter that notices the names that the near cache has served. A string is kept only when the
 * near cache serves it again, because an object reads most keys once. The filter is reset when a quarter of its bits
 * are set, so that few names collide. */
#define MCP_MEMO_NOTICED 2048
#define MCP_MEMO_NOTICED_BITS 11

/* The origin of a kept value. It is made before the decoding, while the entry's views are valid. */
typedef struct mcp_memo_origin {
	mcp_near_read near_read;
	mcp_near_facts facts;
	zend_string *tags; /* tag versions in the envelope's format; NULL: none */
} mcp_memo_origin;

typedef struct mcp_memo_value {
	zend_string *name;
	zval value; /* UNDEF: dropped, but the name keeps its place */
	size_t bytes;
	mcp_memo_origin of; /* owns a reference to the tags */
	bool is_ahead;      /* prefetched */
	bool is_encoded;    /* the value is a payload with these flags */
	uint32_t flags;
} mcp_memo_value;

typedef struct mcp_memo_table {
	uint16_t index[MCP_MEMO_INDEX]; /* 1 + index of a value; 0: free slot */
	mcp_memo_value values[];        /* MCP_MEMO_VALUES_MAX; none in the empty table */
} mcp_memo_table;

typedef struct mcp_memo {
	mcp_memo_table *table; /* a constant empty table until the first value */
	unsigned count;
	size_t bytes;
	/* context of near reads, which all calls of one user share, except for its buffer */
	mcp_near_host host;
	uint64_t ready_at;           /* php_mcp_user_changes_count when `host` was prepared; 0: never */
	const mcp_shm_cache *shared; /* the near cache, if it can be used */
	bool takes_strings;          /* strings can be taken directly from the near cache */
	bool is_for_prefetch;        /* the object has no `near`: only prefetched values are kept */
	HashTable *ahead;            /* name => prefetched value; NULL: none */
	size_t ahead_bytes;
	/* A bit for each name that was served before, and the number of set bits. */
	uint64_t noticed[MCP_MEMO_NOTICED / 64];
	unsigned noticed_count;
	struct mcp_memo *previous, *next; /* list of the object caches of this thread */
} mcp_memo;

/* Makes an object cache whose values are served up to this age. */
mcp_memo *php_mcp_cache_memo_create(uint32_t age_max_ms, bool is_for_prefetch);
void php_mcp_cache_memo_free(mcp_memo *memo);
/* Empties all object caches of this thread. */
void php_mcp_cache_memo_empty_all(void);

/* Names with consecutive numbers have consecutive hashes. A multiplication by the golden ratio spreads them. */
static zend_always_inline size_t php_mcp_cache_memo_spread(zend_ulong hash, unsigned bits) {
	return (size_t)((uint64_t)hash * MCP_GOLDEN_FACTOR >> (64 - bits));
}

/* Finds the slot of the name, or the free slot for it. */
static zend_always_inline uint16_t *php_mcp_cache_memo_place(mcp_memo *memo, zend_string *name) {
	zend_ulong hash = ZSTR_HASH(name);
	for (size_t at = php_mcp_cache_memo_spread(hash, MCP_MEMO_INDEX_BITS);; at++) {
		uint16_t *place = &memo->table->index[at % MCP_MEMO_INDEX];
		if (*place == 0) {
			return place;
		}
		const zend_string *other = memo->table->values[*place - 1].name;
		if (other == name || (ZSTR_H(other) == hash && zend_string_equal_content(other, name))) {
			return place;
		}
	}
}

/* Returns the kept value, or NULL. The caller must check whether the value is still valid, and drop it if not. */
static zend_always_inline mcp_memo_value *php_mcp_cache_memo_find(mcp_memo *memo,
	zend_string *name) {
	uint16_t number = *php_mcp_cache_memo_place(memo, name);
	mcp_memo_value *kept = number != 0 ? &memo->table->values[number - 1] : NULL;
	if (kept != NULL && !Z_ISUNDEF(kept->value)) {
		return kept;
	}
	return UNEXPECTED(memo->ahead != NULL) ? zend_hash_find_ptr(memo->ahead, name) : NULL;
}
void php_mcp_cache_memo_drop(mcp_memo *memo, mcp_memo_value *kept);

/* Notices the name. Returns true if the name was noticed before, or collides with a noticed name. */
static zend_always_inline bool php_mcp_cache_memo_notice(mcp_memo *memo, zend_string *name) {
	size_t at = php_mcp_cache_memo_spread(ZSTR_HASH(name), MCP_MEMO_NOTICED_BITS);
	uint64_t *word = &memo->noticed[at / 64];
	uint64_t bit = (uint64_t)1 << at % 64;
	if ((*word & bit) != 0) {
		return true;
	}
	if (UNEXPECTED(++memo->noticed_count > MCP_MEMO_NOTICED / 4)) {
		memset(memo->noticed, 0, sizeof(memo->noticed));
		memo->noticed_count = 1;
	}
	*word |= bit;
	return false;
}

/* Keeps a reference to the value if its type and size permit. */
void php_mcp_cache_memo_keep(mcp_memo *memo, zend_string *name, zval *value,
	const mcp_memo_origin *origin);

/* Keeps a copy of a prefetched payload if there is space for it. */
void php_mcp_cache_memo_keep_ahead(mcp_memo *memo, zend_string *name, mcp_bytes payload,
	uint32_t flags, const mcp_memo_origin *origin);
/* Replaces the prefetched payload with its decoded value, if the value's type and size permit. `value` NULL: the
 * payload cannot be decoded, and is dropped. Has no effect if the payload is no longer kept. */
void php_mcp_cache_memo_conclude(mcp_memo *memo, zend_string *name, const zend_string *payload,
	zval *value);
/* Drops prefetched values that are too old, to make space for others. */
void php_mcp_cache_memo_drop_old(mcp_memo *memo, uint64_t now_ms);

#endif
