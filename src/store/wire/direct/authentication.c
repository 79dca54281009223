/* The request is a "set" that is gone at once (exptime -1): a server that knows no authentication keeps no password. */
/* SPDX-License-Identifier: MIT */
#include "authentication.h"

#define KEY "mcpatterns:auth"
#define TAKEN "STORED\r\n"
#define REFUSED "CLIENT_ERROR"
/* memcached's answers to it are shorter. */
#define ANSWER_MAX 128

/* Reads a line, one answer and nothing behind it; *length 0: something else came. */
static mcp_socket_outcome hear_line(mcp_direct *wire, mcp_deadline *deadline,
	char answer[ANSWER_MAX], size_t *length) {
	size_t heard = 0;
	*length = 0;
	while (heard < ANSWER_MAX) {
		size_t received;
		mcp_socket_outcome outcome = mcp_channel_receive(&wire->carrier, answer + heard,
			ANSWER_MAX - heard, deadline, &received);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
		heard += received;
		const char *end = memchr(answer, '\n', heard);
		if (end != NULL) {
			*length = end == answer + heard - 1 ? heard : 0;
			return MCP_SOCKET_DONE;
		}
	}
	return MCP_SOCKET_DONE;
}

static bool begins_with(const char *answer, size_t length, const char *head) {
	return length >= strlen(head) && memcmp(answer, head, strlen(head)) == 0;
}

static bool is(const char *answer, size_t length, const char *line) {
	return length == strlen(line) && begins_with(answer, length, line);
}

/* Says what went wrong in words of our own: an answer may repeat what was sent. */
static mcp_status refuse(mcp_direct *wire, const char *words) {
	mcp_reason_say(&wire->reason, words);
	return MCP_UNREACHABLE;
}

static mcp_status judge(mcp_direct *wire, const char *answer, size_t length) {
	if (is(answer, length, TAKEN)) {
		return MCP_OK;
	}
	if (is(answer, length, MCP_REASON_FULL_SERVER "\r\n")) {
		mcp_reason_say_answered(&wire->reason, "", mcp_bytes_of(answer, length), "");
		return MCP_UNREACHABLE;
	}
	return refuse(wire,
		begins_with(answer, length, REFUSED)
			? "refused the user or the password"
			: "answered something else than memcached does when it is given a password");
}

static mcp_status fail(mcp_direct *wire, mcp_socket_outcome outcome) {
	if (outcome == MCP_SOCKET_LATE) {
		mcp_reason_say_no_answer_within(&wire->reason, wire->timeout_ms);
	} else if (mcp_channel_words(&wire->carrier) != NULL) {
		mcp_reason_say(&wire->reason, mcp_channel_words(&wire->carrier));
	} else {
		mcp_reason_say_broken(&wire->reason, wire->carrier.socket->error);
	}
	return MCP_UNREACHABLE;
}

mcp_status mcp_direct_authenticate(mcp_direct *wire) {
	mcp_request line;
	char answer[ANSWER_MAX];
	size_t length;
	mcp_request_begin(&line, "set ", mcp_bytes_of(KEY, sizeof(KEY) - 1));
	mcp_request_add_i64(&line, " 0 ", -1);
	mcp_request_add_u64(&line, " ", wire->secret.length);
	mcp_bytes pieces[] = {mcp_request_end(&line), wire->secret, mcp_bytes_of("\r\n", 2)};
	mcp_deadline deadline = mcp_deadline_begin(wire->environment, wire->timeout_ms);
	mcp_socket_outcome outcome =
		mcp_channel_send(&wire->carrier, pieces, sizeof(pieces) / sizeof(*pieces), &deadline);
	/* Who takes nothing may have said why. */
	if (outcome != MCP_SOCKET_LATE) {
		outcome = hear_line(wire, &deadline, answer, &length);
	}
	return outcome == MCP_SOCKET_DONE ? judge(wire, answer, length) : fail(wire, outcome);
}
