/* A cluster of two stores in memory, and one of a store that is listed twice: where calls go, that each
 * member is asked once, and that all views of one answer live together. */
/* SPDX-License-Identifier: MIT */
#include "faults_items.h"

#include "../../src/store/cluster/store_cluster.h"
#include "../../src/store/memory/store_memory.h"
#include "../../src/store/store.h"
#include "writes.h"

#include <stdlib.h>

enum { MEMBERS = 3 };

/* Passes calls on and counts them: what a member was really asked. */
typedef struct spy {
	mcp_store store;
	mcp_store_operations operations;
	mcp_store *behind;
	int get_manys, runs, frees;
	mcp_status ping;
} spy;

typedef struct fixture {
	spy spies[MEMBERS];
	mcp_store *members[MEMBERS];
	mcp_store *cluster;
} fixture;

static spy *spy_of(mcp_store *store) {
	return (spy *)store;
}

static mcp_status spy_get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(spy_of(store)->behind, key, item);
}

static mcp_status spy_change(mcp_store *store, mcp_op *op) {
	if (op->verb == MCP_OP_PING) {
		return spy_of(store)->ping;
	}
	return mcp_store_change(spy_of(store)->behind, op);
}

static void spy_run(mcp_store *store, mcp_op *const *ops, size_t count) {
	bool are_reads = mcp_ops_are_reads(ops, count);
	spy_of(store)->get_manys += are_reads;
	spy_of(store)->runs += !are_reads;
	mcp_store_run(spy_of(store)->behind, ops, count);
}

static void spy_free(mcp_store *store) {
	spy_of(store)->frees++;
}

static void hire(spy *self, const char *address) {
	*self = (spy){.behind = mcp_store_memory_create(address, faults_environment())};
	assert_non_null(self->behind);
	self->operations = (mcp_store_operations){
		.get = spy_get,
		.change = spy_change,
		.run = spy_run,
		.free = spy_free,
		.disown = spy_free,
	};
	self->store.operations = &self->operations;
	self->store.address = address;
}

/* Picks by the first letter of the route: '0' the first member. */
static size_t pick_first_letter(void *router, mcp_bytes route) {
	return (size_t)(route.data[0] - '0');
}

static int set_up(void **state) {
	fixture *self = calloc(1, sizeof(*self));
	for (int i = 0; i < MEMBERS; i++) {
		hire(&self->spies[i], "memory://member");
		self->members[i] = &self->spies[i].store;
	}
	self->cluster = mcp_store_cluster_create(self->members, MEMBERS, pick_first_letter, NULL);
	*state = self;
	return self->cluster == NULL;
}

static int tear_down(void **state) {
	fixture *self = *state;
	mcp_store_free(self->cluster);
	for (int i = 0; i < MEMBERS; i++) {
		assert_int_equal(0, self->spies[i].frees);
		mcp_store_free(self->spies[i].behind);
	}
	free(self);
	return 0;
}

#define WITH_CLUSTER(name, self) TEST_OF(fixture, name, self, set_up, tear_down)

WITH_CLUSTER(a_key_lives_where_its_route_says, self) {
	mcp_key key = faults_key("prefix-key");
	key.route = mcp_bytes_of("2-key", 5);
	mcp_record record = faults_record("value");
	assert_int_equal(MCP_OK, mcp_store_set(self->cluster, &key, &record));
	assert_int_equal(0, mcp_store_memory_count(self->spies[0].behind));
	assert_int_equal(1, mcp_store_memory_count(self->spies[2].behind));
	assert_ptr_equal(self->members[2], mcp_store_owner(self->cluster, &key));
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(self->cluster, &key, &item));
	assert_memory_equal("value", item.value.data, 5);
}

WITH_CLUSTER(many_keys_ask_each_member_once, self) {
	mcp_key keys[6];
	const char *names[6] = {"1a", "0b", "1c", "2d", "0e", "1f"};
	mcp_op replies[6];
	for (int i = 0; i < 6; i++) {
		keys[i] = faults_key(names[i]);
		if (i != 3) {
			faults_set(self->cluster, names[i], names[i]);
		}
	}
	mcp_store_get_many(self->cluster, keys, 6, replies);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(i == 3 ? MCP_NOT_FOUND : MCP_OK, replies[i].status);
		if (i != 3) {
			assert_int_equal(2, replies[i].item.value.length);
			assert_memory_equal(names[i], replies[i].item.value.data, 2);
		}
	}
	for (int i = 0; i < MEMBERS; i++) {
		assert_int_equal(1, self->spies[i].get_manys);
	}
}

