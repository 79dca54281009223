/* memcached's commands over a server in process memory. Reads copy into a buffer of the store, so that writes do
 * not invalidate views. */
/* SPDX-License-Identifier: MIT */
#include "store_memory.h"

#include "../../core/bytes.h"
#include "../store.h"
#include "memory_server.h"

#include <stdlib.h>

/* Number parser of memcached 1.6.18, without the locale of strtoull. Every rule was observed on a real server; the
 * conformance suite checks these rules. */

static bool is_blank(char byte) {
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* False: no digits, or more than 64 bits; then *at is unspecified. */
static bool read_digits(mcp_bytes value, size_t *at, uint64_t *number) {
	size_t first = *at;
	*number = 0;
	for (; *at < value.length && mcp_is_digit(value.data[*at]); ++*at) {
		uint64_t digit = (uint64_t)(value.data[*at] - '0');
		if (*number > (UINT64_MAX - digit) / 10) {
			return false;
		}
		*number = *number * 10 + digit;
	}
	return *at > first;
}

/* The server searches for a minus sign only if the number exceeds INT64_MAX, and then up to the first NUL (1.6.38:
 * within the number). So "-18446744073709551615" is 1. */
static bool is_negative(mcp_bytes value, uint64_t number) {
	if (number <= INT64_MAX) {
		return false;
	}
	const char *end = memchr(value.data, '\0', value.length);
	size_t length = end == NULL ? value.length : (size_t)(end - value.data);
	return memchr(value.data, '-', length) != NULL;
}

bool mcp_memory_number_parse(mcp_bytes value, uint64_t *number) {
	size_t at = 0;
	while (at < value.length && is_blank(value.data[at])) {
		at++;
	}
	bool has_minus = at < value.length && value.data[at] == '-';
	if (has_minus || (at < value.length && value.data[at] == '+')) {
		at++;
	}
	if (!read_digits(value, &at, number)) {
		return false;
	}
	if (at < value.length && value.data[at] != '\0' && !is_blank(value.data[at])) {
		return false;
	}
	if (has_minus) {
		*number = 0 - *number;
	}
	return !is_negative(value, *number);
}

/* Increment and decrement, which differ only in `direction`. */

typedef struct direction {
	mcp_memory_statistic misses, hits;
	uint64_t (*change)(uint64_t number, uint64_t by);
} direction;

static uint64_t add_number(uint64_t number, uint64_t by) {
	return number + by;
}

static uint64_t subtract(uint64_t number, uint64_t by) {
	return number > by ? number - by : 0;
}

static mcp_status change_number(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number, const direction *way) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *item = mcp_memory_server_find(server, key);
	if (item == NULL) {
		mcp_memory_server_tally(server, way->misses);
		return MCP_NOT_FOUND;
	}
	uint64_t old = 0;
	if (!mcp_memory_number_parse(mcp_memory_item_value(item), &old)) {
		return MCP_NOT_A_NUMBER;
	}
	mcp_memory_server_tally(server, way->hits);
	*number = way->change(old, by);
	bool is_kept = mcp_memory_server_keep_number(server, key, item, *number);
	return is_kept ? MCP_OK : MCP_REFUSED;
}

/* Wraps at 2^64. Sets *number to the new value. */
static mcp_status count_up(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	static const direction up = {MCP_MEMORY_INCR_MISSES, MCP_MEMORY_INCR_HITS, add_number};
	return change_number(server, key, by, number, &up);
}

/* Stops at 0. */
static mcp_status count_down(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	static const direction down = {MCP_MEMORY_DECR_MISSES, MCP_MEMORY_DECR_HITS, subtract};
	return change_number(server, key, by, number, &down);
}

#define MICROSECONDS 1000000

typedef struct memory_store {
	mcp_store base;
	char *address;
	mcp_memory_server server;
	char *reply; /* memory of the views */
	size_t reply_capacity;
} memory_store;

static memory_store *self(mcp_store *store) {
	return (memory_store *)store;
}

