/* The state of the family of guarded views, and what its clients do. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_GUARDED_H
#define PLAIN_GUARDED_H

#include "patterns/cache/guarded/cache_guarded.h"
#include "plain/families/families.h"

enum { GUARDED_CLIENTS = 3, GUARDED_KEYS = 2, GUARDED_SCRIPT_MAX = 6, GUARDED_VERSIONS_MAX = 48 };
enum { TTL_MS = 5000, LEASE_MS = 1000, WAIT_MS = 500, HOLDOFF_MS = 1500 };

typedef enum action {
	NOTHING,
	LOOK,   /* as get */
	HAS,    /* as has, which elects nobody */
	READ,   /* the database's row */
	CHANGE, /* the database's row */
	STORE,
	ADD,
	REPLACE,
	DELETE,
	REMOVE, /* as another process deletes */
	PULL,   /* as another process pulls */
	REMEMBER,
	EXPIRE,
	SPOIL,  /* as a client without envelopes sets */
	TAKE,   /* looks, and takes what it is shown for the row, as who changes a part of that does */
	TOUCH,  /* gives what is there a whole life */
	UPDATE, /* of what is there, to the same */
	LOOK_BOTH,
	STORE_BOTH,
} action;

typedef struct step {
	action action;
	unsigned key;
} step;

typedef struct guarded_row {
	mcp_key_buffer buffer;
	mcp_key key;
	unsigned version;                   /* the database's; 0 at first */
	bool is_told[GUARDED_VERSIONS_MAX]; /* a delete or store after this change was acknowledged */
	unsigned deleted;                   /* the database's version when the key was deleted last */
	uint64_t emptied_epoch;             /* of the mark that a value was emptied by; 0: none was */
	uint64_t refilled_ms;               /* when what has filled that was made */
} guarded_row;

/* A process's knowledge of one row. */
typedef struct knowledge {
	mcp_read_stamp note;
	bool has_looked, has_row;
	unsigned version;                       /* of the row that it has read, or made */
	unsigned changed[GUARDED_VERSIONS_MAX]; /* by it, and not told */
	unsigned changed_count;
} knowledge;

typedef struct guarded_state {
	guarded_row rows[GUARDED_KEYS];
	knowledge known[GUARDED_CLIENTS][GUARDED_KEYS];
	mcp_cache_statistics statistics;
	bool toggles;    /* a row has two contents in turn */
	bool differs;    /* no two processes make the same bytes of a row */
	unsigned budget; /* of faults, at the beginning */
} guarded_state;

extern guarded_state plain_guarded_state;

void plain_guarded_act(plain_client *client, step next);

/* Checks after a write has taken effect on a key's item. */
void plain_guarded_check_effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_reply *before);

/* Checks that a reader alone is shown the database's row, or fills the key with it. */
void plain_guarded_check_at_rest(plain_client *client, unsigned key);

#endif
