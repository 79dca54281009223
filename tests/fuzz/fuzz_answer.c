/* Feeds the reader of answers arbitrary bytes, raw and as damage to right answers. The answer read must lie within
 * what arrived, must not depend on what comes behind it, and must not be read before all of it is there. The reader
 * of hits must find what that one finds, and nothing else. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/protocol/answer.h"
#include "../../src/store/server/stat_lines.h"

/* Copies to a heap block of exactly that length: a sanitizer sees every byte read beyond it. */
static char *copy_of(mcp_bytes bytes) {
	char *copy = malloc(bytes.length > 0 ? bytes.length : 1);
	require(copy != NULL);
	if (bytes.length > 0) {
		memcpy(copy, bytes.data, bytes.length);
	}
	return copy;
}

static void require_within(mcp_bytes part, mcp_bytes whole) {
	require(part.length == 0 ||
		(part.data >= whole.data && part.data + part.length <= whole.data + whole.length));
}

static void require_alike(const mcp_answer *a, const mcp_answer *b) {
	require(a->kind == b->kind && a->length == b->length && a->cas == b->cas &&
		a->number == b->number && a->flags == b->flags && mcp_bytes_equal(a->key, b->key) &&
		mcp_bytes_equal(a->value, b->value) && mcp_bytes_equal(a->line, b->line));
}

static void require_same_line(void *context, mcp_bytes name, mcp_bytes value) {
	const mcp_answer *answer = context;
	require(mcp_bytes_equal(name, answer->key) && mcp_bytes_equal(value, answer->value));
}

/* Requires that a statistic is kept with its lengths, whatever bytes it has. */
static void require_kept(mcp_answer *answer) {
	for (size_t i = 0; i < answer->line.length; i++) {
		require((unsigned char)answer->line.data[i] >= ' ' && answer->line.data[i] != 0x7f);
	}
	mcp_buffer lines = {0};
	uint64_t number;
	require(mcp_stat_lines_add(&lines, answer->key, answer->value));
	require(mcp_stat_lines_add(&lines, answer->key, answer->value));
	mcp_stat_lines_visit(&lines, require_same_line, answer);
	mcp_stat_lines_number(&lines, "limit_maxbytes", &number);
	mcp_stat_lines_started_us(&lines, &number);
	mcp_buffer_free(&lines);
}

static void require_sense(mcp_bytes arrived, const mcp_answer *answer) {
	require_within(answer->line, arrived);
	require_within(answer->key, arrived);
	require_within(answer->value, arrived);
	if (answer->kind == MCP_ANSWER_INCOMPLETE) {
		require(answer->length > arrived.length);
		return;
	}
	require(answer->length > 0 && answer->length <= arrived.length);
	if (answer->kind == MCP_ANSWER_VALUE || answer->kind == MCP_ANSWER_CONFIG) {
		require(answer->key.length > 0 &&
			memchr(answer->key.data, ' ', answer->key.length) == NULL);
		require(answer->line.length + 2 + answer->value.length + 2 == answer->length);
	}
}

/* Eight bytes more for each number of more than eight digits. */
#define HIT_ROOM_MAX (MCP_ANSWER_HIT_ROOM + 2 * 8)

/* Says whether an item's line is short enough for the reader of hits, which leaves the others to this one. */
static bool has_few_digits(const mcp_answer *answer) {
	const char *at = answer->key.data + answer->key.length + 1;
	const char *end = answer->line.data + answer->line.length;
	static const long most[] = {10, 8, 16};
	for (size_t i = 0; i < 3; i++) {
		const char *space = memchr(at, ' ', (size_t)(end - at));
		bool is_last = space == NULL;
		if (is_last != (i == 2) || (is_last ? end : space) - at > most[i]) {
			return false;
		}
		at = is_last ? end : space + 1;
	}
	return true;
}

static bool is_whole_hit(mcp_bytes whole, const mcp_answer *answer) {
	return answer->kind == MCP_ANSWER_VALUE && whole.length == answer->length + 5 &&
		memcmp(whole.data + answer->length, "END\r\n", 5) == 0;
}

/* Reads it with anything behind it, and requires no more than that one takes for an item. */
static void read_as_first(mcp_bytes arrived, const mcp_answer *answer) {
	mcp_bytes asked = answer->key.length > 0 ? answer->key : mcp_bytes_of("key", 3);
	mcp_answer_hit hit;
	size_t length = mcp_answer_hit_first(arrived, asked, &hit);
	if (length > 0) {
		require(answer->kind == MCP_ANSWER_VALUE && length == answer->length);
		require(mcp_bytes_equal(answer->key, asked));
		require(hit.value.data == answer->value.data && hit.value.length == answer->value.length);
		require(hit.flags == answer->flags && hit.cas == answer->cas);
	} else if (answer->kind == MCP_ANSWER_VALUE && answer->key.length <= 250 &&
		has_few_digits(answer)) {
		require(arrived.length < 6 + asked.length + HIT_ROOM_MAX);
	}
}

