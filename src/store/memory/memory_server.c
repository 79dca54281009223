/* Items, clock and counters of a memcached in process memory. The clock has whole seconds, and one counter provides the
 * CAS values of all items, as observed on memcached 1.6.18. The conformance suite checks this. */
/* SPDX-License-Identifier: MIT */
#include "memory_server.h"

#include "../../core/bytes.h"

#include <stdlib.h>

/* `end_s` of an item that never expires. */
#define MCP_MEMORY_NEVER_S INT64_MAX

/* Parts of an item, all of which are copied. The value consists of head and body. */
typedef struct mcp_memory_content {
	mcp_bytes key;
	mcp_bytes head;
	mcp_bytes body;
	uint32_t flags;
	int64_t end_s;
	uint64_t cas;
} mcp_memory_content;

static inline mcp_bytes item_key(const mcp_memory_item *item) {
	return mcp_bytes_of(item->bytes, item->key_length);
}

/* A chained hash table whose items are also a list, most recent use first. The hash has no seed, because tests choose
 * the keys. */

#define BUCKETS_FIRST 64

/* FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo). */
static uint64_t hash(mcp_bytes key) {
	uint64_t value = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < key.length; i++) {
		value = (value ^ (unsigned char)key.data[i]) * 0x100000001b3ull;
	}
	return value;
}

static size_t cost(const mcp_memory_item *item) {
	return sizeof(*item) + item->key_length + item->value_length;
}

static mcp_memory_item **bucket_of(const mcp_memory_items *items, mcp_bytes key) {
	return &items->buckets[hash(key) & (items->bucket_count - 1)];
}

static char *append(char *to, mcp_bytes bytes) {
	if (bytes.length > 0) {
		memcpy(to, bytes.data, bytes.length);
	}
	return to + bytes.length;
}

/* The caller owns the item until it is linked. */
static mcp_memory_item *create_item(const mcp_memory_content *content) {
	size_t value_length = content->head.length + content->body.length;
	mcp_memory_item *item = malloc(sizeof(*item) + content->key.length + value_length);
	if (item == NULL) {
		return NULL;
	}
	*item = (mcp_memory_item){
		.end_s = content->end_s,
		.cas = content->cas,
		.flags = content->flags,
		.key_length = (uint32_t)content->key.length,
		.value_length = value_length,
	};
	append(append(append(item->bytes, content->key), content->head), content->body);
	return item;
}

static void list_add(mcp_memory_items *items, mcp_memory_item *item) {
	item->newer = NULL;
	item->older = items->newest;
	if (items->newest != NULL) {
		items->newest->newer = item;
	} else {
		items->oldest = item;
	}
	items->newest = item;
	item->used = items->budget != NULL ? ++items->budget->clock : 0;
}

static void list_remove(mcp_memory_items *items, mcp_memory_item *item) {
	if (item->newer != NULL) {
		item->newer->older = item->older;
	} else {
		items->newest = item->older;
	}
	if (item->older != NULL) {
		item->older->newer = item->newer;
	} else {
		items->oldest = item->newer;
	}
}

static void bucket_add(mcp_memory_items *items, mcp_memory_item *item) {
	mcp_memory_item **bucket = bucket_of(items, item_key(item));
	item->next_in_bucket = *bucket;
	*bucket = item;
}

static void bucket_remove(mcp_memory_items *items, mcp_memory_item *item) {
	mcp_memory_item **link = bucket_of(items, item_key(item));
	while (*link != item) {
		link = &(*link)->next_in_bucket;
	}
	*link = item->next_in_bucket;
}

/* Grow the table unless it has more buckets than items. A table that cannot grow only becomes slower. */
static bool grow_table(mcp_memory_items *items) {
	if (items->item_count < items->bucket_count) {
		return true;
	}
	size_t wanted = items->bucket_count == 0 ? BUCKETS_FIRST : items->bucket_count * 2;
	mcp_memory_item **buckets = calloc(wanted, sizeof(mcp_memory_item *));
	if (buckets == NULL) {
		return items->buckets != NULL;
	}
	free(items->buckets);
	items->buckets = buckets;
	items->bucket_count = wanted;
	for (mcp_memory_item *item = items->newest; item != NULL; item = item->older) {
		bucket_add(items, item);
	}
	return true;
}

