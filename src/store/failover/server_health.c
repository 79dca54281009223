/* Bookkeeping of outages, journals and recovery marks. Only mcp_mark_take sends requests. */
/* SPDX-License-Identifier: MIT */
#include "server_health.h"

#include "../../core/bytes.h"
#include "../../core/vendor/xxh64.h"

#include <stdlib.h>

/* The hash makes searches of a full journal (1,024 keys) fast. The bytes are also compared, because an attacker can
 * choose keys with the same hash. */

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

mcp_server_health *mcp_server_health_create(size_t count, uint64_t process_number,
	const mcp_environment *environment) {
	size_t size = sizeof(mcp_server_health) + count * sizeof(mcp_server_health_entry);
	mcp_server_health *known = calloc(1, size);
	if (known != NULL) {
		known->count = count;
		known->environment = environment;
		known->process_number = process_number;
	}
	return known;
}

static void free_entry(mcp_server_health_entry *server) {
	mcp_journal_clear(&server->journal);
	free(server->lent);
}

void mcp_server_health_forget(mcp_server_health *known, uint64_t process_number) {
	for (size_t i = 0; i < known->count; i++) {
		free_entry(&known->servers[i]);
		known->servers[i] = (mcp_server_health_entry){.heard_ms = known->servers[i].heard_ms};
	}
	known->changing_length = 0;
	known->outages = 0;
	known->process_number = process_number;
}

void mcp_server_health_free(mcp_server_health *known) {
	for (size_t i = 0; i < known->count; i++) {
		free_entry(&known->servers[i]);
	}
	free(known);
}

void mcp_server_health_begin_change(mcp_server_health *known, const mcp_key *key) {
	if (key->wire.length <= sizeof(known->changing)) {
		memcpy(known->changing, key->wire.data, key->wire.length);
		known->changing_length = key->wire.length;
		known->changing_fingerprint = key->fingerprint;
	}
}

unsigned mcp_server_health_end_change(mcp_server_health *known) {
	unsigned dropped = known->dropped;
	known->changing_length = 0;
	known->dropped = 0;
	return dropped;
}

void mcp_server_health_note_change(mcp_server_health *known, size_t index) {
	mcp_journal_entry change = {
		.key = mcp_bytes_of(known->changing, known->changing_length),
		.fingerprint = known->changing_fingerprint,
	};
	if (change.key.length > 0) {
		known->dropped += !mcp_journal_add(&known->servers[index].journal, change);
	}
}

mcp_known_mark *mcp_server_health_lent(mcp_server_health *known, size_t home, size_t at) {
	mcp_server_health_entry *server = &known->servers[home];
	if (server->lent == NULL) {
		server->lent = calloc(known->count, sizeof(mcp_known_mark));
	}
	return server->lent != NULL ? &server->lent[at] : NULL;
}

/* Each process has one mark item per server, and every new mark overwrites it. No other process reads this item. */

/* The item is read back immediately and not needed afterwards. */
#define MARK_TTL_MS 60000

static mcp_key key_of(mcp_key_buffer *buffer, uint64_t process_number) {
	char name[MCP_HEX_U64_LENGTH];
	mcp_key_parts parts = {
		.space = MCP_SPACE_MARK,
		.name = mcp_bytes_of(name, mcp_hex_write_u64(process_number, name)),
	};
	return mcp_key_make(buffer, &parts);
}

mcp_status mcp_mark_take(mcp_mark *mark, mcp_store *server, uint64_t process_number) {
	mcp_key_buffer buffer;
	mcp_key key = key_of(&buffer, process_number);
	mcp_record record = {.ttl_ms = MARK_TTL_MS};
	mark->is_set = false;
	mcp_status status = mcp_store_set(server, &key, &record);
	if (status == MCP_OK) {
		status = mcp_store_cas_of(server, &key, &mark->cas);
	}
	mark->cas = mark->cas == 0 ? UINT64_MAX : mark->cas;
	mark->is_set = status == MCP_OK;
	return status;
}
