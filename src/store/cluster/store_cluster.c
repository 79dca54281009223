/* Cluster that passes a call to the key's member and divides a call for many keys by member. Each member is called
 * once, so that the member's views remain valid. If the members support it, all requests are sent before the first
 * reply is read. */
/* SPDX-License-Identifier: MIT */
#include "store_cluster.h"

#include "../../core/bytes.h"
#include "../../core/vendor/xxh64.h"
#include "../store.h"
#include "sorting.h"

#include <stdlib.h>

/* A store that is listed several times counts once. The candidates of the last key are kept, because callers request
 * one candidate after the other. */
typedef struct mcp_key_servers {
	mcp_cluster_pick pick;
	void *router;
	mcp_store *const *listed; /* stores from which `pick` selects; borrowed */
	mcp_store **different;    /* in the list's order */
	size_t count;             /* number of `different` stores */
	uint32_t *numbers;        /* index in `different` of each listed store */
	mcp_store **found;        /* candidates of the last key, at most `count` */
	size_t found_count;
	uint64_t found_for; /* hash of the last key's route */
	unsigned picks;     /* number of picks made for the last key */
} mcp_key_servers;

/* Further candidates are the picks for a hash of the route and a number. A number after the route is not sufficient:
 * crc32 is linear, so that one of 4 servers would get half of another server's keys. */

/* Maximum number of picks per key, sufficient for the first candidates of any list. */
#define PICKS_MAX 64
#define NUMBERED_MAX_LENGTH (MCP_HEX_U64_LENGTH + 1 + MCP_DECIMAL_MAX_LENGTH)

/* Returns `count` if the store is missing. */
static size_t place_of(mcp_store *const *stores, size_t count, const mcp_store *store) {
	size_t place = 0;
	while (place < count && stores[place] != store) {
		place++;
	}
	return place;
}

/* False: memory exhausted, and nothing to free. */
static bool init_key_servers(mcp_key_servers *self, mcp_store *const *listed, size_t count,
	mcp_cluster_pick pick, void *router) {
	*self = (mcp_key_servers){.pick = pick, .router = router, .listed = listed};
	self->different = calloc(count, 2 * sizeof(mcp_store *) + sizeof(uint32_t));
	if (self->different == NULL) {
		return false;
	}
	self->found = self->different + count;
	self->numbers = (uint32_t *)(void *)(self->found + count);
	for (size_t i = 0; i < count; i++) {
		size_t place = place_of(self->different, self->count, listed[i]);
		if (place == self->count) {
			self->different[self->count++] = listed[i];
		}
		self->numbers[i] = (uint32_t)place;
	}
	return true;
}

static void free_key_servers(mcp_key_servers *self) {
	free(self->different);
}

static void begin_key(mcp_key_servers *self, mcp_bytes route, uint64_t hash) {
	mcp_store *home = self->listed[self->pick(self->router, route)];
	bool is_known = self->found_count > 0 && self->found_for == hash && self->found[0] == home;
	if (!is_known) {
		self->found[0] = home;
		self->found_count = 1;
		self->found_for = hash;
		self->picks = 0;
	}
}

static void add_found(mcp_key_servers *self, mcp_store *store) {
	if (place_of(self->found, self->found_count, store) == self->found_count) {
		self->found[self->found_count++] = store;
	}
}

/* Hash the number, too, because the names for distinct numbers must be unrelated. A collision of routes is harmless:
 * such routes only share candidates, and keep their own keys. */
static size_t write_name(uint64_t hash, unsigned number, char *name) {
	char numbered[NUMBERED_MAX_LENGTH];
	size_t length = mcp_hex_write_u64(hash, numbered);
	numbered[length++] = '#';
	length += mcp_decimal_format_u64(number, numbered + length);
	return mcp_hex_write_u64(XXH64(numbered, length, 0), name);
}

static void pick_once_more(mcp_key_servers *self) {
	char name[MCP_HEX_U64_LENGTH];
	size_t length = write_name(self->found_for, ++self->picks, name);
	add_found(self, self->listed[self->pick(self->router, mcp_bytes_of(name, length))]);
}

/* Stores that no pick returned follow in the list's order, after the stores that picks returned. */
static void find_the_rest(mcp_key_servers *self) {
	size_t own = 0;
	while (self->different[own] != self->found[0]) {
		own++;
	}
	for (size_t i = 1; i < self->count; i++) {
		add_found(self, self->different[(own + i) % self->count]);
	}
}

/* NULL: `index` is too large. */
static mcp_store *find_key_server(mcp_key_servers *self, mcp_bytes route, size_t index) {
	if (index >= self->count) {
		return NULL;
	}
	if (index == 0) {
		return self->listed[self->pick(self->router, route)];
	}
	begin_key(self, route, XXH64(route.data, route.length, 0));
	while (self->found_count <= index && self->picks < PICKS_MAX) {
		pick_once_more(self);
	}
	if (self->found_count <= index) {
		find_the_rest(self);
	}
	return self->found[index];
}

/* `scratch` is used during a call for many keys. A member that is listed twice is called once, because its second
 * reply would invalidate the views of the first. */
typedef struct cluster {
	mcp_store store;
	mcp_cluster_pick pick;
	void *router;
	mcp_buffer scratch;
	mcp_key_servers candidates;
	size_t count;
	mcp_store *members[];
} cluster;

static cluster *of(mcp_store *store) {
	return (cluster *)store;
}