static mcp_memory_items make_items(size_t limit_bytes) {
	return (mcp_memory_items){.limit_bytes = limit_bytes};
}

void mcp_memory_items_join(mcp_memory_items *items, mcp_memory_budget *budget) {
	items->budget = budget;
	items->next_in_budget = budget->first;
	budget->first = items;
}

static void leave_items(mcp_memory_items *items) {
	if (items->budget == NULL) {
		return;
	}
	mcp_memory_items **link = &items->budget->first;
	while (*link != items) {
		link = &(*link)->next_in_budget;
	}
	*link = items->next_in_budget;
	items->budget = NULL;
}

static void take_account(mcp_memory_items *items, size_t more, size_t less) {
	items->bytes = items->bytes + more - less;
	if (items->budget != NULL) {
		items->budget->bytes = items->budget->bytes + more - less;
	}
}

/* Removes all items and frees all memory; the table remains usable. */
static void clear_items(mcp_memory_items *items) {
	take_account(items, 0, items->bytes);
	mcp_memory_item *item = items->newest;
	while (item != NULL) {
		mcp_memory_item *older = item->older;
		free(item);
		item = older;
	}
	free(items->buckets);
	items->buckets = NULL;
	items->bucket_count = items->item_count = 0;
	items->newest = items->oldest = NULL;
}

mcp_memory_item *mcp_memory_items_find(const mcp_memory_items *items, mcp_bytes key) {
	if (items->buckets == NULL) {
		return NULL;
	}
	mcp_memory_item *item = *bucket_of(items, key);
	while (item != NULL && !mcp_bytes_equal(item_key(item), key)) {
		item = item->next_in_bucket;
	}
	return item;
}

static void use_item(mcp_memory_items *items, mcp_memory_item *item) {
	list_remove(items, item);
	list_add(items, item);
}

void mcp_memory_items_remove(mcp_memory_items *items, mcp_memory_item *item) {
	bucket_remove(items, item);
	list_remove(items, item);
	take_account(items, 0, cost(item));
	items->item_count--;
	free(item);
}

static void evict(mcp_memory_items *items) {
	mcp_memory_items_remove(items, items->oldest);
	items->evictions++;
}

/* Returns the table whose oldest item was used least recently. NULL: only the new item exists. */
static mcp_memory_items *find_oldest(const mcp_memory_budget *budget,
	const mcp_memory_item *newest) {
	mcp_memory_items *found = NULL;
	for (mcp_memory_items *items = budget->first; items != NULL; items = items->next_in_budget) {
		if (items->oldest != NULL && items->oldest != newest &&
			(found == NULL || items->oldest->used < found->oldest->used)) {
			found = items;
		}
	}
	return found;
}

static void keep_within_budget(mcp_memory_budget *budget, const mcp_memory_item *newest) {
	mcp_memory_items *oldest;
	while (budget->bytes > budget->limit_bytes && (oldest = find_oldest(budget, newest)) != NULL) {
		evict(oldest);
	}
}

/* Adds or replaces an item, then evicts the least recently used items while a limit is exceeded, but never the new
 * item. False: memory exhausted, table unchanged. */
static bool put_item(mcp_memory_items *items, const mcp_memory_content *content) {
	mcp_memory_item *item = create_item(content);
	if (item == NULL || !grow_table(items)) {
		free(item);
		return false;
	}
	mcp_memory_item *old = mcp_memory_items_find(items, content->key);
	if (old != NULL) {
		mcp_memory_items_remove(items, old);
	}
	bucket_add(items, item);
	list_add(items, item);
	take_account(items, cost(item), 0);
	items->item_count++;
	while (items->bytes > items->limit_bytes && items->oldest != item) {
		evict(items);
	}
	if (items->budget != NULL) {
		keep_within_budget(items->budget, item);
	}
	return true;
}

/* memcached's names of the counters. */

