/* Plain bookkeeping: nothing here asks a server. */
/* SPDX-License-Identifier: MIT */
#include "server_health.h"

#include <stdlib.h>

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

static void release(mcp_server_health_entry *server) {
	mcp_journal_clear(&server->journal);
	free(server->lent);
}

void mcp_server_health_forget(mcp_server_health *known, uint64_t process_number) {
	for (size_t i = 0; i < known->count; i++) {
		release(&known->servers[i]);
		known->servers[i] = (mcp_server_health_entry){.heard_ms = known->servers[i].heard_ms};
	}
	known->changing_length = 0;
	known->outages = 0;
	known->process_number = process_number;
}

void mcp_server_health_free(mcp_server_health *known) {
	for (size_t i = 0; i < known->count; i++) {
		release(&known->servers[i]);
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
