/* A store call as sent over the wire. It owns its bytes, because it can arrive after its caller has given up. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_REQUEST_H
#define SIM_REQUEST_H

#include "store/store.h"

enum { SIM_NAME_MAX = 128, SIM_BYTES_MAX = 512 };

typedef enum sim_fault_kind {
	SIM_SOUND,
	/* of one call of one client: of all, */
	SIM_LOSE_REQUEST,
	SIM_LOSE_REPLY,
	SIM_DELAY_REQUEST, /* beyond the timeout: no reply, and a late effect */
	SIM_REFUSE,        /* nothing was sent, and the client knows */
	SIM_STOP_AFTER,    /* the process stops before it sees the reply */
	SIM_KILL_BEFORE,
	SIM_KILL_AFTER, /* the effect happened */
	SIM_NO_MEMORY,  /* the server replies that it has no memory */
	/* and of caches only */
	SIM_DELAY_REPLY,
	SIM_STOP_BEFORE, /* the process stops for a while */
	SIM_KILL_LATE,   /* the effect is still in progress */
	/* at a time */
	SIM_EVICT,
	SIM_FLUSH,
	SIM_RESTART, /* loses all items and connections */
	SIM_DOWN,    /* refuses everything, and recovers with its items */
	SIM_FREEZE,
	SIM_CUT, /* down for one client only */
	SIM_MOVE_CLOCK,
	SIM_GARBLE, /* another program writes the key */
	SIM_PLAIN,  /* a client without envelopes writes the key (C19) */
	SIM_FULL,   /* has no memory for stores */
} sim_fault_kind;

static inline bool sim_fault_is_timed(sim_fault_kind kind) {
	return kind >= SIM_EVICT;
}

typedef struct sim_request {
	mcp_op_verb verb; /* MCP_OP_PING: asks for the server's start */
	uint8_t client;
	uint8_t server;  /* the destination */
	uint8_t item;    /* caches: its number */
	uint8_t process; /* caches: of the client */
	bool is_late;    /* the client has given up */
	int operation;   /* the client's operation that sent it; -1: none */
	uint32_t serial; /* number of the client's calls, this one included */
	uint32_t flags;
	uint64_t cas, amount, ttl_ms;
	uint64_t due_ms;    /* caches: when it arrives late */
	uint64_t looked_ms; /* caches: wall clock of the client at its previous read of the key */
	uint16_t name_length, length;
	char name[SIM_NAME_MAX], bytes[SIM_BYTES_MAX];
} sim_request;

static inline bool sim_verb_is_read(mcp_op_verb verb) {
	return verb >= MCP_OP_GET;
}

static inline bool sim_verb_counts(mcp_op_verb verb) {
	return verb == MCP_OP_INCREMENT || verb == MCP_OP_DECREMENT;
}

const char *sim_verb_name(mcp_op_verb verb);
const char *sim_fault_name(sim_fault_kind kind);

void sim_request_name(sim_request *request, mcp_bytes name);

static inline mcp_bytes sim_request_value(const sim_request *request) {
	return mcp_bytes_of(request->bytes, request->length);
}

static inline mcp_key sim_request_key(const sim_request *request) {
	mcp_bytes name = mcp_bytes_of(request->name, request->name_length);
	return (mcp_key){.wire = name, .route = name};
}

static inline bool sim_request_is_for(const sim_request *request, const mcp_key *key) {
	return mcp_bytes_equal(mcp_bytes_of(request->name, request->name_length), key->wire);
}

#endif