static const char *const names[MCP_MEMORY_STATISTICS] = {
	[MCP_MEMORY_CMD_GET] = "cmd_get",
	[MCP_MEMORY_CMD_SET] = "cmd_set",
	[MCP_MEMORY_CMD_FLUSH] = "cmd_flush",
	[MCP_MEMORY_CMD_TOUCH] = "cmd_touch",
	[MCP_MEMORY_GET_HITS] = "get_hits",
	[MCP_MEMORY_GET_MISSES] = "get_misses",
	[MCP_MEMORY_DELETE_HITS] = "delete_hits",
	[MCP_MEMORY_DELETE_MISSES] = "delete_misses",
	[MCP_MEMORY_INCR_HITS] = "incr_hits",
	[MCP_MEMORY_INCR_MISSES] = "incr_misses",
	[MCP_MEMORY_DECR_HITS] = "decr_hits",
	[MCP_MEMORY_DECR_MISSES] = "decr_misses",
	[MCP_MEMORY_CAS_HITS] = "cas_hits",
	[MCP_MEMORY_CAS_MISSES] = "cas_misses",
	[MCP_MEMORY_CAS_BADVAL] = "cas_badval",
	[MCP_MEMORY_TOUCH_HITS] = "touch_hits",
	[MCP_MEMORY_TOUCH_MISSES] = "touch_misses",
	[MCP_MEMORY_TOTAL_ITEMS] = "total_items",
};

static void visit_statistic(const char *name, uint64_t value, mcp_stat_visitor visit,
	void *context) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	size_t length = mcp_decimal_format_u64(value, digits);
	visit(context, mcp_bytes_text(name), mcp_bytes_of(digits, length));
}

static void visit_statistics(const mcp_memory_statistics *statistics, mcp_stat_visitor visit,
	void *context) {
	for (size_t i = 0; i < MCP_MEMORY_STATISTICS; i++) {
		visit_statistic(names[i], statistics->counts[i], visit, context);
	}
}

#define MILLISECONDS 1000
/* memcached's default, -m 64. */
#define LIMIT_BYTES (64u * 1024 * 1024)

/* Rounded down; negative if the clock was set back to a time before the start. */
static int64_t server_uptime_s(const mcp_memory_server *server) {
	int64_t since_ms = (int64_t)(mcp_wall_ms(server->environment) - server->created_ms);
	return since_ms / MILLISECONDS - (since_ms % MILLISECONDS < 0);
}

static int64_t clock_s(const mcp_memory_server *server) {
	return (int64_t)(server->created_ms / MILLISECONDS) + server_uptime_s(server) +
		server->skipped_s;
}

static int64_t end_s(const mcp_memory_server *server, uint64_t ttl_ms) {
	int64_t expiry = mcp_expiry_from_ttl(ttl_ms, mcp_wall_ms(server->environment));
	if (expiry == MCP_EXPIRY_NEVER) {
		return MCP_MEMORY_NEVER_S;
	}
	return expiry > MCP_EXPIRY_RELATIVE_MAX_S ? expiry : clock_s(server) + expiry;
}

mcp_memory_server mcp_memory_server_start(const mcp_environment *environment) {
	uint64_t now_ms = mcp_wall_ms(environment);
	return (mcp_memory_server){
		.environment = environment,
		.items = make_items(LIMIT_BYTES),
		.created_ms = now_ms,
		.started_s = now_ms / MILLISECONDS,
	};
}

void mcp_memory_server_restart(mcp_memory_server *server) {
	uint64_t started_before_s = server->started_s;
	uint64_t connection = server->connection;
	clear_items(&server->items);
	mcp_memory_items emptied = server->items;
	emptied.evictions = 0;
	*server = mcp_memory_server_start(server->environment);
	server->items = emptied;
	if (connection != 0) {
		server->connection = mcp_proof_name_connection(connection, server->environment);
	}
	if (server->started_s <= started_before_s) {
		server->started_s = started_before_s + 1;
	}
}

void mcp_memory_server_skip_second(mcp_memory_server *server) {
	server->skipped_s++;
}

void mcp_memory_server_stop(mcp_memory_server *server) {
	clear_items(&server->items);
	leave_items(&server->items);
}

size_t mcp_memory_server_count(const mcp_memory_server *server) {
	int64_t now_s = clock_s(server);
	size_t alive = 0;
	for (const mcp_memory_item *item = server->items.newest; item != NULL; item = item->older) {
		alive += item->end_s > now_s;
	}
	return alive;
}

