/* Plain bookkeeping: nothing here asks a server. */
/* SPDX-License-Identifier: MIT */
#include "known_servers.h"

#include <stdlib.h>

mcp_known_servers *mcp_known_servers_create(size_t count, uint64_t process_number,
	const mcp_environment *environment) {
	size_t size = sizeof(mcp_known_servers) + count * sizeof(mcp_known_server);
	mcp_known_servers *known = calloc(1, size);
	if (known != NULL) {
		known->count = count;
		known->environment = environment;
		known->process_number = process_number;
	}
	return known;
}

static void release(mcp_known_server *server) {
	mcp_journal_clear(&server->journal);
	free(server->lent);
}

void mcp_known_servers_forget(mcp_known_servers *known, uint64_t process_number) {
	for (size_t i = 0; i < known->count; i++) {
		release(&known->servers[i]);
		known->servers[i] = (mcp_known_server){.heard_ms = known->servers[i].heard_ms};
	}
	known->changing_length = 0;
	known->outages = 0;
	known->process_number = process_number;
}

void mcp_known_servers_free(mcp_known_servers *known) {
	for (size_t i = 0; i < known->count; i++) {
		release(&known->servers[i]);
	}
	free(known);
}

void mcp_known_servers_begin_change(mcp_known_servers *known, const mcp_key *key) {
	if (key->wire.length <= sizeof(known->changing)) {
		memcpy(known->changing, key->wire.data, key->wire.length);
		known->changing_length = key->wire.length;
		known->changing_fingerprint = key->fingerprint;
	}
}

unsigned mcp_known_servers_end_change(mcp_known_servers *known) {
	unsigned dropped = known->dropped;
	known->changing_length = 0;
	known->dropped = 0;
	return dropped;
}

void mcp_known_servers_note_change(mcp_known_servers *known, size_t index) {
	mcp_journal_entry change = {
		.key = mcp_bytes_of(known->changing, known->changing_length),
		.fingerprint = known->changing_fingerprint,
	};
	if (change.key.length > 0) {
		known->dropped += !mcp_journal_add(&known->servers[index].journal, change);
	}
}

mcp_known_mark *mcp_known_servers_lent(mcp_known_servers *known, size_t home, size_t at) {
	mcp_known_server *server = &known->servers[home];
	if (server->lent == NULL) {
		server->lent = calloc(known->count, sizeof(mcp_known_mark));
	}
	return server->lent != NULL ? &server->lent[at] : NULL;
}
