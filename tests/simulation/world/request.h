/* A store call as it goes over the wire: its bytes are its own, since it may arrive when its caller has given it up. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_REQUEST_H
#define SIM_REQUEST_H

#include "store/store.h"

enum { SIM_NAME_MAX = 128, SIM_BYTES_MAX = 512 };

typedef enum sim_verb {
	SIM_GET,
	SIM_ADD,
	SIM_SET,
	SIM_CAS,
	SIM_PREPEND,
	SIM_APPEND,
	SIM_DELETE,
	SIM_DELETE_IF,
	SIM_INCREMENT,
	SIM_DECREMENT,
	SIM_TOUCH,
	SIM_STARTED,
} sim_verb;

/* Without `name` where items are numbered, and without `item` where they are not. */
typedef struct sim_request {
	sim_verb verb;
	uint8_t client;
	uint8_t server; /* that it is sent to */
	uint8_t item;
	bool is_late;    /* its client had given it up */
	int operation;   /* which of the client's operations sent it; -1: none */
	uint32_t serial; /* the client's calls up to this one */
	uint32_t flags;
	uint64_t cas, amount, ttl_ms;
	uint64_t
		looked_ms; /* by the wall clock of a cache's client: its last look at the key before this */
	uint16_t name_length, length;
	char name[SIM_NAME_MAX], bytes[SIM_BYTES_MAX];
} sim_request;

static inline bool sim_verb_is_read(sim_verb verb) {
	return verb == SIM_GET || verb == SIM_STARTED;
}

const char *sim_verb_name(sim_verb verb);

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