static mcp_memory_server *server_of(mcp_store *store) {
	return &self(store)->server;
}

static void tally(mcp_store *store, mcp_memory_statistic statistic) {
	mcp_memory_server_tally(server_of(store), statistic);
}

/* Checks that a real client makes before sending. */
static mcp_status check(const mcp_key *key, const mcp_record *record) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	return mcp_store_size_of(key, record) >= MCP_STORE_ITEM_MAX ? MCP_TOO_LARGE : MCP_OK;
}

static mcp_status keep_item(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	if (!mcp_memory_server_keep(server_of(store), key, record)) {
		return MCP_REFUSED;
	}
	if (record->proof != NULL) {
		*record->proof = mcp_memory_server_prove(server_of(store));
	}
	return MCP_OK;
}

/* Reserves memory for all views of one reply, and invalidates the previous views. */
static bool reserve_reply(memory_store *store, size_t length) {
	bool is_wasteful = store->reply_capacity > MCP_BUFFER_KEPT_MAX && length <= MCP_BUFFER_KEPT_MAX;
	if (store->reply != NULL && length <= store->reply_capacity && !is_wasteful) {
		return true;
	}
	free(store->reply);
	store->reply = malloc(length + 1);
	store->reply_capacity = store->reply == NULL ? 0 : length;
	return store->reply != NULL;
}

static mcp_item copy_item(const mcp_memory_item *item, char *to) {
	mcp_bytes value = mcp_memory_item_value(item);
	memcpy(to, value.data, value.length);
	return (mcp_item){mcp_bytes_of(to, value.length), item->flags, false, item->cas, 0};
}

static mcp_memory_item *find_to_read(mcp_store *store, const mcp_key *key) {
	mcp_memory_item *item = mcp_memory_server_find(server_of(store), key);
	tally(store, MCP_MEMORY_CMD_GET);
	tally(store, item == NULL ? MCP_MEMORY_GET_MISSES : MCP_MEMORY_GET_HITS);
	return item;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *found = find_to_read(store, key);
	if (found == NULL) {
		return MCP_NOT_FOUND;
	}
	if (!reserve_reply(self(store), found->value_length)) {
		return MCP_REFUSED;
	}
	*item = copy_item(found, self(store)->reply);
	return MCP_OK;
}

