/* The common part of the files of libmemcached's wire: its connection, how a request begins, and how it is
 * given up. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_LIBMEMCACHED_WIRE_LIBMEMCACHED_LINE_H
#define MCP_STORE_WIRE_LIBMEMCACHED_WIRE_LIBMEMCACHED_LINE_H

#include "../../../core/environment.h"
#include "../../../core/status.h"
#include "../../reason.h"
#include "../wire.h"
#include "../wire_guard.h"
#include "wire_results.h"

#include <libmemcached/memcached.h>

/* The cause of a call that failed, as libmemcached knows it: which failure it is, and why. Asked before the
 * connection is closed, because that forgets it. */

/* How long was waited for what did not come. */
typedef struct mcp_wire_patience {
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
} mcp_wire_patience;

/* The descriptor of libmemcached's connection, which its headers keep to themselves: to see whether the other side has
 * ended the connection, and to have it kept alive. */

enum {
	MCP_WIRE_DESCRIPTOR_NONE = -1,
	MCP_WIRE_DESCRIPTOR_HIDDEN = -2, /* this libmemcached is not made as those that are known */
};

/* Returns the descriptor of the connection of this handle's one server. */
int mcp_wire_descriptor_find(const memcached_st *handle);

/* libmemcached's memory: no more of it for an answer than the host allows, and nothing freed that is not its own. */

/* Lives longer than the handle whose memory it watches. Its pointers are borrowed. */
typedef struct mcp_wire_memory {
	const mcp_environment *environment;
	const size_t *item_max;              /* as wire.h's */
	const mcp_wire_results *replies;     /* of many keys */
	const mcp_wire_result *reply, *rest; /* of one */
	bool is_for_many;                    /* what is being read */
	size_t refused;                      /* bytes of an answer that was too large; 0: none was */
} mcp_wire_memory;

/* False if it cannot be watched. */
bool mcp_wire_memory_watch(mcp_wire_memory *memory, memcached_st *handle);

/* Read to see whether the server answers; what it holds does not matter. */
#define MCP_LIBMEMCACHED_PING_KEY "mcpatterns:ping"

/* Invariants: between two requests every reply has been read, or the connection is closed. The guard is up
 * exactly while a request is under way. */
typedef struct mcp_libmemcached {
	mcp_wire base;
	const mcp_environment *environment;
	memcached_st *handle;
	mcp_wire_patience patience;
	mcp_reason reason; /* of the last failure */
	uint64_t wait_ms;  /* what each wait may take now */
	mcp_wire_guard guard;
	bool is_closed;           /* the next request connects */
	int descriptor;           /* of the connection; none until its first request is over */
	uint64_t used_ms;         /* when the last request over it began, by `now_ms` */
	mcp_wire_result reply;    /* what is handed out as views, of one key ... */
	mcp_wire_results replies; /* ... and of many */
	mcp_wire_result rest;     /* for replies that no caller looks at or expects */
	/* A connection of our own for counting and statistics, whose answers libmemcached reads into its handle: a key in them
	 * that is too long overwrites the functions that it allocates by. NULL: it is not supported here. */
	mcp_wire *aside;
	mcp_wire_memory memory;
} mcp_libmemcached;

static inline mcp_libmemcached *mcp_libmemcached_of(mcp_wire *base) {
	return (mcp_libmemcached *)base;
}

/* Has the next request prepared, by a look that each takes anyhow. */
void mcp_libmemcached_expect_to_connect(mcp_libmemcached *self);
/* Prepares a request that may connect. */
void mcp_libmemcached_prepare(mcp_libmemcached *self);
/* Says whether the request under way has to connect, or has. */
static inline bool mcp_libmemcached_is_new(const mcp_libmemcached *self) {
	return !self->is_closed && self->descriptor == MCP_WIRE_DESCRIPTOR_NONE;
}
/* Takes note of a connection after its first request. */
void mcp_libmemcached_note_connection(mcp_libmemcached *self);

/* Enters with its guard up: then mcp_libmemcached_leave(), whatever happens. */
static inline mcp_libmemcached *mcp_libmemcached_enter(mcp_wire *base) {
	mcp_libmemcached *self = mcp_libmemcached_of(base);
	base->idle_ms = base->now_ms - self->used_ms;
	self->used_ms = base->now_ms;
	if (mcp_wire_guard_raise(&self->guard, mcp_deadly_signals(self->environment))) {
		mcp_libmemcached_prepare(self);
	}
	return self;
}

static inline mcp_status mcp_libmemcached_leave(mcp_libmemcached *self, mcp_status status) {
	if (mcp_libmemcached_is_new(self)) {
		mcp_libmemcached_note_connection(self);
	}
	mcp_wire_guard_lower(&self->guard);
	return status;
}

/* Says whether the other side has ended the connection, or said what nobody asked for, since the last answer; where that
 * cannot be seen, whether it has had the time to. Then it is closed. */
bool mcp_libmemcached_has_ended(mcp_libmemcached *self);

/* Enters likewise for a write, which is sent once. NULL: the connection had ended, and has been left. */
static inline mcp_libmemcached *mcp_libmemcached_enter_to_write(mcp_wire *base) {
	mcp_libmemcached *self = mcp_libmemcached_enter(base);
	if (!mcp_libmemcached_has_ended(self)) {
		return self;
	}
	mcp_libmemcached_leave(self, MCP_UNSUPPORTED);
	return NULL;
}

/* Sets the time, and is called for each item, mostly with what it was. */
static inline void mcp_libmemcached_wait_at_most(mcp_libmemcached *self, uint64_t timeout_ms) {
	if (self->wait_ms != timeout_ms) {
		self->wait_ms = timeout_ms;
		memcached_behavior_set(self->handle, MEMCACHED_BEHAVIOR_POLL_TIMEOUT, timeout_ms);
	}
}

/* Closes the connection without waiting. */
void mcp_libmemcached_hang_up(mcp_libmemcached *self);
/* Says why a request failed, closes the connection, and answers what the code means. */
mcp_status mcp_libmemcached_give_up(mcp_libmemcached *self, memcached_return_t code);
/* Does so of an answer that libmemcached takes for a good one. */
mcp_status mcp_libmemcached_reject_answer(mcp_libmemcached *self);

#endif
