/* Discovery of a cluster's servers. Checks the reply strictly, because the list determines the server of every key. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_cluster.h"

#include "wire_direct.h"
#include "wire_direct_line.h"

#define QUESTION "config get cluster\r\n"
#define KEY "cluster"
#define OLDER_QUESTION "get AmazonElastiCache:cluster\r\n"
#define OLDER_KEY "AmazonElastiCache:cluster"

/* A request, and the reply that it expects. */
typedef struct question {
	const char *text;
	mcp_answer_kind kind;
	const char *key;
} question;

static const question by_command = {QUESTION, MCP_ANSWER_CONFIG, KEY};
static const question by_key = {OLDER_QUESTION, MCP_ANSWER_VALUE, OLDER_KEY};

static mcp_status judge_list(mcp_direct *self, mcp_cluster_verdict verdict) {
	switch (verdict) {
		case MCP_CLUSTER_RIGHT:
			return MCP_OK;
		case MCP_CLUSTER_EMPTY:
			mcp_reason_say(&self->reason, "replied with a list of 0 servers");
			return MCP_NOT_FOUND;
		case MCP_CLUSTER_TOO_LONG:
			mcp_reason_say(&self->reason, "replied with a list of too many servers");
			return MCP_PROTOCOL;
		default:
			mcp_reason_say(&self->reason, "replied with an invalid list of servers");
			return MCP_PROTOCOL;
	}
}

/* Parse the list before the end of the reply is received, because receiving can move the list's bytes. */
static mcp_status take_list(mcp_direct *self, const mcp_answer *answer, mcp_cluster *cluster) {
	mcp_cluster_verdict verdict = mcp_cluster_read(answer->value, cluster);
	mcp_answer end;
	mcp_status status = mcp_direct_hear(self, &self->lines, false, &end);
	if (status != MCP_OK) {
		return status;
	}
	if (end.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &end);
	}
	status = mcp_direct_finish(self, &self->lines, &end);
	return status == MCP_OK ? judge_list(self, verdict) : status;
}

/* MCP_UNSUPPORTED: unknown request, or missing key. */
static mcp_status hear_list(mcp_direct *self, const question *asked, mcp_cluster *cluster) {
	mcp_answer answer;
	mcp_status status = mcp_direct_hear(self, &self->lines, false, &answer);
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == asked->kind && mcp_bytes_equal(answer.key, mcp_bytes_text(asked->key))) {
		return take_list(self, &answer, cluster);
	}
	if (!mcp_direct_is_refusal(&answer) && answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	mcp_reason_say_answered(&self->reason, "", answer.line,
		" to \"config get cluster\": it is not a discovery endpoint");
	status = mcp_direct_finish(self, &self->lines, &answer);
	return status == MCP_OK ? MCP_UNSUPPORTED : status;
}

static mcp_status ask_for_list(mcp_direct *self, const question *asked, mcp_cluster *cluster) {
	mcp_bytes text = mcp_bytes_text(asked->text);
	mcp_status status = mcp_direct_send(self, &self->lines, &text, 1);
	return status == MCP_OK ? hear_list(self, asked, cluster) : status;
}

/* If both requests are rejected, keep the first reason. */
static mcp_status ask_both_ways(mcp_direct *self, mcp_cluster *cluster) {
	mcp_status status = ask_for_list(self, &by_command, cluster);
	if (status != MCP_UNSUPPORTED) {
		return status;
	}
	mcp_reason reason = self->reason;
	status = ask_for_list(self, &by_key, cluster);
	if (status == MCP_UNSUPPORTED) {
		self->reason = reason;
	}
	return status;
}

static mcp_item_size_limits list_size_limit(const mcp_environment *environment) {
	(void)environment;
	return (mcp_item_size_limits){MCP_CLUSTER_ANSWER_MAX, MCP_CLUSTER_ANSWER_MAX};
}

mcp_status mcp_wire_direct_discover(const mcp_wire_settings *settings,
	const mcp_environment *environment, mcp_cluster *cluster, mcp_reason *reason) {
	mcp_environment bounded = *environment;
	bounded.item_size_limits = list_size_limit;
	mcp_wire *wire = mcp_wire_direct_create(settings, &bounded);
	if (wire == NULL) {
		mcp_reason_say(reason, "received no request: this process is out of memory");
		return MCP_UNREACHABLE;
	}
	mcp_direct *self = mcp_direct_of(wire);
	self->keys_asked = 1;
	mcp_status status = ask_both_ways(self, cluster);
	*reason = self->reason;
	mcp_wire_free(wire);
	return status;
}
