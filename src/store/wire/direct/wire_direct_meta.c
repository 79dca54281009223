/* Asks by meta commands, and before that whether there are any.
 *
 * One question, of three requests that change nothing: "mn" (does it know the meta commands?), its version, and its
 * settings. A proxy's own answer says nothing of the server behind it, which may be restarted, and count its cas
 * ids anew, while the connection to the proxy lasts. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_meta.h"

#define QUESTION "mn\r\nversion\r\nstats settings\r\n"
/* memcached's settings are three thousand bytes. */
#define SETTINGS_MAX ((size_t)64 * 1024)

/* The first version with meta commands that have been tried; some cas ids of older ones are wrong (release notes). */
static const uint64_t version_min[] = {1, 6, 13};
#define VERSION_PARTS (sizeof(version_min) / sizeof(*version_min))

/* The answers so far. */
typedef struct introduction {
	bool knows_meta, is_recent, gives_cas, is_proxy;
	size_t heard; /* bytes of settings */
} introduction;

/* Recognizes "1.6.18", or with something behind it. */
static bool is_recent(mcp_bytes version) {
	const char *at = version.data;
	const char *end = version.data + version.length;
	for (size_t i = 0; i < VERSION_PARTS; i++) {
		uint64_t part;
		const char *next = mcp_decimal_scan_u64(at, end, &part);
		if (next == at || part < version_min[i]) {
			return false;
		}
		if (part > version_min[i]) {
			return true;
		}
		at = next < end && *next == '.' ? next + 1 : next;
	}
	return true;
}

static bool is_text(mcp_bytes bytes, const char *text) {
	return mcp_bytes_equal(bytes, mcp_bytes_of(text, strlen(text)));
}

static void note_setting(introduction *of, const mcp_answer *answer) {
	bool is_yes = is_text(answer->value, "yes");
	of->gives_cas |= is_yes && is_text(answer->key, "cas_enabled");
	of->is_proxy |= is_yes && is_text(answer->key, "proxy_enabled");
	of->heard += answer->length;
}

static bool is_refused(const mcp_answer *answer) {
	return answer->kind == MCP_ANSWER_ERROR || answer->kind == MCP_ANSWER_CLIENT_ERROR ||
		answer->kind == MCP_ANSWER_SERVER_ERROR;
}

/* Expects an answer of this kind, or that the command is not known: *is_it says which. */
static mcp_status expect(mcp_direct *self, mcp_answer_kind kind, mcp_answer *answer, bool *is_it) {
	mcp_status status = mcp_direct_hear(self, &self->lines, false, answer);
	if (status != MCP_OK) {
		return status;
	}
	*is_it = answer->kind == kind;
	return *is_it || is_refused(answer) ? MCP_OK : mcp_direct_turn_down(self, answer);
}

