/* Converts names to memcached keys. Any string is accepted, distinct names never collide, and the key spaces of the
 * classes are separate. See docs/spec/keys.md. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_KEY_KEY_H
#define MCP_CORE_KEY_KEY_H

#include "../bytes.h"
#include "../compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* memcached's protocol.txt: a key is at most 250 bytes, without control characters or spaces. */
#define MCP_WIRE_KEY_MAX 250
/* Maximum length of a pool prefix. Space for it is always reserved, so that the mapping of a key does not
 * depend on the prefix: the mapped key determines the server. */
#define MCP_PREFIX_MAX 64
/* Separator between the readable part of a mapped key and its 128-bit hash in hex digits. */
#define MCP_KEY_MARK "~#"
#define MCP_KEY_HASH_LENGTH 32
/* Maximum length of the readable part. */
#define MCP_KEY_READABLE_MAX 60

/* The class of a key. Each class has its own head in the memcached key. */
typedef enum mcp_key_space {
	MCP_SPACE_CACHE,     /* no head: scope + name, unless it must be mapped */
	MCP_SPACE_COUNTER,   /* no head: name, unless it must be mapped */
	MCP_SPACE_LOCK,      /* "lock:" */
	MCP_SPACE_ONLINE,    /* "online:" (the caller appends the slot with mcp_key_append) */
	MCP_SPACE_SEEN,      /* "seen:" */
	MCP_SPACE_TAG,       /* "tag:" */
	MCP_SPACE_MARK,      /* "mark:" */
	MCP_SPACE_LOG,       /* "log:"; to this and the following keys, the caller appends a number */
	MCP_SPACE_SET,       /* "set:" */
	MCP_SPACE_ROW,       /* "row:" */
	MCP_SPACE_RATE,      /* "rate:" */
	MCP_SPACE_SEMAPHORE, /* "semaphore:" */
	MCP_SPACE_UNIQUE,    /* "unique:" */
	MCP_SPACE_SESSION,   /* "sess:"; the caller appends ":lock", so a name with a colon is mapped */
	MCP_SPACES,          /* number of spaces */
} mcp_key_space;

typedef struct mcp_key {
	mcp_bytes wire; /* pool prefix + body, as sent */
	/* body only: determines the server (php-memcached hashes without the prefix) */
	mcp_bytes route;
	/* Fingerprint of pool prefix + head + scope + name before mapping. It identifies the key's change counter and
	 * wake-up. Keys with the same bytes share a fingerprint, such as a Counter's and a Cache's. A derived key has the
	 * fingerprint of its main key. 0 in spaces whose keys are neither kept in the near cache nor waited for. */
	uint64_t fingerprint;
	bool is_safe; /* mcp_key_is_safe(wire) is known to be true; false: unknown */
	/* A change of the key releases an item that only one waiter can take: MCP_SPACE_LOCK,
	 * MCP_SPACE_SEMAPHORE, and a session's lock. Never in the near cache. */
	bool is_for_one;
} mcp_key;

/* Memory of a key's bytes, on the caller's stack. The key has views into this buffer. */
typedef struct mcp_key_buffer {
	char bytes[MCP_WIRE_KEY_MAX + 1];
} mcp_key_buffer;

/* Parts of a key. The scope is a Cache's own prefix, otherwise empty. */
typedef struct mcp_key_parts {
	mcp_key_space space;
	mcp_bytes prefix; /* prefix of the pool; must satisfy mcp_key_prefix_is_valid */
	mcp_bytes scope;
	mcp_bytes name; /* any bytes; the caller rejects an empty name */
} mcp_key_parts;

/* Make a key; never fails. Names that memcached would reject keep a readable part, followed by MCP_KEY_MARK
 * ("~#") and a hash. The second form makes the key in place. */
mcp_key mcp_key_make(mcp_key_buffer *buffer, const mcp_key_parts *parts);
void mcp_key_make_at(mcp_key *key, mcp_key_buffer *buffer, const mcp_key_parts *parts);

