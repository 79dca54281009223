/* The state of the family of guarded caches, and the actions of its clients. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_GUARDED_H
#define PLAIN_GUARDED_H

#include "patterns/cache/guarded/cache_guarded.h"
#include "plain/families/families.h"

enum { GUARDED_CLIENTS = 3, GUARDED_KEYS = 2, GUARDED_SCRIPT_MAX = 6, GUARDED_VERSIONS_MAX = 48 };
enum { TTL_MS = 5000, LEASE_MS = 1000, WAIT_MS = 500, HOLDOFF_MS = 1500 };

typedef enum action {
	NOTHING,
	LOOK,   /* get() */
	HAS,    /* has(), which elects no caller */
	READ,   /* a row of the database */
	CHANGE, /* a row of the database */
	STORE,
	ADD,
	REPLACE,
	DELETE,
	REMOVE, /* a delete by another process */
	PULL,   /* a pull by another process */
	REMEMBER,
	EXPIRE,
	SPOIL,  /* a set by a client without envelopes */
	TAKE,   /* reads, and uses the value as the row, like a caller that changes a part of it */
	TOUCH,  /* renews the lifetime */
	UPDATE, /* with the same value */
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
	unsigned version;                   /* of the database; 0 at first */
	bool is_told[GUARDED_VERSIONS_MAX]; /* a delete or store after this change was acknowledged */
	unsigned deleted;                   /* version of the database at the last delete of the key */
	uint64_t emptied_epoch;             /* of the mark that replaced a value; 0: none */
	uint64_t refilled_ms;               /* creation time of the value that replaced the mark */
} guarded_row;

/* A process's knowledge of a row. */
typedef struct knowledge {
	mcp_read_stamp note;
	bool has_looked, has_row;
	unsigned version;                       /* of the row that it has read or made */
	unsigned changed[GUARDED_VERSIONS_MAX]; /* by it, not announced yet */
	unsigned changed_count;
} knowledge;

typedef struct guarded_state {
	guarded_row rows[GUARDED_KEYS];
	knowledge known[GUARDED_CLIENTS][GUARDED_KEYS];
	mcp_cache_statistics statistics;
	bool toggles;    /* a row alternates between 2 contents */
	bool differs;    /* each process makes different bytes of a row */
	unsigned budget; /* of faults, at the beginning */
} guarded_state;

extern guarded_state plain_guarded_state;

void plain_guarded_act(plain_client *client, step next);

/* Call it after a write has taken effect on a key's item. */
void plain_guarded_check_effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before);

/* If no other client is active, a reader sees the database's row, or stores it. */
void plain_guarded_check_at_rest(plain_client *client, unsigned key);

#endif
