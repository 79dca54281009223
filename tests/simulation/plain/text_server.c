/* Parses commands and writes replies. The store in memory executes writes. An unknown command is a bug of the
 * simulator. */
/* SPDX-License-Identifier: MIT */
#include "plain/text_server.h"

#include "../../../src/core/bytes.h"
#include "../../../src/core/envelope/envelope.h"
#include "plain/client.h"

#include <stdlib.h>

enum { WORDS_MAX = 8 };

typedef struct words {
	unsigned count;
	mcp_bytes of[WORDS_MAX];
} words;

static words split(mcp_bytes line) {
	words found = {.count = 0};
	const char *end = line.data + line.length;
	for (const char *at = line.data; at < end && found.count < WORDS_MAX; at++) {
		const char *space = memchr(at, ' ', (size_t)(end - at));
		const char *stop = space != NULL ? space : end;
		found.of[found.count++] = mcp_bytes_of(at, (size_t)(stop - at));
		at = stop;
	}
	return found;
}

static bool is_word(mcp_bytes word, const char *text) {
	return mcp_bytes_equal(word, mcp_bytes_text(text));
}

static uint64_t number_in(mcp_bytes word) {
	uint64_t number;
	if (mcp_decimal_scan_u64(word.data, word.data + word.length, &number) == word.data) {
		abort();
	}
	return number;
}

/* Returns the end of the line, or NULL if it has not arrived. */
static const char *end_of_line(mcp_bytes arrived) {
	for (size_t i = 0; i + 1 < arrived.length; i++) {
		if (arrived.data[i] == '\r' && arrived.data[i + 1] == '\n') {
			return arrived.data + i;
		}
	}
	return NULL;
}

static bool find_verb(const words *line, mcp_op_verb *verb) {
	for (*verb = MCP_OP_ADD; *verb <= MCP_OP_DELETE; ++*verb) {
		if (is_word(line->of[0], sim_verb_name(*verb))) {
			return true;
		}
	}
	*verb = MCP_OP_DELETE_IF;
	return is_word(line->of[0], "md");
}

static bool has_value(mcp_op_verb verb) {
	return verb == MCP_OP_ADD || verb == MCP_OP_SET || verb == MCP_OP_CAS;
}

static void begin(sim_request *request, mcp_op_verb verb, mcp_bytes key,
	const plain_client *client) {
	*request = (sim_request){
		.verb = verb,
		.client = (uint8_t)client->index,
		.operation = client->operation,
	};
	sim_request_name(request, key);
}

/* Parses "<verb> <key> <flags> <expiry> <bytes> [<cas>]". A cas with a past expiry is a delete, as in store.h. */
static void fill(sim_request *request, const words *line, const char *value) {
	uint64_t expiry = number_in(line->of[3]);
	request->flags = (uint32_t)number_in(line->of[2]);
	request->ttl_ms = expiry * 1000;
	uint64_t length = number_in(line->of[4]);
	if (length > SIM_BYTES_MAX) {
		abort();
	}
	request->length = (uint16_t)length;
	memcpy(request->bytes, value, request->length);
	if (request->verb == MCP_OP_CAS) {
		request->cas = number_in(line->of[5]);
		request->verb = expiry == MCP_EXPIRY_PAST ? MCP_OP_DELETE_IF : MCP_OP_CAS;
	}
}

plain_command plain_text_read(mcp_bytes arrived, const plain_client *client) {
	plain_command command = {.length = 0};
	const char *end = end_of_line(arrived);
	if (end == NULL) {
		return command;
	}
	command.line = mcp_bytes_of(arrived.data, (size_t)(end - arrived.data));
	words line = split(command.line);
	mcp_op_verb verb;
	size_t length = command.line.length + 2;
	command.is_write = find_verb(&line, &verb);
	if (command.is_write) {
		begin(&command.request, verb, line.of[1], client);
	}
	if (command.is_write && has_value(verb)) {
		length += number_in(line.of[4]) + 2;
		if (arrived.length >= length) {
			fill(&command.request, &line, end + 2);
		}
	} else if (command.is_write && verb == MCP_OP_DELETE_IF) {
		mcp_bytes id = line.of[2]; /* "C<cas>" */
		command.request.cas = number_in(mcp_bytes_of(id.data + 1, id.length - 1));
	}
	command.length = arrived.length >= length ? length : 0;
	return command;
}

static void add(plain_answer *answer, mcp_bytes bytes) {
	if (answer->length + bytes.length > PLAIN_ANSWER_MAX) {
		abort();
	}
	memcpy(answer->bytes + answer->length, bytes.data, bytes.length);
	answer->length += bytes.length;
}

void plain_text_add(plain_answer *answer, const char *line) {
	add(answer, mcp_bytes_text(line));
}

static void answer_write(const plain_command *command, mcp_status status, plain_answer *answer) {
	bool is_meta = command->line.data[0] == 'm';
	bool deletes = command->request.verb == MCP_OP_DELETE;
	switch (status) {
		case MCP_OK:
			plain_text_add(answer, is_meta ? "HD\r\n" : deletes ? "DELETED\r\n" : "STORED\r\n");
			break;
		case MCP_NOT_FOUND:
			plain_text_add(answer, is_meta ? "NF\r\n" : "NOT_FOUND\r\n");
			break;
		case MCP_EXISTS:
			plain_text_add(answer, is_meta ? "EX\r\n" : "EXISTS\r\n");
			break;
		case MCP_NOT_STORED:
			plain_text_add(answer, "NOT_STORED\r\n");
			break;
		default:
			abort();
	}
}

static void answer_read(plain_world *world, const words *line, plain_answer *answer) {
	for (unsigned i = 1; i < line->count; i++) {
		mcp_key key = {.wire = line->of[i], .route = line->of[i]};
		mcp_item item;
		char head[128];
		if (plain_peek(world, &key, &item) == MCP_OK) {
			snprintf(head, sizeof(head), "VALUE %.*s %u %zu %llu\r\n", (int)key.wire.length,
				key.wire.data, (unsigned)item.flags, item.value.length,
				(unsigned long long)item.cas);
			plain_text_add(answer, head);
			add(answer, item.value);
			plain_text_add(answer, "\r\n");
		}
	}
	plain_text_add(answer, "END\r\n");
}

/* A server without meta commands has no proofs. */
static void answer_question(const plain_world *world, mcp_bytes line, plain_answer *answer) {
	if (is_word(line, "mn")) {
		plain_text_add(answer, world->proves ? "MN\r\n" : "ERROR\r\n");
	} else if (is_word(line, "version")) {
		plain_text_add(answer, world->proves ? "VERSION 1.6.21\r\n" : "VERSION 1.4.34\r\n");
	} else if (is_word(line, "stats settings")) {
		plain_text_add(answer, "STAT cas_enabled yes\r\nEND\r\n");
	} else {
		abort();
	}
}

void plain_text_carry_out(plain_world *world, const plain_command *command, plain_answer *answer) {
	words line = split(command->line);
	sim_told told;
	if (command->is_write) {
		answer_write(command, plain_client_execute(world, &command->request, &told), answer);
	} else if (is_word(line.of[0], "gets")) {
		answer_read(world, &line, answer);
	} else {
		answer_question(world, command->line, answer);
	}
}