/* Make the `_increment` side key of the running number, with the route, the server and the fingerprint of the main key.
 * `buffer` must not be the buffer of the main key. A key that does not fit becomes empty, which mcp_key_is_safe
 * rejects. Keys from mcp_key_make always fit. */
mcp_key mcp_key_side(mcp_key_buffer *buffer, const mcp_key *main);

/* Append ':' and a decimal number. The whole key is the route, so that slots are distributed over servers. Always fits
 * in spaces with appended numbers. Buffer and failure as in mcp_key_side. */
mcp_key mcp_key_append(mcp_key_buffer *buffer, const mcp_key *key, uint64_t number);
/* Like mcp_key_append, but routed like `key`: all numbered keys are on the server of `key`. */
mcp_key mcp_key_append_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t number);

/* Append bytes to `key`, routed like `key` to the same server. Buffer and failure as in mcp_key_side. */
mcp_key mcp_key_beside(mcp_key_buffer *buffer, const mcp_key *key, mcp_bytes suffix);

/* Make the fence's key (patterns/lock/lock.c) with the prefix of `key`: "lock:", "~#" and "fence". No lock has this
 * key, because a hash follows "~#" in keys of locks. The key is its own route: all locks of a prefix share one
 * fence. */
mcp_key mcp_key_fence(mcp_key_buffer *buffer, const mcp_key *key);

/* Write a name that precedes the ':' of a longer name, so that no two pairs of names give the same string. The result
 * is the name itself, unless the name is long or contains ':' or "~#". The result is then a readable part with '_' for
 * ':', "~#" and a hash. Returns the length. */
#define MCP_KEY_FIRST_NAME_MAX 94
size_t mcp_key_write_first_name(char out[MCP_KEY_FIRST_NAME_MAX], mcp_key_space space,
	mcp_bytes name);
bool mcp_key_has_mapping_prefix(mcp_bytes bytes);
/* The pool prefix of a key from mcp_key_make. */
static inline mcp_bytes mcp_key_prefix(const mcp_key *key) {
	return mcp_bytes_of(key->wire.data, key->wire.length - key->route.length);
}

/* At most MCP_PREFIX_MAX bytes, without control characters and spaces. */
bool mcp_key_prefix_is_valid(mcp_bytes prefix);
/* The head with which `prefix` begins. Keys with this prefix would belong to the head's class. NULL: none. */
const char *mcp_key_head_of(mcp_bytes prefix);

/* Final check before sending: 1 to 250 bytes, no byte <= 0x20, no 0x7f. */
bool mcp_key_is_safe(mcp_bytes wire);
/* Check the key's bytes, unless its maker has already checked them. */
static inline bool mcp_key_may_be_sent(const mcp_key *key) {
	return key->is_safe || mcp_key_is_safe(key->wire);
}

/* Write 32 lower-case hex digits: the first 128 bits of SHA-256. Also used by Counter, OnlineCounter and the report of
 * key drift. */
void mcp_key_hash_hex(char out[MCP_KEY_HASH_LENGTH], mcp_key_space space, mcp_bytes scope,
	mcp_bytes name);

/* Keys of tag versions. */

/* Make the key of a tag version on the server of `route`: "tag:" and the fingerprint in hex, which
 * identifies the tag (mcp_signature_name). Buffer and failure as in mcp_key_side. */
mcp_key mcp_key_tag(mcp_key_buffer *buffer, mcp_bytes prefix, uint64_t fingerprint,
	mcp_bytes route);
/* Like mcp_key_tag, on the server of a key from mcp_key_make and with this key's prefix. Only hex digits are appended,
 * so the tag's key is safe if `key` is. */
static inline mcp_key mcp_key_tag_beside(mcp_key_buffer *buffer, const mcp_key *key,
	uint64_t fingerprint) {
	mcp_key tag = mcp_key_tag(buffer, mcp_key_prefix(key), fingerprint, key->route);
	tag.is_safe = key->is_safe && tag.wire.length > 0;
	return tag;
}

#endif