mcp_memory_item *mcp_memory_server_find(mcp_memory_server *server, const mcp_key *key) {
	mcp_memory_item *item = mcp_memory_items_find(&server->items, key->wire);
	if (item == NULL) {
		return NULL;
	}
	if (item->end_s <= clock_s(server)) {
		mcp_memory_items_remove(&server->items, item);
		return NULL;
	}
	use_item(&server->items, item);
	return item;
}

/* Subtract the second that an expiry adds to the TTL. */
uint64_t mcp_memory_server_ttl_left(const mcp_memory_server *server, const mcp_memory_item *item) {
	return item->end_s == MCP_MEMORY_NEVER_S
		? MCP_STORE_NO_END
		: (uint64_t)(item->end_s - clock_s(server) - 1) * MILLISECONDS;
}

bool mcp_memory_server_keep(mcp_memory_server *server, const mcp_key *key,
	const mcp_record *record) {
	mcp_memory_server_tally(server, MCP_MEMORY_TOTAL_ITEMS);
	mcp_memory_content content = {
		.key = key->wire,
		.head = record->head,
		.body = record->body,
		.flags = record->flags,
		.end_s = end_s(server, record->ttl_ms),
		.cas = ++server->last_cas,
	};
	return put_item(&server->items, &content);
}

mcp_proof mcp_memory_server_prove(mcp_memory_server *server) {
	if (server->connection == 0) {
		server->connection = mcp_proof_name_connection(0, server->environment);
	}
	return (mcp_proof){server->last_cas, server->connection};
}

bool mcp_memory_server_keep_number(mcp_memory_server *server, const mcp_key *key,
	mcp_memory_item *item, uint64_t number) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	size_t length = mcp_decimal_format_u64(number, digits);
	uint64_t cas = ++server->last_cas;
	if (length > item->value_length) {
		mcp_memory_content content = {
			.key = key->wire,
			.body = mcp_bytes_of(digits, length),
			.flags = item->flags,
			.end_s = item->end_s,
			.cas = cas,
		};
		return put_item(&server->items, &content);
	}
	char *value = item->bytes + item->key_length;
	memcpy(value, digits, length);
	memset(value + length, ' ', item->value_length - length);
	item->cas = cas;
	return true;
}

bool mcp_memory_server_join(mcp_memory_server *server, const mcp_key *key,
	const mcp_memory_item *item, mcp_bytes head, mcp_bytes body) {
	mcp_memory_content content = {
		.key = key->wire,
		.head = head,
		.body = body,
		.flags = item->flags,
		.end_s = item->end_s,
		.cas = ++server->last_cas,
	};
	return put_item(&server->items, &content);
}

void mcp_memory_server_touch(mcp_memory_server *server, mcp_memory_item *item, uint64_t ttl_ms) {
	item->end_s = end_s(server, ttl_ms);
}

void mcp_memory_server_end(mcp_memory_server *server, mcp_memory_item *item) {
	server->last_cas++;
	mcp_memory_items_remove(&server->items, item);
}

void mcp_memory_server_flush(mcp_memory_server *server) {
	server->last_cas++;
	clear_items(&server->items);
}

/* `time` minus `uptime` must be the server's start, as on a real server. */
void mcp_memory_server_tell(const mcp_memory_server *server, mcp_stat_visitor visit,
	void *context) {
	int64_t uptime_s = server_uptime_s(server);
	uint64_t shown_s = uptime_s < 0 ? 0 : (uint64_t)uptime_s;
	const mcp_memory_budget *budget = server->items.budget;
	visit_statistic("uptime", shown_s, visit, context);
	visit_statistic("time", server->started_s + shown_s, visit, context);
	visit_statistic("limit_maxbytes",
		budget != NULL ? budget->limit_bytes : server->items.limit_bytes, visit, context);
	visit_statistic("curr_items", mcp_memory_server_count(server), visit, context);
	visit_statistic("bytes", server->items.bytes, visit, context);
	visit_statistic("evictions", server->items.evictions, visit, context);
	visit_statistics(&server->statistics, visit, context);
}
