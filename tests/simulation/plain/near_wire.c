/* Lets time pass between a store's answer and what its client makes of it. */
/* SPDX-License-Identifier: MIT */
#include "plain/near_wire.h"

static const mcp_store_operations *direct;
static mcp_store_operations slow;

static mcp_status linger(mcp_store *store, mcp_status status) {
	plain_client *client = (plain_client *)(void *)store;
	if (!client->world->is_quiet) {
		plain_sleep(client, 1);
	}
	return status;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return linger(store, direct->get(store, key, item));
}
static mcp_status add(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return linger(store, direct->add(store, key, record));
}
static mcp_status set(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	return linger(store, direct->set(store, key, record));
}
static mcp_status cas(mcp_store *store, const mcp_key *key, const mcp_record *record, uint64_t id) {
	return linger(store, direct->cas(store, key, record, id));
}
static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	/* clang-format off */
	return linger(store, direct->delete(store, key));
	/* clang-format on */
}
static void leave(mcp_store *store) {
	(void)store;
}

void plain_slow_down(plain_client *client) {
	if (client->door.store.operations != &slow) {
		direct = client->door.store.operations;
	}
	slow = *direct;
	slow.get = get;
	slow.add = add;
	slow.set = set;
	slow.cas = cas;
	/* clang-format off */
	slow.delete = delete_one;
	/* clang-format on */
	slow.free = leave;
	client->door.store.operations = &slow;
}
