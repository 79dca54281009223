/* Descriptions of failures, and what they say about the peer. */
/* SPDX-License-Identifier: MIT */
#include "reason.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a server's reply that a message shows. */
#define ANSWER_SHOWN_MAX 60

typedef struct words {
	int error;
	const char *text;
} words;

/* Common system errors; the C library describes the others. */
static const words known[] = {
	{ECONNREFUSED, "connection refused, nothing listens there"},
	{ENOENT, "no such file"},
	{EACCES, "permission denied"},
	{EPERM, "permission denied"},
	/* Errors of a Unix socket, reported immediately or with the first bytes. */
	{EAGAIN, "its connection backlog is full"},
	{ENOTCONN, "its connection backlog is full"},
	{ENETUNREACH, "no route to its network"},
	{EHOSTUNREACH, "no route to its host"},
	{EMFILE, "this process has too many open files"},
	{ENFILE, "this machine has too many open files"},
	{ECONNRESET, "connection reset"},
	{EPIPE, "connection closed"},
};

static const char *words_for(int error) {
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].error == error) {
			return known[i].text;
		}
	}
	return strerror(error);
}

void mcp_reason_say(mcp_reason *reason, const char *text) {
	snprintf(reason->text, sizeof(reason->text), "%s", text);
}

void mcp_reason_say_unreachable(mcp_reason *reason, int error) {
	if (error == 0) {
		mcp_reason_say(reason, "could not be reached");
		return;
	}
	snprintf(reason->text, sizeof(reason->text), "could not be reached: %s", words_for(error));
}

void mcp_reason_say_no_connection_within(mcp_reason *reason, uint32_t timeout_ms) {
	snprintf(reason->text, sizeof(reason->text), "could not be reached within %" PRIu32 " ms",
		timeout_ms);
}

void mcp_reason_say_broken(mcp_reason *reason, int error) {
	if (error == 0) {
		mcp_reason_say(reason, "closed the connection without a reply");
		return;
	}
	snprintf(reason->text, sizeof(reason->text), "broke the connection: %s", words_for(error));
}

void mcp_reason_say_no_answer_within(mcp_reason *reason, uint32_t timeout_ms) {
	snprintf(reason->text, sizeof(reason->text), "did not reply within %" PRIu32 " ms", timeout_ms);
}

void mcp_reason_say_slow(mcp_reason *reason, uint64_t allowed_ms) {
	snprintf(reason->text, sizeof(reason->text), "took longer than %" PRIu64 " ms to reply",
		allowed_ms);
}

void mcp_reason_say_too_large(mcp_reason *reason, size_t bytes) {
	snprintf(reason->text, sizeof(reason->text), "sent a reply that is too large: %zu bytes",
		bytes);
}

/* Shows one line, ASCII only, because the text is logged. */
static void show(char shown[ANSWER_SHOWN_MAX + 4], mcp_bytes answer) {
	while (answer.length > 0 &&
		(answer.data[answer.length - 1] == '\n' || answer.data[answer.length - 1] == '\r')) {
		answer.length--;
	}
	size_t length = answer.length < ANSWER_SHOWN_MAX ? answer.length : ANSWER_SHOWN_MAX;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)answer.data[i];
		shown[i] = byte < 0x20 || byte >= 0x7f || byte == '"' ? '?' : answer.data[i];
	}
	strcpy(shown + length, length < answer.length ? "..." : "");
}

void mcp_reason_say_answered(mcp_reason *reason, const char *head, mcp_bytes answer,
	const char *verdict) {
	char shown[ANSWER_SHOWN_MAX + 4];
	show(shown, answer);
	snprintf(reason->text, sizeof(reason->text), "replied \"%s%s\"%s", head, shown, verdict);
}

/* Beginnings of memcached's own server errors (memcached.c, proto_text.c). A memcached that replies with one of these
 * errors has executed nothing. */
static bool is_memcacheds(const char *text) {
	static const char *const beginnings[] = {"out of memory", "object too large", "too large"};
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (mcp_caseless_compare_head(text, beginnings[i], strlen(beginnings[i])) == 0) {
			return true;
		}
	}
	return false;
}

bool mcp_reason_is_of_a_full_server(const mcp_reason *reason) {
	return strcmp(reason->text, "replied \"" MCP_REASON_FULL_SERVER "\"") == 0;
}

/* The text has the first ANSWER_SHOWN_MAX bytes of the reply, which include every beginning above. */
static const char server_error[] = "replied \"SERVER_ERROR ";
#define SERVER_ERROR_LENGTH (sizeof(server_error) - 1)

bool mcp_reason_is_a_server_error(const mcp_reason *reason) {
	return strncmp(reason->text, server_error, SERVER_ERROR_LENGTH) == 0;
}

bool mcp_reason_is_of_a_proxy(const mcp_reason *reason) {
	return mcp_reason_is_a_server_error(reason) &&
		!is_memcacheds(reason->text + SERVER_ERROR_LENGTH);
}
