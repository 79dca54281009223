/* One connection by libmemcached's text protocol. Knows what its return codes are worth, and leaves no
 * connection in doubt open. */
/* SPDX-License-Identifier: MIT */
#include "wire_libmemcached.h"

#include "buffer.h"
#include "connection.h"
#include "wire.h"

#include <errno.h>
#include <libmemcached/memcached.h>
#include <stdio.h>
#include <stdlib.h>

/* Read to see whether anybody answers; what it holds is nobody's business. */
#define PING_KEY "mcpatterns:ping"

/* Invariant: between two calls every reply has been read, or the connection is closed. */
struct mcp_wire {
	memcached_st *handle;
	uint32_t timeout_ms;
	memcached_result_st reply; /* what is handed out as views */
	memcached_result_st rest;  /* for what nobody looks at or nobody expects */
};

void mcp_wire_wait_at_most(mcp_wire *wire, uint64_t timeout_ms) {
	memcached_behavior_set(wire->handle, MEMCACHED_BEHAVIOR_POLL_TIMEOUT, timeout_ms);
}

static bool set_up(mcp_wire *wire, const mcp_server_settings *settings) {
	memcached_st *handle = wire->handle;
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_TCP_NODELAY, 1);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SUPPORT_CAS, 1);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_CONNECT_TIMEOUT,
		settings->connect_timeout_ms);
	mcp_wire_wait_at_most(wire, settings->timeout_ms);
	/* Its own back-off runs on the wall clock: a step back of an hour would last an hour. */
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SERVER_FAILURE_LIMIT, UINT32_MAX);
	memcached_behavior_set(handle, MEMCACHED_BEHAVIOR_SERVER_TIMEOUT_LIMIT, UINT32_MAX);
	memcached_result_create(handle, &wire->reply);
	memcached_result_create(handle, &wire->rest);
	memcached_return_t code = settings->port == 0
		? memcached_server_add_unix_socket(handle, settings->host)
		: memcached_server_add(handle, settings->host, settings->port);
	return code == MEMCACHED_SUCCESS;
}

mcp_wire *mcp_wire_create(const mcp_server_settings *settings) {
	mcp_wire *wire = calloc(1, sizeof(*wire));
	if (wire == NULL) {
		return NULL;
	}
	wire->timeout_ms = settings->timeout_ms;
	wire->handle = memcached_create(NULL);
	if (wire->handle == NULL) {
		free(wire);
		return NULL;
	}
	if (!set_up(wire, settings)) {
		mcp_wire_free(wire);
		return NULL;
	}
	return wire;
}

static void free_results(mcp_wire *wire) {
	memcached_result_free(&wire->reply);
	memcached_result_free(&wire->rest);
}

void mcp_wire_free(mcp_wire *wire) {
	free_results(wire);
	mcp_wire_wait_at_most(wire, 0);
	memcached_free(wire->handle);
	free(wire);
}

void mcp_wire_disown(mcp_wire *wire) {
	free_results(wire);
	free(wire);
}

/* libmemcached says "quit" first. Without any patience: towards a frozen server with full buffers that
 * would cost a second timeout. */
void mcp_wire_reset(mcp_wire *wire) {
	mcp_wire_wait_at_most(wire, 0);
	memcached_quit(wire->handle);
	mcp_wire_wait_at_most(wire, wire->timeout_ms);
	memcached_reset_last_disconnected_server(wire->handle);
}

/* Only a failed connect leaves a "last disconnected server". A unix socket whose queue is full looks
 * connected until something is sent. */
static bool is_unconnected(const mcp_wire *wire) {
	return memcached_server_get_last_disconnect(wire->handle) != NULL ||
		memcached_last_error_errno(wire->handle) == ENOTCONN;
}

static mcp_status failure_of(const mcp_wire *wire, memcached_return_t code) {
	if (is_unconnected(wire)) {
		return MCP_UNREACHABLE;
	}
	if (code == MEMCACHED_FAILURE || code == MEMCACHED_SOME_ERRORS) {
		code = memcached_last_error(wire->handle);
	}
	switch (code) {
		case MEMCACHED_TIMEOUT:
		case MEMCACHED_IN_PROGRESS:
			return MCP_TIMEOUT;
		case MEMCACHED_SUCCESS: /* a failure without its reason */
		case MEMCACHED_FAILURE:
		case MEMCACHED_CONNECTION_FAILURE:
		case MEMCACHED_WRITE_FAILURE:
		case MEMCACHED_READ_FAILURE:
		case MEMCACHED_ERRNO:
			return MCP_UNKNOWN;
		case MEMCACHED_ERROR:
		case MEMCACHED_CLIENT_ERROR:
		case MEMCACHED_SERVER_ERROR:
		case MEMCACHED_SERVER_MEMORY_ALLOCATION_FAILURE:
		case MEMCACHED_E2BIG:
			return MCP_REFUSED;
		default:
			return MCP_PROTOCOL;
	}
}

