/* A Cache's own memory of values that it has answered, for as long as they may be near: PHP values without objects and
 * references, by the key's name. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MEMO_H
#define MCP_PHP_CACHE_MEMO_H

#include "../../../patterns/cache/look/cache_near.h"

#include "php.h"

/* At most so many values, of so many bytes together; where one more has no room, all go: what is behind them, the host's
 * memory, is nearly as near. */
#define MCP_MEMO_VALUES_MAX 256
#define MCP_MEMO_BYTES_MAX (1024 * 1024)
/* A value of more is not kept. */
#define MCP_MEMO_VALUE_BYTES_MAX (256 * 1024)

/* Where a name's hash says, or the next free one: twice as many as values, so that one is soon free. */
#define MCP_MEMO_INDEX (2 * MCP_MEMO_VALUES_MAX)
#define MCP_MEMO_INDEX_BITS 9

/* The names noticed, of values found in the host's memory: one is worth a place in this memory when it is found there
 * again, as most keys are read once by an object. A quarter of so many names are noticed before all are forgotten, so
 * that few are taken for another. */
#define MCP_MEMO_NOTICED 2048
#define MCP_MEMO_NOTICED_BITS 11

/* The origin that a value is kept with; made before it is decoded, while its entry's views live. */
typedef struct mcp_memo_origin {
	mcp_near_look look;
	mcp_near_facts facts;
	zend_string *tags; /* as its envelope has them; NULL: none */
} mcp_memo_origin;

typedef struct mcp_memo_value {
	zend_string *name; /* a reference */
	zval value;        /* undefined: it was dropped, and the name keeps its place */
	size_t bytes;
	mcp_memo_origin of; /* its tags are a reference */
} mcp_memo_value;

typedef struct mcp_memo {
	uint16_t index[MCP_MEMO_INDEX]; /* the number of a value, from 1 on; 0: none */
	mcp_memo_value *values;         /* room for all; NULL until there is one */
	unsigned count;
	size_t bytes;
	mcp_near_host host;          /* but for its room the same for all calls of one user */
	uint64_t ready_at;           /* the php_mcp_user_changes_count that it was made at; 0: never */
	const mcp_shm_cache *shared; /* the host's memory, where it may be asked at all */
	bool takes_strings;          /* they may be taken out of it as they are */
	/* A bit for each name that was noticed, and how many of them there are. */
	uint64_t noticed[MCP_MEMO_NOTICED / 64];
	unsigned noticed_count;
	struct mcp_memo *previous, *next; /* the others of this thread */
} mcp_memo;

/* Makes one for values that may be so old. */
mcp_memo *php_mcp_memo_create(uint32_t age_max_ms);
void php_mcp_memo_free(mcp_memo *memo);
/* Drops what all of them keep. */
void php_mcp_memo_empty_all(void);

/* Names that are numbered have hashes in a row: multiplied by the golden ratio they are spread. */
static zend_always_inline size_t php_mcp_memo_spread(zend_ulong hash, unsigned bits) {
	return (size_t)((uint64_t)hash * 0x9E3779B97F4A7C15u >> (64 - bits));
}

/* Finds where the name's number is, or is to be. */
static zend_always_inline uint16_t *php_mcp_memo_place(mcp_memo *memo, zend_string *name) {
	zend_ulong hash = ZSTR_HASH(name);
	for (size_t at = php_mcp_memo_spread(hash, MCP_MEMO_INDEX_BITS);; at++) {
		uint16_t *place = &memo->index[at % MCP_MEMO_INDEX];
		if (*place == 0) {
			return place;
		}
		const zend_string *other = memo->values[*place - 1].name;
		if (other == name || (ZSTR_H(other) == hash && zend_string_equal_content(other, name))) {
			return place;
		}
	}
}

/* NULL if there is none. Whether it counts is for the caller to judge, who then drops what does not. */
static zend_always_inline mcp_memo_value *php_mcp_memo_find(mcp_memo *memo, zend_string *name) {
	uint16_t number = *php_mcp_memo_place(memo, name);
	mcp_memo_value *kept = number != 0 ? &memo->values[number - 1] : NULL;
	return kept != NULL && !Z_ISUNDEF(kept->value) ? kept : NULL;
}
void php_mcp_memo_drop(mcp_memo *memo, mcp_memo_value *kept);

/* Notices the name. True if it was noticed before, or is taken for one that was. */
static zend_always_inline bool php_mcp_memo_notice(mcp_memo *memo, zend_string *name) {
	size_t at = php_mcp_memo_spread(ZSTR_HASH(name), MCP_MEMO_NOTICED_BITS);
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

/* Keeps a reference to the value, if it is of a kind and size that may be kept. */
void php_mcp_memo_keep(mcp_memo *memo, zend_string *name, zval *value,
	const mcp_memo_origin *origin);

#endif
