/* Shared parts of the family of tags: actions of its clients, and observations. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_TAGS_H
#define PLAIN_TAGS_H

#include "plain/families/families.h"

#include "patterns/cache/look/cache_near.h"
#include "patterns/cache/entry/cache_tags.h"

enum { VALUES_MAX = 64, CHANGES_MAX = 48, NUMBERS_MAX = 128, ROUNDS = 3, SCRIPT_MAX = 8 };
enum { TTL_MS = 3600000, LEASE_MS = 1000, WAIT_MS = 300, COMPUTE_MS = 50 };
enum { NEAR_MS = 100, PAUSE_MS = 75 };
/* A payload is the value's number times this, and its count of increments. */
enum { COUNTS = 1000 };

/* The steps of a change of the signing key (docs/operate/security.md), and lists without one. */
enum { NO_KEY, OLD, OLD_NEW, NEW_OLD, NEW, LISTS };
enum { KEYS = 2 };
/* If keys are changed, values expire soon, so that the last step happens. */
enum { SHORT_TTL_MS = 400 };

/* The views of a client: one bit per tag that all of a view's values have. */
enum { PLAIN = 0, TAG_A = 1, TAG_B = 2, SCOPE = 4, TAGS = 3 };

typedef enum action {
	NOTHING,
	PAUSE,   /* for most of the time that a near value is valid */
	OUTLIVE, /* until values from before a pause have expired, but not those from after two */
	READ,
	REMEMBER,
	GET_SET, /* get, compute, set with the tag versions of that read */
	SET,     /* with the tag versions of the call */
	ADD,
	RECALL, /* serves from the object cache if it is valid, otherwise reads */
	LOOK,   /* records the tag versions for the next store, like a process */
	STORE,  /* with the recorded versions */
	UPDATE,
	TOUCH,
	CHANGE_KEYS,
	INVALIDATE,
	INVALIDATE_STRICTLY,
	READ_MANY,
	INCREMENT,
	DELETE
} action;

typedef struct step {
	action action;
	unsigned through; /* or the tags to invalidate */
} step;

enum { TAG_COUNT = 3, CLIENTS = 3 };

/* A value that was computed. Its payload contains its number. */
typedef struct computed {
	unsigned began[TAG_COUNT]; /* for each tag */
	unsigned tags;
	/* acknowledged increments since its store was acknowledged, and the moment of the last one */
	bool is_stored;
	unsigned counted, counted_at;
} computed;

/* The reads of a process since it last stored a value. Its next value can come from its reads, up to the first
 * miss: from then on it computes. */
typedef struct looks {
	mcp_read_tags noted;
	bool computes;
	unsigned since[TAG_COUNT]; /* 0: not read */
} looks;

typedef struct change {
	unsigned began, ended; /* 0: not acknowledged */
	unsigned client;
	uint64_t ended_ms;
	unsigned tag;
	bool is_strict;
} change;

/* The process of a client. */
typedef struct tags_process {
	mcp_store *store; /* for the family with near caches; otherwise NULL */
	mcp_cache_statistics statistics;
	mcp_near_host host;
	mcp_near near;
	uint64_t near_hits, looked_ms; /* at the beginning of its operation */
	unsigned list;                 /* of signing keys */
	mcp_cache_tags view;           /* of its operation, with its own space for tag versions */
	uint64_t found[TAG_COUNT];
	mcp_guesses guesses;
	const computed *adding; /* the value that it adds; NULL: none */
	/* Its object cache: the value that it was shown through this view. */
	bool has_memo;
	unsigned memo_number, memo_through;
	mcp_near_read memo;
	mcp_captured_tags memo_tags;
} tags_process;

typedef struct tags_state {
	uint32_t ttl_ms;
	mcp_key_buffer buffer, tag_buffers[KEYS * TAG_COUNT];
	mcp_key key, tags[KEYS * TAG_COUNT]; /* under each of their names */
	unsigned name_count;
	char names[KEYS * TAG_COUNT][32];
	uint64_t fingerprints[LISTS][8][KEYS * TAG_COUNT]; /* per view */
	mcp_cache_tags views[LISTS][8];
	uint64_t all_know_new_ms; /* since when all sign by the new key */
	tags_process processes[CLIENTS];
	unsigned moment, value_count, change_count, number_count;
	computed values[VALUES_MAX];
	change changes[CHANGES_MAX];
	looks looks[CLIENTS];
	uint64_t numbers[NUMBERS_MAX]; /* initial versions of tags */
} tags_state;

extern tags_state plain_tags_state;

/* Gives each process a store and its host's near cache, all empty. */
void plain_tags_be_near(plain_world *world);

/* An add replaces no fresh value (C15). `before`: the item that this request of the key has replaced. */
void plain_tags_check_added(plain_world *world, unsigned client, const mcp_item *before);

/* Executes and checks a step of a client. */
void plain_tags_act(plain_client *client, step wanted);
/* Lets a client take the next step, if the other clients and the time permit. */
void plain_tags_change_keys(plain_client *client);
/* Returns the keys of a list, or NULL. */
const mcp_signing_keys *plain_tags_keys(unsigned list);
/* Returns true if the value was fresh already. */
bool plain_tags_remember(plain_client *client, unsigned through);

#endif