static mcp_status hear_settings(mcp_direct *self, introduction *of) {
	mcp_answer answer;
	bool is_it;
	mcp_status status;
	while ((status = mcp_direct_hear(self, &self->lines, false, &answer)) == MCP_OK &&
		answer.kind == MCP_ANSWER_STATISTIC && of->heard <= SETTINGS_MAX) {
		note_setting(of, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	is_it = answer.kind == MCP_ANSWER_END || is_refused(&answer);
	return is_it ? mcp_direct_finish(self, &self->lines, &answer)
				 : mcp_direct_turn_down(self, &answer);
}

static mcp_status hear_all(mcp_direct *self, introduction *of) {
	mcp_answer answer;
	mcp_status status = expect(self, MCP_ANSWER_NO_OPERATION, &answer, &of->knows_meta);
	if (status == MCP_OK) {
		status = expect(self, MCP_ANSWER_VERSION, &answer, &of->is_recent);
	}
	if (status != MCP_OK) {
		return status;
	}
	of->is_recent = of->is_recent && is_recent(answer.value);
	return hear_settings(self, of);
}

static void lose_question(mcp_direct *self, mcp_status status) {
	if (status == MCP_BROKEN || mcp_status_is_useless(status)) {
		self->questions_lost++;
		self->base.has_learnt = self->questions_lost >= MCP_DIRECT_QUESTIONS_MAX;
	}
}

mcp_status mcp_direct_learn(mcp_wire *base) {
	mcp_direct *self = mcp_direct_of(base);
	introduction of = {.heard = 0};
	mcp_bytes question = mcp_bytes_of(QUESTION, sizeof(QUESTION) - 1);
	if (mcp_direct_has_ended(self)) {
		return MCP_UNSUPPORTED;
	}
	mcp_status status = mcp_direct_send(self, &self->lines, &question, 1);
	if (status == MCP_OK) {
		status = hear_all(self, &of);
	}
	if (status != MCP_OK) {
		lose_question(self, status);
		return status == MCP_REFUSED ? MCP_PROTOCOL : status;
	}
	self->questions_lost = 0;
	self->base.has_learnt = true;
	self->knows_meta = of.knows_meta && of.is_recent && of.gives_cas && !of.is_proxy;
	if (self->knows_meta) {
		self->last_connection = mcp_proof_name_connection(self->last_connection, self->environment);
		self->connection = self->last_connection;
	}
	return MCP_OK;
}

#define LEFT "HD t"
#define LEFT_LENGTH (sizeof(LEFT) - 1)

/* Reads "HD t59", and "HD t-1" if there is no end; nothing more was asked for. More than 32 bits memcached does
 * not have. */
static bool read_left(const mcp_answer *answer, uint64_t *seconds) {
	mcp_bytes line = answer->line;
	if (line.length <= LEFT_LENGTH || memcmp(line.data, LEFT, LEFT_LENGTH) != 0) {
		return false;
	}
	mcp_bytes left = mcp_bytes_of(line.data + LEFT_LENGTH, line.length - LEFT_LENGTH);
	if (is_text(left, "-1")) {
		*seconds = MCP_WIRE_NO_END;
		return true;
	}
	return mcp_decimal_parse_u64(left, seconds) && *seconds <= UINT32_MAX;
}

/* Takes the answer; whoever does not know the command answers "ERROR" and goes on. */
static mcp_status take_left(mcp_direct *self, const mcp_answer *answer, uint64_t *seconds) {
	bool is_unknown = answer->kind == MCP_ANSWER_ERROR;
	bool is_answer = is_unknown || answer->kind == MCP_ANSWER_MISS || read_left(answer, seconds);
	mcp_status status = is_answer ? mcp_direct_finish(self, &self->lines, answer)
								  : mcp_direct_turn_down(self, answer);
	if (status != MCP_OK) {
		return status;
	}
	self->knows_meta = self->knows_meta && !is_unknown;
	return is_unknown ? MCP_UNSUPPORTED : answer->kind == MCP_ANSWER_MISS ? MCP_NOT_FOUND : MCP_OK;
}

mcp_status mcp_direct_seconds_left(mcp_wire *base, mcp_bytes key, uint64_t *seconds) {
	mcp_direct *self = mcp_direct_of(base);
	if (!self->knows_meta) {
		return MCP_UNSUPPORTED;
	}
	mcp_request request;
	mcp_answer answer;
	mcp_request_begin(&request, "mg ", key);
	mcp_request_add(&request, " t", 2);
	mcp_status status = mcp_direct_send_line(self, &self->lines, &request);
	if (status == MCP_OK) {
		status = mcp_direct_hear(self, &self->lines, false, &answer);
	}
	return status == MCP_OK ? take_left(self, &answer, seconds) : status;
}

uint64_t mcp_direct_connection(const mcp_wire *base) {
	return ((const mcp_direct *)base)->connection;
}

bool mcp_direct_holds(const mcp_wire *base, const mcp_proof *proof) {
	return mcp_proof_holds(proof, mcp_direct_connection(base));
}
