/* Reads libmemcached's error messages, which are the only place where it keeps what a server answered. */
/* SPDX-License-Identifier: MIT */
#include "wire_cause.h"

#include <errno.h>
#include <string.h>

static bool has_no_connection(const memcached_st *handle) {
	return memcached_server_get_last_disconnect(handle) != NULL;
}

/* Returns the code that says more than the one which was returned. */
static memcached_return_t specific(const memcached_st *handle, memcached_return_t code) {
	bool is_general = code == MEMCACHED_FAILURE || code == MEMCACHED_SOME_ERRORS;
	return is_general ? memcached_last_error(handle) : code;
}

/* Finds out the failure. Only a failed connect leaves a "last disconnected server". A unix socket whose queue
 * is full looks connected until something is sent. */
mcp_status mcp_wire_cause_status(const memcached_st *handle, memcached_return_t code) {
	if (has_no_connection(handle) || memcached_last_error_errno(handle) == ENOTCONN) {
		return MCP_UNREACHABLE;
	}
	switch (specific(handle, code)) {
		case MEMCACHED_TIMEOUT:
		case MEMCACHED_IN_PROGRESS:
			return MCP_TIMEOUT;
		case MEMCACHED_SUCCESS: /* a failure without its reason */
		case MEMCACHED_FAILURE:
		case MEMCACHED_CONNECTION_FAILURE:
		case MEMCACHED_WRITE_FAILURE:
		case MEMCACHED_READ_FAILURE:
		case MEMCACHED_ERRNO:
			return MCP_BROKEN;
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

bool mcp_wire_cause_took_nothing(const memcached_st *handle) {
	bool is_local = memcached_server_port(memcached_server_instance_by_position(handle, 0)) == 0;
	return is_local && memcached_last_error_errno(handle) == EPIPE;
}

/* Says whether the reason is hidden: a read tells that it could not connect, and not why. */
bool mcp_wire_cause_is_hidden(const memcached_st *handle, memcached_return_t code) {
	code = specific(handle, code);
	return has_no_connection(handle) && memcached_last_error_errno(handle) == 0 &&
		code != MEMCACHED_TIMEOUT && code != MEMCACHED_IN_PROGRESS &&
		code != MEMCACHED_HOST_LOOKUP_FAILURE;
}

static bool has_at(mcp_bytes text, size_t at, const char *part) {
	size_t length = strlen(part);
	return text.length - at >= length && memcmp(text.data + at, part, length) == 0;
}

static mcp_bytes drop_head(mcp_bytes text, const char *head) {
	size_t length = has_at(text, 0, head) ? strlen(head) : 0;
	return mcp_bytes_of(text.data + length, text.length - length);
}

/* Drops the address from the last one on: an answer may hold the same. */
static mcp_bytes drop_address(mcp_bytes text) {
	for (size_t at = text.length; at-- > 0;) {
		if (has_at(text, at, ",  host: ") || has_at(text, at, ",  socket: ")) {
			return mcp_bytes_of(text.data, at);
		}
	}
	return text;
}

/* Takes from "(0x5578bedc2eb0) SERVER ERROR, busy,  host: 127.0.0.1:11211 -> ./src/response.cc:285" the word
 * "busy". Empty if there is nothing of the server's in it. */
static mcp_bytes answer_of(const memcached_st *handle, memcached_return_t code) {
	const char *message = memcached_last_error_message(handle);
	const char *start = message != NULL ? strstr(message, ") ") : NULL;
	if (start == NULL || message[0] != '(') {
		return mcp_bytes_of("", 0);
	}
	start += strlen(") ");
	mcp_bytes text = mcp_bytes_of(start, strlen(start));
	text = drop_address(text);
	return drop_head(drop_head(text, memcached_strerror(NULL, code)), ", ");
}

static void say_refusal(const memcached_st *handle, memcached_return_t code, mcp_reason *reason) {
	switch (code) {
		case MEMCACHED_SERVER_ERROR:
			mcp_reason_say_answered(reason, "SERVER_ERROR ", answer_of(handle, code), "");
			return;
		case MEMCACHED_CLIENT_ERROR:
			mcp_reason_say_answered(reason, "CLIENT_ERROR ", answer_of(handle, code), "");
			return;
		case MEMCACHED_SERVER_MEMORY_ALLOCATION_FAILURE:
			mcp_reason_say(reason, "answered \"SERVER_ERROR out of memory\"");
			return;
		case MEMCACHED_E2BIG:
			mcp_reason_say(reason, "answered \"SERVER_ERROR object too large for cache\"");
			return;
		default:
			mcp_reason_say(reason, "answered \"ERROR\"");
	}
}

/* Recognizes libmemcached's own words, in the answer's place, about a number that no 64 bits hold. */
static bool is_not_the_servers(mcp_bytes answer) {
	return has_at(answer, 0, "Numeric response was out of range");
}

static void say_nonsense(const memcached_st *handle, memcached_return_t code, mcp_reason *reason) {
	mcp_bytes answer = answer_of(handle, code);
	if (code == MEMCACHED_UNKNOWN_READ_FAILURE && !is_not_the_servers(answer)) {
		mcp_reason_say_answered(reason, "", answer, ", which is not memcached's protocol");
	} else if (code == MEMCACHED_MEMORY_ALLOCATION_FAILURE) {
		mcp_reason_say(reason, "announced more than there is memory for");
	} else {
		mcp_reason_say(reason, "answered something else than it was asked");
	}
}

static void say_unreachable(const memcached_st *handle, memcached_return_t code,
	uint32_t connect_timeout_ms, mcp_reason *reason) {
	if (code == MEMCACHED_TIMEOUT || code == MEMCACHED_IN_PROGRESS) {
		mcp_reason_say_no_connection_within(reason, connect_timeout_ms);
	} else if (code == MEMCACHED_HOST_LOOKUP_FAILURE) {
		mcp_reason_say(reason, "could not be reached: its host is unknown");
	} else {
		mcp_reason_say_unreachable(reason, memcached_last_error_errno(handle));
	}
}

void mcp_wire_cause_say(const memcached_st *handle, memcached_return_t code, mcp_status status,
	mcp_wire_patience patience, mcp_reason *reason) {
	code = specific(handle, code);
	switch (status) {
		case MCP_UNREACHABLE:
			say_unreachable(handle, code, patience.connect_timeout_ms, reason);
			return;
		case MCP_TIMEOUT:
			mcp_reason_say_no_answer_within(reason, patience.timeout_ms);
			return;
		case MCP_REFUSED:
			say_refusal(handle, code, reason);
			return;
		case MCP_BROKEN:
			mcp_reason_say_broken(reason, memcached_last_error_errno(handle));
			return;
		default:
			say_nonsense(handle, code, reason);
	}
}