/* Reads only the CAS value and the remaining TTL. */
static mcp_status look_at(mcp_store *store, mcp_op *op) {
	if (!mcp_key_may_be_sent(op->key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *found = find_to_read(store, op->key);
	if (found == NULL) {
		return MCP_NOT_FOUND;
	}
	op->item.cas = found->cas;
	op->number = mcp_memory_server_ttl_left(server_of(store), found);
	return MCP_OK;
}

/* Returns the total size of the found values. */
static size_t look_up(mcp_store *store, mcp_op *const *ops, size_t count) {
	size_t length = 0;
	for (size_t i = 0; i < count; i++) {
		if (!mcp_key_may_be_sent(ops[i]->key)) {
			ops[i]->status = MCP_BAD_KEY;
			continue;
		}
		mcp_memory_item *item = find_to_read(store, ops[i]->key);
		ops[i]->status = item == NULL ? MCP_NOT_FOUND : MCP_OK;
		length += item == NULL ? 0 : item->value_length;
	}
	return length;
}

/* Reserve memory for all values first, because the buffer must not move under a view. */
static void get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	size_t length = look_up(store, ops, count);
	bool has_room = reserve_reply(self(store), length);
	char *to = self(store)->reply;
	for (size_t i = 0; i < count; i++) {
		mcp_op *op = ops[i];
		if (op->status != MCP_OK) {
			continue;
		}
		if (!has_room) {
			op->status = MCP_REFUSED;
			continue;
		}
		op->item = copy_item(mcp_memory_items_find(&server_of(store)->items, op->key->wire), to);
		to += op->item.value.length;
	}
}

static mcp_status add_if_missing(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = check(key, record);
	if (status != MCP_OK) {
		return status;
	}
	tally(store, MCP_MEMORY_CMD_SET);
	bool is_taken = mcp_memory_server_find(server_of(store), key) != NULL;
	return is_taken ? MCP_NOT_STORED : keep_item(store, key, record);
}

static mcp_status set(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = check(key, record);
	if (status != MCP_OK) {
		return status;
	}
	tally(store, MCP_MEMORY_CMD_SET);
	return keep_item(store, key, record);
}

/* MCP_OK: the item exists and has this CAS value. */
static mcp_status compare(mcp_store *store, const mcp_key *key, uint64_t cas,
	mcp_memory_item **item) {
	tally(store, MCP_MEMORY_CMD_SET);
	*item = mcp_memory_server_find(server_of(store), key);
	if (*item == NULL) {
		tally(store, MCP_MEMORY_CAS_MISSES);
		return MCP_NOT_FOUND;
	}
	bool is_same = (*item)->cas == cas;
	tally(store, is_same ? MCP_MEMORY_CAS_HITS : MCP_MEMORY_CAS_BADVAL);
	return is_same ? MCP_OK : MCP_EXISTS;
}

static mcp_status compare_and_swap(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas) {
	mcp_status status = check(key, record);
	if (status != MCP_OK) {
		return status;
	}
	mcp_memory_item *item = NULL;
	status = compare(store, key, cas, &item);
	return status == MCP_OK ? keep_item(store, key, record) : status;
}

/* Sets `rest`, the empty part of the record, to the stored value, and stores both parts. MCP_NOT_STORED also if the
 * result is too large, as in memcached. */
static mcp_status join(mcp_store *store, const mcp_key *key, mcp_record *record, mcp_bytes *rest) {
	mcp_status status = check(key, record);
	if (status != MCP_OK) {
		return status;
	}
	tally(store, MCP_MEMORY_CMD_SET);
	const mcp_memory_item *item = mcp_memory_server_find(server_of(store), key);
	if (item != NULL) {
		*rest = mcp_memory_item_value(item);
	}
	if (item == NULL || mcp_store_size_of(key, record) >= MCP_STORE_ITEM_MAX) {
		return MCP_NOT_STORED;
	}
	bool is_kept = mcp_memory_server_join(server_of(store), key, item, record->head, record->body);
	return is_kept ? MCP_OK : MCP_REFUSED;
}

static mcp_status prepend(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.head = bytes};
	return join(store, key, &record, &record.body);
}

static mcp_status append(mcp_store *store, const mcp_key *key, mcp_bytes bytes) {
	mcp_record record = {.body = bytes};
	return join(store, key, &record, &record.head);
}

static mcp_status delete_if(mcp_store *store, const mcp_key *key, uint64_t cas) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *item = NULL;
	mcp_status status = compare(store, key, cas, &item);
	if (status == MCP_OK) {
		mcp_memory_server_end(server_of(store), item);
	}
	return status;
}

static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *item = mcp_memory_server_find(server_of(store), key);
	tally(store, item == NULL ? MCP_MEMORY_DELETE_MISSES : MCP_MEMORY_DELETE_HITS);
	if (item == NULL) {
		return MCP_NOT_FOUND;
	}
	mcp_memory_items_remove(&server_of(store)->items, item);
	return MCP_OK;
}

