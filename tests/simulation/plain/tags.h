/* What the files of the family of tags share: what its clients do, and what was seen of it. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_TAGS_H
#define PLAIN_TAGS_H

#include "families.h"

#include "../../../src/patterns/cache_tags.h"

enum { VALUES_MAX = 64, CHANGES_MAX = 48, NUMBERS_MAX = 128, ROUNDS = 3, SCRIPT_MAX = 3 };
enum { TTL_MS = 3600000, LEASE_MS = 1000, WAIT_MS = 300, COMPUTE_MS = 50 };

/* What a client looks through; a bit for each tag that all of its values have. */
enum { PLAIN = 0, TAG_A = 1, TAG_B = 2, SCOPE = 4, TAGS = 3 };

typedef enum action {
	NOTHING,
	READ,
	REMEMBER,
	GET_SET, /* get, compute, set with the numbers of that look */
	SET,     /* with the numbers as of the call */
	ADD,
	LOOK,  /* notes the numbers, as a process does for what it stores next */
	STORE, /* with what is noted */
	UPDATE,
	TOUCH,
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

/* What a process has noted since it has stored a value. */
typedef struct looks {
	mcp_noted_tags noted;
	unsigned since[TAG_COUNT]; /* 0: not looked at */
} looks;

typedef struct change {
	unsigned began, ended; /* 0: not acknowledged */
	unsigned tag;
	bool is_strict;
} change;

typedef struct tags_state {
	mcp_key_buffer buffer, tag_buffers[3];
	mcp_key key, tags[3];
	char names[4][32];
	mcp_cache_tags views[8];
	mcp_cache_statistics statistics;
	unsigned moment, value_count, change_count, number_count;
	computed values[VALUES_MAX];
	change changes[CHANGES_MAX];
	looks looks[CLIENTS];
	uint64_t numbers[NUMBERS_MAX]; /* that a tag has begun with */
} tags_state;

extern tags_state plain_tags_state;

/* One step of a client's, with what must hold of it. */
void plain_tags_act(plain_client *client, step wanted);
/* Whether it was fresh already. */
bool plain_tags_remember(plain_client *client, unsigned through);

#endif
