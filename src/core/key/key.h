/* Turns what a user calls a key into what memcached is sent, so that any string is accepted, no two
 * different keys become one, and the classes' key spaces stay apart. See docs/spec/keys.md. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_KEY_KEY_H
#define MCP_CORE_KEY_KEY_H

#include "../bytes.h"
#include "../compiler.h"
#include "../words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* memcached's protocol.txt: a key is at most 250 bytes, without control characters or spaces. */
#define MCP_WIRE_KEY_MAX 250
/* The longest pool prefix. Whether a key is mapped must not depend on the prefix in use, because
 * the mapped key is what routes: so room for the longest one is always kept. */
#define MCP_PREFIX_MAX 64
/* Stands between the readable head of a mapped key and its 128-bit hash in 32 hex digits. */
#define MCP_KEY_MARK "~#"

/* Which class a key belongs to: each has its own head on the wire. */
typedef enum mcp_key_space {
	MCP_SPACE_CACHE,   /* no head: scope + name, exactly, unless it must be mapped */
	MCP_SPACE_COUNTER, /* no head: name, exactly, unless it must be mapped */
	MCP_SPACE_LOCK,    /* "lock:" */
	MCP_SPACE_ONLINE,  /* "online:" (the slot is appended by the caller of mcp_key_append) */
	MCP_SPACE_SEEN,    /* "seen:" */
	MCP_SPACE_TAG,     /* "tag:" */
	MCP_SPACE_MARK,    /* "mark:" */
	MCP_SPACE_LOG,     /* "log:"; of this one and those below, a number is appended by the caller */
	MCP_SPACE_SET,     /* "set:" */
	MCP_SPACE_ROW,     /* "row:" */
	MCP_SPACE_RATE,    /* "rate:" */
	MCP_SPACE_SEMAPHORE, /* "semaphore:" */
	MCP_SPACE_UNIQUE,    /* "unique:" */
	MCP_SPACE_SESSION, /* "sess:"; of this one, ":lock" is appended by the caller, so no name has a colon unmapped */
	MCP_SPACES, /* how many there are */
} mcp_key_space;

typedef struct mcp_key {
	mcp_bytes wire;  /* pool prefix + body: what is sent */
	mcp_bytes route; /* body alone: chooses the server (php-memcached hashes without prefix) */
	/* The fingerprint of pool prefix + head + scope + name as given, never of the mapping. 0 in a space where
	 * nothing asks for it: what is neither kept near nor waited for. */
	uint64_t fingerprint;
	bool is_safe; /* mcp_key_is_safe(wire) is known; false: it is to be asked */
	/* Its change gives something back that one of those who wait for it may take: of MCP_SPACE_LOCK and
	 * MCP_SPACE_SEMAPHORE, and a session's lock. No value of it is kept near. */
	bool is_for_one;
} mcp_key;

/* Owned by the caller, on its stack; the views of the key made in it live as long as it does. */
typedef struct mcp_key_buffer {
	char bytes[MCP_WIRE_KEY_MAX + 1];
} mcp_key_buffer;

/* The parts of a key. The scope is a Cache's own prefix (empty elsewhere), part of the key. */
typedef struct mcp_key_parts {
	mcp_key_space space;
	mcp_bytes prefix; /* the pool's; must satisfy mcp_key_prefix_is_valid */
	mcp_bytes scope;
	mcp_bytes name; /* any bytes; empty ones are refused by the caller */
} mcp_key_parts;

/* Makes a key and never fails: names that memcached would refuse keep a readable head and get the mark and a hash.
 * The second is for one of many, whose key is made where it stays. */
mcp_key mcp_key_make(mcp_key_buffer *buffer, const mcp_key_parts *parts);
void mcp_key_make_at(mcp_key *key, mcp_key_buffer *buffer, const mcp_key_parts *parts);

/* Makes the `_increment` key beside a main key: same route, so same server; fingerprint of the main key. All
 * its views are into `buffer`, which must not be the main key's. A key that would not fit (none that
 * mcp_key_make made) becomes one without bytes, which mcp_key_is_safe refuses. */
mcp_key mcp_key_side(mcp_key_buffer *buffer, const mcp_key *main);

/* Makes a key of `key`, ':' and a decimal number, routed by the whole of it: slots spread over servers. Always
 * fits for a key of the spaces whose keys a number is appended to; buffer and refusal as in mcp_key_side. */
mcp_key mcp_key_append(mcp_key_buffer *buffer, const mcp_key *key, uint64_t number);
/* Makes that key, but routed by `key`: all numbers on its server. */
mcp_key mcp_key_append_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t number);

/* Makes a key of `key` and these bytes behind it, routed as `key` is, so on the same server. Buffer and refusal
 * as in mcp_key_side. */
mcp_key mcp_key_beside(mcp_key_buffer *buffer, const mcp_key *key, mcp_bytes suffix);

/* Makes the key of the fence (patterns/lock/lock_fence.c) behind the prefix of `key`, one that the functions above have
 * made: "lock:", the mark and "fence", which is no lock's key, as the mark is followed by a hash there. Routed by itself:
 * one for all locks of a prefix. All its views are into `buffer`. */
mcp_key mcp_key_fence(mcp_key_buffer *buffer, const mcp_key *key);

/* A name as it stands before the ':' of a longer one, so that no two pairs of names are one string: itself, or,
 * when it has a ':' or the mark or is long, its readable part with '_' for ':', the mark and its hash. Answers
 * the length. */
#define MCP_KEY_FIRST_NAME_MAX 94
size_t mcp_key_write_first_name(char out[MCP_KEY_FIRST_NAME_MAX], mcp_key_space space,
	mcp_bytes name);
/* Returns the pool's prefix, with which a key that mcp_key_make made begins. */
static inline mcp_bytes mcp_key_prefix(const mcp_key *key) {
	return mcp_bytes_of(key->wire.data, key->wire.length - key->route.length);
}

/* Allows at most MCP_PREFIX_MAX bytes, none of them a control character or a space. */
bool mcp_key_prefix_is_valid(mcp_bytes prefix);
/* Finds the head that a prefix begins with: keys behind it would be those of that class. NULL if it begins with
 * none. */
const char *mcp_key_head_of(mcp_bytes prefix);

/* Takes the last look before the wire: 1 to 250 bytes, no byte <= 0x20, no 0x7f. */
bool mcp_key_is_safe(mcp_bytes wire);
/* Looks at a key's bytes unless its maker, as is mostly so, has looked already. */
static inline bool mcp_key_may_be_sent(const mcp_key *key) {
	return key->is_safe || mcp_key_is_safe(key->wire);
}

/* Writes 32 lower-case hex digits: the first 128 bits of SHA-256. Also used by McPatterns\Key. */
void mcp_key_hash_hex(char out[32], mcp_key_space space, mcp_bytes scope, mcp_bytes name);

/* The keys of tags' numbers. */

/* Makes the key of a tag's number on the server that `route` is for: "tag:" and the fingerprint in hex, which names the tag
 * (mcp_signature_name). Buffer and refusal as in mcp_key_side. */
mcp_key mcp_key_tag(mcp_key_buffer *buffer, mcp_bytes prefix, uint64_t fingerprint,
	mcp_bytes route);
/* Makes it for the server of a key that mcp_key_make made, behind its prefix. */
mcp_key mcp_key_tag_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t fingerprint);

#endif