/* The reasons first: disconnecting forgets them. */
static mcp_status give_up(mcp_wire *wire, memcached_return_t code) {
	mcp_status why = failure_of(wire, code);
	mcp_wire_reset(wire);
	return why;
}

/* Of the fields of its public struct: on a hit, a call for each would cost more than all of ours. */
static mcp_bytes key_of(const memcached_result_st *result) {
	return mcp_bytes_of(result->item_key, result->key_length);
}

static mcp_item item_of(const memcached_result_st *result) {
	return (mcp_item){
		.value = {memcached_result_value(result), memcached_result_length(result)},
		.flags = result->item_flags,
		.cas = result->item_cas,
	};
}

/* NULL with MEMCACHED_END at the proper end. libmemcached turns every failure into "not found" as long
 * as the result has counted nothing: so it begins with one. An answer that is no item ("OK") counts as
 * success and leaves the last item standing: so that one loses its key. */
static memcached_result_st *fetch(mcp_wire *wire, memcached_result_st *into,
	memcached_return_t *code) {
	into->count = 1;
	into->key_length = 0;
	return memcached_fetch_result(wire->handle, into, code);
}

/* A result keeps the memory of the largest value it has held. */
static void give_back(mcp_wire *wire, memcached_result_st *result) {
	if (result->value.current_size > MCP_BUFFER_KEPT_MAX) {
		memcached_result_free(result);
		memcached_result_create(wire->handle, result);
	}
}

static mcp_status get_into(mcp_wire *wire, mcp_bytes key, memcached_result_st *into) {
	give_back(wire, into);
	memcached_return_t code = memcached_mget(wire->handle, &key.data, &key.length, 1);
	if (code != MEMCACHED_SUCCESS) {
		return give_up(wire, code);
	}
	if (fetch(wire, into, &code) == NULL) {
		return code == MEMCACHED_END ? MCP_NOT_FOUND : give_up(wire, code);
	}
	if (!mcp_bytes_equal(key_of(into), key)) {
		return give_up(wire, MEMCACHED_PROTOCOL_ERROR);
	}
	if (fetch(wire, &wire->rest, &code) != NULL) {
		return give_up(wire, MEMCACHED_PROTOCOL_ERROR);
	}
	return code == MEMCACHED_END ? MCP_OK : give_up(wire, code);
}

mcp_status mcp_wire_get(mcp_wire *wire, mcp_bytes key, mcp_item *item) {
	mcp_status status = get_into(wire, key, &wire->reply);
	if (status == MCP_OK) {
		*item = item_of(&wire->reply);
	}
	return status;
}

