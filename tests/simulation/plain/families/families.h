/* The families of patterns with plain items. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_FAMILIES_H
#define PLAIN_FAMILIES_H

#include "plain/world.h"

extern const plain_family plain_lock;
extern const plain_family plain_counter;
extern const plain_family plain_counter_limit;
extern const plain_family plain_online;
extern const plain_family plain_rate;
extern const plain_family plain_log;
extern const plain_family plain_set;
extern const plain_family plain_table;
extern const plain_family plain_semaphore;
extern const plain_family plain_tags;
extern const plain_family plain_tags_near;
extern const plain_family plain_tags_keys_changed;
extern const plain_family plain_near;
extern const plain_family plain_many;
extern const plain_family plain_guarded;
extern const plain_family plain_unique;
extern const plain_family plain_session;
extern const plain_family plain_waking;
extern const plain_family plain_handover;
extern const plain_family plain_board;

static inline mcp_key plain_key(mcp_key_buffer *buffer, mcp_key_space space, const char *name) {
	mcp_key_parts parts = {.space = space, .name = mcp_bytes_text(name)};
	return mcp_key_make(buffer, &parts);
}

/* Parses the number after the last ':' of the request's key. */
static inline uint64_t plain_slot_in(const sim_request *request) {
	uint64_t slot = 0;
	for (unsigned i = 0; i < request->name_length; i++) {
		slot = request->name[i] == ':' ? 0 : slot * 10 + (uint64_t)(request->name[i] - '0');
	}
	return slot;
}

#endif