static void read_as_hit(mcp_bytes whole, const mcp_answer *answer) {
	read_as_first(whole, answer);
	char *key = copy_of(answer->key.length > 0 ? answer->key : mcp_bytes_of("key", 3));
	mcp_bytes asked = mcp_bytes_of(key, answer->key.length > 0 ? answer->key.length : 3);
	mcp_answer_hit hit;
	if (mcp_answer_hit_read(whole, asked, &hit)) {
		require(is_whole_hit(whole, answer) && mcp_bytes_equal(answer->key, asked));
		require(hit.value.data == answer->value.data && hit.value.length == answer->value.length);
		require(hit.flags == answer->flags && hit.cas == answer->cas);
		key[asked.length / 2] ^= 1;
		require(!mcp_answer_hit_read(whole, asked, &hit));
	} else if (is_whole_hit(whole, answer) && answer->key.length <= 250 && has_few_digits(answer)) {
		require(whole.length < 6 + asked.length + HIT_ROOM_MAX);
	}
	free(key);
}

/* Reads it whole, all but its end, and with what stood behind it gone. */
static void read_all_ways(mcp_bytes arrived, size_t cut) {
	char *bytes = copy_of(arrived);
	mcp_bytes whole = mcp_bytes_of(bytes, arrived.length);
	mcp_answer answer;
	mcp_answer_read(whole, &answer);
	require_sense(whole, &answer);
	read_as_hit(whole, &answer);
	if (answer.kind == MCP_ANSWER_STATISTIC) {
		require_kept(&answer);
	}
	if (answer.kind > MCP_ANSWER_NONSENSE) {
		mcp_answer part;
		char *alone = copy_of(mcp_bytes_of(bytes, answer.length));
		mcp_answer_read(mcp_bytes_of(alone, answer.length), &part);
		require_alike(&answer, &part);
		free(alone);
		size_t shorter = cut % answer.length;
		char *beginning = copy_of(mcp_bytes_of(bytes, shorter));
		mcp_answer_read(mcp_bytes_of(beginning, shorter), &part);
		require(part.kind == MCP_ANSWER_INCOMPLETE && part.length <= answer.length);
		free(beginning);
	}
	free(bytes);
}

static const char *const right[] = {"VALUE key 65552 7 123456\r\nHello\r\n\r\nEND\r\n",
	"VALUE a:key 65536 47 12345678\r\n0123456789012345678901234567890123456789\r\nEND\r\n\r\nEND\r\n",
	"VALUE another_key_of_many_bytes 16842752 9 1234567890123456\r\n123456789\r\nEND\r\n",
	"VALUE k 131072 29 7\r\nVALUE k 0 0 7\r\n\r\nEND\r\nVALUE !\r\nEND\r\n", "VALUE k 0 0\r\n\r\n",
	"END\r\n", "STORED\r\n", "NOT_STORED\r\n", "EXISTS\r\n", "NOT_FOUND\r\n", "DELETED\r\n",
	"TOUCHED\r\n", "OK\r\n", "18446744073709551615\r\n", "9 \r\n",
	"STAT limit_maxbytes 67108864\r\n", "STAT name\r\n", "STAT uptime 5\r\nSTAT time 17\r\nEND\r\n",
	"CONFIG cluster 0 21\r\n12\na|10.0.0.1|11211 \n\r\nEND\r\n", "VERSION 1.6.18\r\n", "MN\r\n",
	"HD\r\n", "HD c123456 kname\r\n", "NS\r\n", "EX\r\n", "NF\r\n", "ERROR\r\n",
	"CLIENT_ERROR bad data chunk\r\n", "SERVER_ERROR out of memory storing object\r\n"};

/* Reads a right answer, of which a few bytes are others: each pair of the input is a place and a byte. */
static void read_damaged(const uint8_t *data, size_t size) {
	const char *text = right[data[0] % (sizeof(right) / sizeof(*right))];
	size_t length = strlen(text);
	char *damaged = copy_of(mcp_bytes_of(text, length));
	for (size_t i = 2; i + 1 < size && i < 8; i += 2) {
		if (data[i] < 200) {
			damaged[data[i] % length] = (char)data[i + 1];
		}
	}
	read_all_ways(mcp_bytes_of(damaged, length - data[1] % length), size);
	free(damaged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	read_all_ways(mcp_bytes_of((const char *)data, size), size);
	if (size >= 2) {
		read_damaged(data, size);
	}
	return 0;
}