/* Not memcached_version(): it asks once per connection and then answers by itself. */
mcp_status mcp_wire_ping(mcp_wire *wire) {
	mcp_status status = get_into(wire, mcp_bytes_of(PING_KEY, sizeof(PING_KEY) - 1), &wire->rest);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_wire_ask(mcp_wire *wire, const char *const *keys, const size_t *lengths,
	size_t count) {
	give_back(wire, &wire->reply);
	memcached_return_t code = memcached_mget(wire->handle, keys, lengths, count);
	return code == MEMCACHED_SUCCESS ? MCP_OK : give_up(wire, code);
}

mcp_status mcp_wire_next(mcp_wire *wire, mcp_bytes *key, mcp_item *item) {
	memcached_return_t code;
	if (fetch(wire, &wire->reply, &code) == NULL) {
		return code == MEMCACHED_END ? MCP_NOT_FOUND : give_up(wire, code);
	}
	*key = key_of(&wire->reply);
	*item = item_of(&wire->reply);
	return MCP_OK;
}

static mcp_status answer_of(mcp_wire *wire, memcached_return_t code) {
	switch (code) {
		case MEMCACHED_SUCCESS:
			return MCP_OK;
		case MEMCACHED_NOTFOUND:
			return MCP_NOT_FOUND;
		case MEMCACHED_NOTSTORED:
			return MCP_NOT_STORED;
		case MEMCACHED_DATA_EXISTS:
			return MCP_EXISTS;
		case MEMCACHED_E2BIG:
			return MCP_TOO_LARGE;
		default:
			return give_up(wire, code);
	}
}

static memcached_return_t store(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_bytes key = item->key;
	mcp_bytes value = item->value;
	switch (verb) {
		case MCP_WIRE_ADD:
			return memcached_add(wire->handle, key.data, key.length, value.data, value.length,
				(time_t)item->expiry, item->flags);
		case MCP_WIRE_CAS:
			return memcached_cas(wire->handle, key.data, key.length, value.data, value.length,
				(time_t)item->expiry, item->flags, item->cas);
		case MCP_WIRE_PREPEND:
			return memcached_prepend(wire->handle, key.data, key.length, value.data, value.length,
				(time_t)item->expiry, item->flags);
		default:
			return memcached_set(wire->handle, key.data, key.length, value.data, value.length,
				(time_t)item->expiry, item->flags);
	}
}

mcp_status mcp_wire_store(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *item) {
	return answer_of(wire, store(wire, verb, item));
}

mcp_status mcp_wire_delete(mcp_wire *wire, mcp_bytes key) {
	return answer_of(wire, memcached_delete(wire->handle, key.data, key.length, 0));
}

mcp_status mcp_wire_touch(mcp_wire *wire, mcp_bytes key, int64_t expiry) {
	return answer_of(wire, memcached_touch(wire->handle, key.data, key.length, (time_t)expiry));
}

/* memcached_increment() itself takes 32 bits only. The one "client error" of a well-formed request is
 * that the item is not a number. */
static mcp_status number_of(mcp_wire *wire, memcached_return_t code) {
	return code == MEMCACHED_CLIENT_ERROR ? MCP_NOT_A_NUMBER : answer_of(wire, code);
}

mcp_status mcp_wire_increment(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number) {
	return number_of(wire,
		memcached_increment_by_key(wire->handle, key.data, key.length, key.data, key.length, by,
			number));
}

mcp_status mcp_wire_decrement(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number) {
	return number_of(wire,
		memcached_decrement_by_key(wire->handle, key.data, key.length, key.data, key.length, by,
			number));
}

mcp_status mcp_wire_flush(mcp_wire *wire) {
	return answer_of(wire, memcached_flush(wire->handle, 0));
}

typedef struct listener {
	mcp_wire *wire;
	mcp_wire_line line;
	void *context;
	bool is_satisfied; /* and what still comes is of no interest */
} listener;

static memcached_return_t hear(const memcached_instance_st *instance, const char *name,
	size_t name_length, const char *value, size_t value_length, void *context) {
	(void)instance;
	listener *to = context;
	if (!to->is_satisfied &&
		!to->line(to->context, mcp_bytes_of(name, name_length),
			mcp_bytes_of(value, value_length))) {
		/* libmemcached does not look at what is returned from here: only a closed connection ends it. */
		to->is_satisfied = true;
		mcp_wire_reset(to->wire);
	}
	return MEMCACHED_SUCCESS;
}

/* libmemcached reports success when the server failed in the middle; and calls the answer "ERROR", a
 * peer that does not know the command, invalid arguments. */
mcp_status mcp_wire_stats(mcp_wire *wire, const char *kind, mcp_wire_line line, void *context) {
	listener to = {wire, line, context, false};
	memcached_return_t code = memcached_stat_execute(wire->handle, kind, hear, &to);
	if (to.is_satisfied) {
		mcp_wire_reset(wire);
		return MCP_PROTOCOL;
	}
	if (code == MEMCACHED_SUCCESS) {
		code = memcached_last_error(wire->handle);
	}
	if (code == MEMCACHED_SUCCESS) {
		return MCP_OK;
	}
	return code == MEMCACHED_INVALID_ARGUMENTS ? MCP_REFUSED : give_up(wire, code);
}

const char *mcp_libmemcached_version(void) {
	return memcached_lib_version();
}

bool mcp_libmemcached_is_supported(void) {
	unsigned major = 0, minor = 0, patch = 0;
	if (sscanf(memcached_lib_version(), "%u.%u.%u", &major, &minor, &patch) < 2) {
		return false;
	}
	if (major != 1) {
		return major > 1;
	}
	return minor > 1 || (minor == 1 && patch >= 4);
}

mcp_store *mcp_store_libmemcached_create(const mcp_server_settings *settings,
	const mcp_environment *environment) {
	return mcp_connection_create(mcp_wire_create(settings), settings, environment);
}
