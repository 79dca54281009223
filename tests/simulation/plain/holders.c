/* The id of a process is its client's number, from 1. The ids of further processes follow. */
/* SPDX-License-Identifier: MIT */
#include "plain/holders.h"

#include "plain/families/lock_items.h"

#include <stdlib.h>

enum { MEMORIES = 2, MEMORY_SIZE = 2048, FIRST_ID = 1, NOTES_MAX = 512 };

static const plain_world *world_of_ids;
static _Alignas(64) char memories[MEMORIES][MEMORY_SIZE];
static mcp_holders tables[MEMORIES];
static mcp_holder holders[PLAIN_CLIENTS_MAX], bystanders[MEMORIES];
/* Processes that have become another program with other memory since they forked the first ones. */
static mcp_holder former[PLAIN_CLIENTS_MAX];
static unsigned note_count;
/* The last write with a stamp. */
typedef struct note {
	uint64_t stamp;
	unsigned client;
	int operation;
} note;
static note notes[NOTES_MAX];

static note *find(uint64_t stamp) {
	for (unsigned i = 0; i < note_count; i++) {
		if (notes[i].stamp == stamp) {
			return &notes[i];
		}
	}
	return NULL;
}

static unsigned memory_of(const plain_client *client) {
	return client->index < 2 ? 0 : 1;
}

static bool is_gone(uint32_t pid, uint64_t start) {
	unsigned index = pid - FIRST_ID;
	return index < PLAIN_CLIENTS_MAX && world_of_ids->clients[index].is_dead;
}

static void enter(mcp_holder *holder, unsigned memory, uint32_t pid) {
	mcp_holder_name name = {.machine = 1, .start = 1, .pid = pid};
	mcp_holder_enter(holder, &tables[memory], &name, is_gone);
	if (holder->name.record == 0) {
		abort();
	}
}

void plain_holders_prepare(plain_world *world) {
	world_of_ids = world;
	note_count = 0;
	memset(memories, 0, sizeof(memories));
	for (unsigned i = 0; i < MEMORIES; i++) {
		if (!mcp_holders_open(&tables[i], memories[i], MEMORY_SIZE, i + 1)) {
			abort();
		}
		enter(&bystanders[i], i, FIRST_ID + PLAIN_CLIENTS_MAX + i);
	}
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		unsigned memory = memory_of(&world->clients[i]);
		enter(&holders[i], memory, FIRST_ID + i);
		if (memory != 0) {
			enter(&former[i], 0, FIRST_ID + i);
		}
	}
}

mcp_holder *plain_holder_of(const plain_client *client) {
	return &holders[client->index];
}

mcp_holder *plain_holder_beside(const plain_client *client) {
	return &bystanders[memory_of(client)];
}

void plain_holders_note(const sim_request *request) {
	note *known = find(plain_lock_item(sim_request_value(request)).stamp);
	if (known == NULL) {
		if (note_count == NOTES_MAX) {
			abort();
		}
		known = &notes[note_count++];
	}
	*known = (note){
		.stamp = plain_lock_item(sim_request_value(request)).stamp,
		.client = request->client,
		.operation = request->operation,
	};
}

const plain_client *plain_holders_writer(const plain_world *world, uint64_t stamp) {
	const note *known = find(stamp);
	return known != NULL ? &world->clients[known->client] : NULL;
}

bool plain_holders_know_orphan(const plain_world *world, const plain_client *beside,
	mcp_bytes value, plain_holders_view holds) {
	uint64_t stamp = plain_lock_item(value).stamp;
	const note *known = find(stamp);
	if (known == NULL) {
		return false;
	}
	const plain_client *writer = &world->clients[known->client];
	bool is_common = beside == NULL || memory_of(beside) == memory_of(writer);
	return writer->is_dead || (is_common && !holds(writer, stamp, known->operation));
}
