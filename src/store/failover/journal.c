/* Keys are told apart by their hashes first: a look through a full journal is a thousand comparisons of numbers.
 * Then their bytes are compared: a made collision gains nothing. */
/* SPDX-License-Identifier: MIT */
#include "journal.h"

#include "../../core/vendor/xxh64.h"

#include <stdlib.h>

typedef struct mcp_journal_line {
	uint64_t hash;
	uint64_t fingerprint;
	size_t length;
	char *key; /* malloc'ed */
} mcp_journal_line;

static mcp_journal_line *line_at(const mcp_journal *journal, size_t index) {
	return &journal->lines[(journal->first + index) % MCP_JOURNAL_MAX];
}

static bool has(const mcp_journal *journal, mcp_bytes key, uint64_t hash) {
	for (size_t i = 0; i < journal->count; i++) {
		const mcp_journal_line *line = line_at(journal, i);
		if (line->hash == hash && mcp_bytes_equal(mcp_bytes_of(line->key, line->length), key)) {
			return true;
		}
	}
	return false;
}

static bool append(mcp_journal *journal, mcp_journal_entry entry, uint64_t hash) {
	if (journal->lines == NULL) {
		journal->lines = calloc(MCP_JOURNAL_MAX, sizeof(mcp_journal_line));
	}
	char *copy = malloc(entry.key.length + 1);
	if (journal->lines == NULL || copy == NULL) {
		free(copy);
		return false;
	}
	memcpy(copy, entry.key.data, entry.key.length);
	*line_at(journal, journal->count++) =
		(mcp_journal_line){hash, entry.fingerprint, entry.key.length, copy};
	return true;
}

bool mcp_journal_add(mcp_journal *journal, mcp_journal_entry entry) {
	uint64_t hash = XXH64(entry.key.data, entry.key.length, 0);
	if (has(journal, entry.key, hash)) {
		return true;
	}
	bool is_full = journal->count == MCP_JOURNAL_MAX;
	if (is_full) {
		mcp_journal_remove_oldest(journal);
	}
	return append(journal, entry, hash) && !is_full;
}

mcp_journal_entry mcp_journal_oldest(const mcp_journal *journal) {
	const mcp_journal_line *line = line_at(journal, 0);
	return (mcp_journal_entry){
		.key = mcp_bytes_of(line->key, line->length),
		.fingerprint = line->fingerprint,
	};
}

void mcp_journal_remove_oldest(mcp_journal *journal) {
	free(line_at(journal, 0)->key);
	journal->first = (journal->first + 1) % MCP_JOURNAL_MAX;
	journal->count--;
}

void mcp_journal_clear(mcp_journal *journal) {
	while (journal->count > 0) {
		mcp_journal_remove_oldest(journal);
	}
	free(journal->lines);
	*journal = (mcp_journal){0};
}
