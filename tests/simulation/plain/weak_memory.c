/* Each client has at most one pending store. It takes effect before the next store, at a fence, or at random. */
/* SPDX-License-Identifier: MIT */
#include "plain/weak_memory.h"

#include "plain/world.h"

typedef struct waiting_store {
	mcp_atomic_u64 *word; /* NULL: none pending */
	uint64_t value;
	bool is_exchange; /* must not replace a larger value */
} waiting_store;

static waiting_store stores[PLAIN_CLIENTS_MAX];

void plain_weak_prepare(void) {
	memset(stores, 0, sizeof(stores));
}

static void drain(waiting_store *store) {
	if (store->word != NULL && (!store->is_exchange || *store->word < store->value)) {
		*store->word = store->value;
	}
	store->word = NULL;
}

static void keep(mcp_atomic_u64 *word, uint64_t value, bool is_exchange) {
	plain_client *client = plain_running();
	if (client == NULL || client->world->is_quiet) {
		*word = value;
		return;
	}
	drain(&stores[client->index]);
	stores[client->index] = (waiting_store){word, value, is_exchange};
}

static uint64_t seen(const mcp_atomic_u64 *word) {
	const plain_client *client = plain_running();
	bool is_own = client != NULL && stores[client->index].word == word;
	return is_own ? stores[client->index].value : *word;
}

bool plain_weak_exchange(mcp_atomic_u64 *word, uint64_t *expected, uint64_t value) {
	uint64_t found = seen(word);
	bool is_exchanged = found == *expected;
	*expected = found;
	if (is_exchanged) {
		bool is_larger = value > *word;
		keep(word, value, is_larger);
	}
	return is_exchanged;
}

/* Lets others run before the store. */
void plain_weak_store(mcp_atomic_u64 *word, uint64_t value) {
	plain_client *client = plain_running();
	if (client != NULL) {
		plain_give_way(client);
	}
	keep(word, value, false);
}

uint64_t plain_weak_load_u64(const mcp_atomic_u64 *word) {
	return seen(word);
}

uint32_t plain_weak_load_u32(const mcp_atomic_u32 *word) {
	plain_client *client = plain_running();
	if (client != NULL && sim_chance(client->world->choices, 30)) {
		drain(&stores[client->index]);
	}
	return *word;
}

void plain_weak_fence(void) {
	plain_client *client = plain_running();
	if (client != NULL) {
		drain(&stores[client->index]);
	}
}