static mcp_store *member(cluster *self, const mcp_key *key) {
	return self->members[self->pick(self->router, key->route)];
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(member(of(store), key), key, item);
}

/* Returns the worst status. */
static mcp_status change_all(cluster *self, mcp_op *op) {
	mcp_status worst = MCP_OK;
	for (size_t i = 0; i < self->count; i++) {
		mcp_status status = mcp_store_change(self->members[i], op);
		worst = status > worst ? status : worst; /* ordered by severity */
	}
	return worst;
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	return op->key != NULL ? mcp_store_change(member(of(store), op->key), op)
						   : change_all(of(store), op);
}

/* All keys of steps belong to one member. */
static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	mcp_store_steps(member(of(store), steps[0].key), steps, count);
}

static mcp_store *owner_of_run(const cluster *self, const mcp_sorting_run *run) {
	return self->candidates.different[run->owner];
}

/* Calls one half of a round: the next `most` ops of each run, from the run's index `begun` on. */
static void call_members(const cluster *self, const mcp_sorting *to, size_t begun, size_t most,
	void (*half)(mcp_store *store, mcp_op *const *ops, size_t count)) {
	mcp_op **sorted = to->elements;
	for (size_t i = 0; i < to->run_count; i++) {
		const mcp_sorting_run *run = &to->runs[i];
		size_t left = run->count > begun ? run->count - begun : 0;
		if (left > 0) {
			half(owner_of_run(self, run), sorted + run->from + begun, left < most ? left : most);
		}
	}
}

/* In each round, every member is sent up to MCP_STORE_AHEAD_ANY writes, or all its gets, before the first reply is
 * read. More writes could be several batches of a member, for which the other members would wait. */
static void run_sorted(const cluster *self, const mcp_sorting *to, mcp_op *const *ops) {
	mcp_op **sorted = to->elements;
	size_t most = mcp_op_is_read(ops[0]) ? to->count : MCP_STORE_AHEAD_ANY;
	size_t longest = 0;
	for (size_t i = 0; i < to->count; i++) {
		sorted[i] = ops[to->places[i]];
	}
	for (size_t i = 0; i < to->run_count; i++) {
		longest = to->runs[i].count > longest ? to->runs[i].count : longest;
	}
	for (size_t begun = 0; begun < longest; begun += most) {
		call_members(self, to, begun, most, mcp_store_submit);
		call_members(self, to, begun, most, mcp_store_complete);
	}
}

static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	cluster *self = of(store);
	mcp_sorting to;
	if (count == 0) {
		return;
	}
	if (!mcp_sorting_prepare(&to, &self->scratch, count, self->candidates.count,
			sizeof(mcp_op *))) {
		mcp_ops_answer(ops, count, MCP_UNREACHABLE);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t picked = self->pick(self->router, ops[i]->key->route);
		to.owners[i] = self->candidates.numbers[picked];
	}
	mcp_sorting_sort(&to);
	if (to.run_count == 1) {
		mcp_store_run(owner_of_run(self, to.runs), ops, count);
	} else {
		run_sorted(self, &to, ops);
	}
}

static mcp_store *owner_of(mcp_store *store, const mcp_key *key) {
	return mcp_store_owner(member(of(store), key), key);
}

static mcp_store *candidate(mcp_store *store, const mcp_key *key, size_t index) {
	mcp_store *found = find_key_server(&of(store)->candidates, key->route, index);
	return found != NULL ? mcp_store_owner(found, key) : NULL;
}

static size_t member_count(mcp_store *store) {
	return of(store)->candidates.count;
}

static mcp_store *member_at(mcp_store *store, size_t index) {
	return of(store)->candidates.different[index];
}

static mcp_wakeup_slot bell(mcp_store *store, const mcp_key *key) {
	return mcp_store_bell(member(of(store), key), key);
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(member(of(store), key), key, started);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	return mcp_store_item_max(member(of(store), key), key, wanted);
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(member(of(store), key), key);
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	mcp_store_bypass_breaker(member(of(store), key), key, what_for);
}

static mcp_store *failed(mcp_store *store) {
	cluster *self = of(store);
	mcp_store *latest = NULL;
	for (size_t i = 0; i < self->count; i++) {
		mcp_store *one = mcp_store_failed(self->members[i]);
		bool is_later = one != NULL &&
			(latest == NULL ||
				mcp_store_last_failure(one)->met > mcp_store_last_failure(latest)->met);
		latest = is_later ? one : latest;
	}
	return latest;
}

static void free_cluster(mcp_store *store) {
	free_key_servers(&of(store)->candidates);
	mcp_buffer_free(&of(store)->scratch);
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.change = change_one,
	.proves = true,
	.run = run,
	.steps = carry_out,
	.owner = owner_of,
	.candidate = candidate,
	.member_count = member_count,
	.member = member_at,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.bell = bell,
	.failed = failed,
	.free = free_cluster,
	.disown = free_cluster,
};

mcp_store *mcp_store_cluster_create(mcp_store *const *members, size_t count, mcp_cluster_pick pick,
	void *router) {
	cluster *self = calloc(1, sizeof(*self) + count * sizeof(mcp_store *));
	if (self == NULL) {
		return NULL;
	}
	self->store.operations = &operations;
	self->store.address = "a cluster";
	self->pick = pick;
	self->router = router;
	self->count = count;
	memcpy(self->members, members, count * sizeof(mcp_store *));
	if (!init_key_servers(&self->candidates, self->members, count, pick, router)) {
		free(self);
		return NULL;
	}
	return &self->store;
}
