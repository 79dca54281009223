/* The common part of the files of the family of tags: what its clients do, and what was seen of it. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_TAGS_H
#define PLAIN_TAGS_H

#include "plain/families/families.h"

#include "patterns/cache/look/cache_near.h"
#include "patterns/cache/entry/cache_tags.h"

enum { VALUES_MAX = 64, CHANGES_MAX = 48, NUMBERS_MAX = 128, ROUNDS = 3, SCRIPT_MAX = 4 };
enum { TTL_MS = 3600000, LEASE_MS = 1000, WAIT_MS = 300, COMPUTE_MS = 50 };
enum { NEAR_MS = 100, PAUSE_MS = 75 };

/* The steps by which a signing key is changed (docs/operate/security.md), and lists without one. */
enum { NO_KEY, OLD, OLD_NEW, NEW_OLD, NEW, LISTS };
enum { KEYS = 2 };
/* Of the family where keys are changed: what is stored is over soon, so that the last step comes. */
enum { SHORT_TTL_MS = 400 };

/* The views that a client looks through; a bit for each tag that all of its values have. */
enum { PLAIN = 0, TAG_A = 1, TAG_B = 2, SCOPE = 4, TAGS = 3 };

typedef enum action {
	NOTHING,
	PAUSE, /* for most of the time that what is near counts */
	READ,
	REMEMBER,
	GET_SET, /* get, compute, set with the numbers of that look */
	SET,     /* with the numbers as of the call */
	ADD,
	RECALL, /* as a memo is believed; without one it reads */
	LOOK,   /* notes the numbers, as a process does for what it stores next */
	STORE,  /* with what is noted */
	UPDATE,
	TOUCH,
	CHANGE_KEYS,
	INVALIDATE,
	INVALIDATE_STRICTLY,
	ACTIONS
} action;

typedef struct step {
	action action;
	unsigned through; /* or what to invalidate */
} step;

enum { TAG_COUNT = 3, CLIENTS = 3 };

/* Names it in its payload. */
typedef struct computed {
	unsigned began[TAG_COUNT]; /* as far as each tag is concerned */
	unsigned tags;
} computed;

/* The looks that a process has noted since it has stored a value. The value that it stores next it may have from its
 * looks, up to the first one that gave it nothing: from then on it computes. */
typedef struct looks {
	mcp_read_tags noted;
	bool computes;
	unsigned since[TAG_COUNT]; /* 0: not looked at */
} looks;

typedef struct change {
	unsigned began, ended; /* 0: not acknowledged */
	unsigned client;
	uint64_t ended_ms;
	unsigned tag;
	bool is_strict;
} change;

/* A client's process, where values are near. */
typedef struct tags_process {
	mcp_store *store; /* of the family whose values are near; else NULL */
	mcp_cache_statistics statistics;
	mcp_near_host host;
	mcp_near near;
	uint64_t near_hits, looked_ms; /* as its operation began */
	unsigned list;                 /* its signing keys */
	mcp_cache_tags view; /* of its operation, with room of its own for what a look finds */
	uint64_t found[TAG_COUNT];
	/* Its memo of the value that it was shown through this view. */
	bool has_memo;
	unsigned memo_number, memo_through;
	mcp_near_look memo;
	mcp_captured_tags memo_tags;
} tags_process;

typedef struct tags_state {
	uint32_t ttl_ms;
	mcp_key_buffer buffer, tag_buffers[KEYS * TAG_COUNT];
	mcp_key key, tags[KEYS * TAG_COUNT]; /* under each of their names */
	unsigned name_count;
	char names[KEYS * TAG_COUNT][32];
	uint64_t fingerprints[LISTS][8][KEYS * TAG_COUNT]; /* of each view */
	mcp_cache_tags views[LISTS][8];
	uint64_t all_know_new_ms; /* since when all sign by the new key */
	tags_process processes[CLIENTS];
	unsigned moment, value_count, change_count, number_count;
	computed values[VALUES_MAX];
	change changes[CHANGES_MAX];
	looks looks[CLIENTS];
	uint64_t numbers[NUMBERS_MAX]; /* that a tag has begun with */
} tags_state;

extern tags_state plain_tags_state;

/* Gives each process its way to the server and to its host's memory, all of it empty. */
void plain_tags_be_near(plain_world *world);

/* Does one step of a client's, with what must hold of it. */
void plain_tags_act(plain_client *client, step wanted);
/* Has a client take the next step, if the others and time let it. */
void plain_tags_change_keys(plain_client *client);
/* Returns the keys of a list; NULL: none. */
const mcp_signing_keys *plain_tags_keys(unsigned list);
/* Says whether it was fresh already. */
bool plain_tags_remember(plain_client *client, unsigned through);

#endif
