/* Common part of the files of libmemcached's wire: connection, requests and failures. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_LIBMEMCACHED_WIRE_LIBMEMCACHED_LINE_H
#define MCP_STORE_WIRE_LIBMEMCACHED_WIRE_LIBMEMCACHED_LINE_H

#include "../../../core/environment.h"
#include "../../store.h"
#include "../../../core/bytes.h"
#include "../../reason.h"
#include "../wire.h"
#include "../wire_guard.h"
#include "wire_results.h"

#include <libmemcached/memcached.h>

/* Cause of a failed call of libmemcached: status and reason. Read both before closing the connection, because closing
 * discards them. */

/* Timeouts, for messages. */
typedef struct mcp_wire_patience {
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
} mcp_wire_patience;

/* Descriptor of libmemcached's connection, which the library's headers hide. The descriptor is needed to detect a
 * closed connection, and for keepalive. */

enum {
	MCP_WIRE_DESCRIPTOR_NONE = -1,
	MCP_WIRE_DESCRIPTOR_HIDDEN = -2, /* the layout of this libmemcached is unknown */
};

/* Returns the descriptor of the handle's only server. */
int mcp_wire_descriptor_find(const memcached_st *handle);

/* Allocators for libmemcached, which limit a reply to the size that the host permits, and free only libmemcached's
 * memory. */

/* Must outlive the handle. Its pointers are borrowed. */
typedef struct mcp_wire_memory {
	const mcp_environment *environment;
	const size_t *item_max;              /* see wire.h */
	const mcp_wire_results *replies;     /* for many keys */
	const mcp_wire_result *reply, *rest; /* for one key */
	bool is_for_many;                    /* the reply to a request of many keys is being read */
	size_t refused;                      /* size of a reply that was too large; 0: none */
} mcp_wire_memory;

/* False: libmemcached did not accept the allocators. */
bool mcp_wire_memory_watch(mcp_wire_memory *memory, memcached_st *handle);

/* Key of a read that only checks for a reply; the key's value is irrelevant. */
#define MCP_LIBMEMCACHED_PING_KEY "mcpatterns:ping"

/* Invariants: between 2 requests, all replies have been read, or the connection is closed. The guard is raised exactly
 * during a request. */
typedef struct mcp_libmemcached {
	mcp_wire base;
	const mcp_environment *environment;
	memcached_st *handle;
	mcp_wire_patience patience;
	mcp_reason reason; /* reason of the last failure */
	mcp_buffer value;  /* data being sent: head and body of a record, or a list of keys */
	uint64_t wait_ms;  /* current limit of each wait */
	mcp_wire_guard guard;
	bool is_closed; /* the next request connects */
	/* descriptor of the connection; MCP_WIRE_DESCRIPTOR_NONE until its first request is over */
	int descriptor;
	uint64_t used_ms;         /* start of the last request over this connection, as in `now_ms` */
	mcp_wire_result reply;    /* memory of the views of one key */
	mcp_wire_results replies; /* memory of the views of many keys */
	mcp_wire_result rest;     /* for replies without views */
	/* Built-in wire for increments and statistics. libmemcached reads such replies into its handle, where an overlong
	 * key overwrites the handle's allocator functions. */
	mcp_wire *aside;
	mcp_wire_memory memory;
} mcp_libmemcached;

static inline mcp_libmemcached *mcp_libmemcached_of(mcp_wire *base) {
	return (mcp_libmemcached *)base;
}

/* Makes the next request call mcp_libmemcached_prepare, with a check that each request makes anyway. */
void mcp_libmemcached_expect_to_connect(mcp_libmemcached *self);
/* Prepares a request that can connect. */
void mcp_libmemcached_prepare(mcp_libmemcached *self);
/* True if the request in progress connects. */
static inline bool mcp_libmemcached_is_new(const mcp_libmemcached *self) {
	return !self->is_closed && self->descriptor == MCP_WIRE_DESCRIPTOR_NONE;
}
/* Finds the new connection's descriptor after its first request. */
void mcp_libmemcached_note_connection(mcp_libmemcached *self);

/* Begins a request and raises the guard; always call mcp_libmemcached_leave afterwards. */
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

/* True if the peer closed the connection or sent unrequested bytes since the last reply. If this cannot be detected,
 * true after UNSEEN_IDLE_MS. If true, this function has closed the connection. */
bool mcp_libmemcached_has_ended(mcp_libmemcached *self);

/* Begins a write, which is sent once. NULL: the connection was closed, and the request is over. */
static inline mcp_libmemcached *mcp_libmemcached_enter_to_write(mcp_wire *base) {
	mcp_libmemcached *self = mcp_libmemcached_enter(base);
	if (!mcp_libmemcached_has_ended(self)) {
		return self;
	}
	mcp_libmemcached_leave(self, MCP_UNSUPPORTED);
	return NULL;
}

/* Called for each item, usually with an unchanged value. */
static inline void mcp_libmemcached_wait_at_most(mcp_libmemcached *self, uint64_t timeout_ms) {
	if (self->wait_ms != timeout_ms) {
		self->wait_ms = timeout_ms;
		memcached_behavior_set(self->handle, MEMCACHED_BEHAVIOR_POLL_TIMEOUT, timeout_ms);
	}
}

/* Closes the connection without waiting. */
void mcp_libmemcached_hang_up(mcp_libmemcached *self);
/* Describes why a request failed, closes the connection, and returns the code's status. */
mcp_status mcp_libmemcached_give_up(mcp_libmemcached *self, memcached_return_t code);
/* Like mcp_libmemcached_give_up, for a reply that libmemcached accepts. */
mcp_status mcp_libmemcached_reject_answer(mcp_libmemcached *self);

#endif