static mcp_status touch(mcp_store *store, const mcp_key *key, uint64_t ttl_ms) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *item = mcp_memory_server_find(server_of(store), key);
	tally(store, MCP_MEMORY_CMD_TOUCH);
	tally(store, item == NULL ? MCP_MEMORY_TOUCH_MISSES : MCP_MEMORY_TOUCH_HITS);
	if (item == NULL) {
		return MCP_NOT_FOUND;
	}
	mcp_memory_server_touch(server_of(store), item, ttl_ms);
	return MCP_OK;
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	mcp_memory_server *server = server_of(store);
	const mcp_key *key = op->key;
	bool is_bound = op->expects.connection != 0;
	if (is_bound && !mcp_proof_holds(&op->expects, server->connection)) {
		return MCP_UNSUPPORTED;
	}
	switch (op->verb) {
		case MCP_OP_ADD:
			return add_if_missing(store, key, op->record);
		case MCP_OP_SET:
			return set(store, key, op->record);
		case MCP_OP_CAS:
			return compare_and_swap(store, key, op->record, op->expects.cas);
		case MCP_OP_PREPEND:
			return prepend(store, key, op->record->body);
		case MCP_OP_APPEND:
			return append(store, key, op->record->body);
		case MCP_OP_DELETE:
			return delete_one(store, key);
		case MCP_OP_DELETE_IF:
			return delete_if(store, key, op->expects.cas);
		case MCP_OP_INCREMENT:
			return count_up(server, key, op->by, &op->number);
		case MCP_OP_DECREMENT:
			return count_down(server, key, op->by, &op->number);
		case MCP_OP_TOUCH:
			return touch(store, key, op->record->ttl_ms);
		case MCP_OP_FLUSH:
			tally(store, MCP_MEMORY_CMD_FLUSH);
			mcp_memory_server_flush(server);
			return MCP_OK;
		case MCP_OP_GET_CAS:
		case MCP_OP_TTL_LEFT:
			return look_at(store, op);
		case MCP_OP_PING:
			return MCP_OK;
		default:
			return MCP_UNSUPPORTED;
	}
}

static uint64_t connection_of(mcp_store *store) {
	return mcp_memory_server_prove(server_of(store)).connection;
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	mcp_steps_way way = {store, connection_of, true};
	mcp_steps_one_by_one(&way, steps, count);
}

static mcp_status inquire(mcp_store *store, const char *kind, mcp_stat_visitor visit,
	void *context) {
	if (kind != NULL) {
		return MCP_UNSUPPORTED;
	}
	mcp_memory_server_tell(server_of(store), visit, context);
	return MCP_OK;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	(void)key;
	*started = server_of(store)->started_s * MICROSECONDS;
	return MCP_OK;
}

/* Used also after a fork, because each process has its own items. */
static void destroy(mcp_store *base) {
	memory_store *store = self(base);
	mcp_memory_server_stop(&store->server);
	free(store->reply);
	free(store->address);
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.change = change_one,
	.proves = true,
	.get_many = get_many,
	.steps = carry_out,
	.inquire = inquire,
	.started_us = started_us,
	.free = destroy,
	.disown = destroy,
};

mcp_store *mcp_store_memory_create(const char *address, const mcp_environment *environment) {
	memory_store *store = calloc(1, sizeof(*store));
	if (store == NULL) {
		return NULL;
	}
	store->address = strdup(address);
	if (store->address == NULL) {
		free(store);
		return NULL;
	}
	store->base = (mcp_store){&operations, store->address, NULL};
	store->server = mcp_memory_server_start(environment);
	return &store->base;
}

void mcp_store_memory_share(mcp_store *store, mcp_memory_budget *budget) {
	mcp_memory_items *items = &server_of(store)->items;
	items->limit_bytes = SIZE_MAX;
	mcp_memory_items_join(items, budget);
}

void mcp_store_memory_evict(mcp_store *store, const mcp_key *key) {
	mcp_memory_server *server = server_of(store);
	mcp_memory_item *item = mcp_memory_server_find(server, key);
	if (item != NULL) {
		mcp_memory_items_remove(&server->items, item);
		server->items.evictions++;
	}
}

mcp_memory_server *mcp_store_memory_server(mcp_store *store) {
	return server_of(store);
}

void mcp_store_memory_restart(mcp_store *store) {
	mcp_memory_server_restart(server_of(store));
}

size_t mcp_store_memory_count(mcp_store *store) {
	return mcp_memory_server_count(server_of(store));
}