WITH_CLUSTER(keys_of_one_member_bother_no_other, self) {
	mcp_key keys[2] = {faults_key("1a"), faults_key("1b")};
	mcp_op replies[2];
	mcp_store_get_many(self->cluster, keys, 2, replies);
	mcp_store_get_many(self->cluster, keys, 0, replies);
	assert_int_equal(MCP_NOT_FOUND, replies[1].status);
	assert_int_equal(0, self->spies[0].get_manys);
	assert_int_equal(1, self->spies[1].get_manys);
}

WITH_CLUSTER(a_member_listed_twice_is_asked_once, self) {
	mcp_store *twice[2] = {self->members[0], self->members[0]};
	mcp_store *cluster = mcp_store_cluster_create(twice, 2, pick_first_letter, NULL);
	mcp_key keys[2] = {faults_key("0a"), faults_key("1b")};
	mcp_op replies[2];
	faults_set(cluster, "0a", "A");
	faults_set(cluster, "1b", "B");
	mcp_store_get_many(cluster, keys, 2, replies);
	assert_int_equal(1, self->spies[0].get_manys);
	assert_memory_equal("A", replies[0].item.value.data, 1);
	assert_memory_equal("B", replies[1].item.value.data, 1);
	mcp_store_free(cluster);
}

WITH_CLUSTER(many_writes_go_to_each_member_once, self) {
	const char *names[4] = {"0a", "1b", "0 bad", "1d"};
	test_write writes[4];
	mcp_key keys[4];
	mcp_status statuses[4];
	for (int i = 0; i < 4; i++) {
		keys[i] = faults_key(names[i]);
		writes[i] = (test_write){.key = keys[i], .record = faults_record("value")};
	}
	test_writes_run(self->cluster, MCP_OP_SET, writes, 4);
	mcp_store_delete_many(self->cluster, keys + 1, 3, statuses + 1);
	assert_int_equal(MCP_OK, writes[0].status);
	assert_int_equal(MCP_BAD_KEY, writes[2].status);
	assert_int_equal(MCP_OK, statuses[1]);
	assert_int_equal(MCP_BAD_KEY, statuses[2]);
	assert_int_equal(MCP_OK, statuses[3]);
	assert_int_equal(1, mcp_store_memory_count(self->spies[0].behind));
	assert_int_equal(0, mcp_store_memory_count(self->spies[1].behind));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(2, self->spies[i].runs);
	}
}

/* Under clang's UBSan also: what is nowhere has no places. */
WITH_CLUSTER(no_writes_bother_no_member, self) {
	test_writes_run(self->cluster, MCP_OP_SET, NULL, 0);
	mcp_store_delete_many(self->cluster, NULL, 0, NULL);
	for (int i = 0; i < MEMBERS; i++) {
		assert_int_equal(0, self->spies[i].runs);
	}
}

WITH_CLUSTER(steps_go_to_the_first_keys_member, self) {
	mcp_key key = faults_key("1b"),
			beside = {faults_key("1b:lock").wire, key.route, 0, false, false};
	mcp_record record = faults_record("value");
	mcp_op steps[] = {
		{.verb = MCP_OP_ADD, .key = &beside, .record = &record},
		{.verb = MCP_OP_GET, .key = &key},
	};
	mcp_store *members[] = {self->spies[0].behind, self->spies[1].behind};
	mcp_store *cluster = mcp_store_cluster_create(members, 2, pick_first_letter, NULL);
	mcp_store_steps(cluster, steps, 2);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_NOT_FOUND, steps[1].status);
	assert_int_equal(MCP_NOT_FOUND, faults_get(members[0], "1b:lock"));
	faults_assert_value(members[1], "1b:lock", "value");
	mcp_store_steps(self->cluster, steps, 2); /* whose members take none */
	assert_int_equal(MCP_UNSUPPORTED, steps[0].status);
	mcp_store_free(cluster);
}

WITH_CLUSTER(the_worst_answer_of_all_members_counts, self) {
	assert_int_equal(MCP_OK, mcp_store_ping(self->cluster));
	self->spies[0].ping = MCP_TIMEOUT;
	self->spies[1].ping = MCP_UNREACHABLE;
	assert_int_equal(MCP_TIMEOUT, mcp_store_ping(self->cluster));
	assert_int_equal(MCP_UNSUPPORTED, mcp_store_stats(self->cluster, NULL, NULL));
}

WITH_CLUSTER(every_member_is_listed_once, self) {
	mcp_store *listed[4] = {self->members[2], self->members[0], self->members[2], self->members[1]};
	mcp_store *cluster = mcp_store_cluster_create(listed, 4, pick_first_letter, NULL);
	assert_int_equal(3, mcp_store_member_count(cluster));
	assert_ptr_equal(self->members[2], mcp_store_member(cluster, 0));
	assert_ptr_equal(self->members[0], mcp_store_member(cluster, 1));
	assert_ptr_equal(self->members[1], mcp_store_member(cluster, 2));
	mcp_store_free(cluster);
}
