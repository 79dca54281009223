/* memcached's clock, which knows whole seconds alone, and its cas ids, one counter for all
 * items: as a real 1.6.18 was seen to behave, which the conformance suite repeats. */
/* SPDX-License-Identifier: MIT */
#include "memory_server.h"

#include "../../core/decimal.h"
#include "../../core/envelope/expiry.h"

#define MILLISECONDS 1000
/* memcached's default, its -m 64. */
#define LIMIT_BYTES (64u * 1024 * 1024)

/* Rounds down also when the clock was set back. */
int64_t mcp_memory_server_uptime_s(const mcp_memory_server *server) {
	int64_t since_ms = (int64_t)(mcp_wall_ms(server->environment) - server->created_ms);
	return since_ms / MILLISECONDS - (since_ms % MILLISECONDS < 0);
}

static int64_t clock_s(const mcp_memory_server *server) {
	return (int64_t)(server->created_ms / MILLISECONDS) + mcp_memory_server_uptime_s(server) +
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
		.items = mcp_memory_items_make(LIMIT_BYTES),
		.created_ms = now_ms,
		.started_s = now_ms / MILLISECONDS,
	};
}

void mcp_memory_server_restart(mcp_memory_server *server) {
	uint64_t started_before_s = server->started_s;
	uint64_t connection = server->connection;
	mcp_memory_items_clear(&server->items);
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
	mcp_memory_items_clear(&server->items);
	mcp_memory_items_leave(&server->items);
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
	mcp_memory_items_use(&server->items, item);
	return item;
}

/* Returns a second less, for that is what an expiry has more than a TTL. */
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
	return mcp_memory_items_put(&server->items, &content);
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
		return mcp_memory_items_put(&server->items, &content);
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
	return mcp_memory_items_put(&server->items, &content);
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
	mcp_memory_items_clear(&server->items);
}

/* Tells them so that `time` less `uptime` is the start, as on a real server. */
void mcp_memory_server_tell(const mcp_memory_server *server, mcp_stat_visitor visit,
	void *context) {
	int64_t uptime_s = mcp_memory_server_uptime_s(server);
	uint64_t shown_s = uptime_s < 0 ? 0 : (uint64_t)uptime_s;
	const mcp_memory_budget *budget = server->items.budget;
	mcp_memory_statistics_tell("uptime", shown_s, visit, context);
	mcp_memory_statistics_tell("time", server->started_s + shown_s, visit, context);
	mcp_memory_statistics_tell("limit_maxbytes",
		budget != NULL ? budget->limit_bytes : server->items.limit_bytes, visit, context);
	mcp_memory_statistics_tell("curr_items", mcp_memory_server_count(server), visit, context);
	mcp_memory_statistics_tell("bytes", server->items.bytes, visit, context);
	mcp_memory_statistics_tell("evictions", server->items.evictions, visit, context);
	mcp_memory_statistics_visit(&server->statistics, visit, context);
}
