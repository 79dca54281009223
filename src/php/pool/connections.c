/* One member per server and socket settings, with its store made at first use. Every connection of
 * the thread hangs from the table here, so that one place closes them and one place disowns them. */
/* SPDX-License-Identifier: MIT */
#include "connections.h"

#include "../../store/connection.h"
#include "../../store/store_memory.h"
#include "../../store/wire_libmemcached.h"
#include "php_mcpatterns.h"

#include <unistd.h>

/* malloc'ed; linked into the thread's table from creation to the end. */
struct mcp_kept_connection {
	mcp_server server;
	mcp_connection_settings settings;
	mcp_store *store; /* NULL: not connected yet, closed, or disowned */
	uint64_t used;    /* by the table's clock */
	bool is_shared;
	mcp_kept_connection *previous, *next;
};

static bool is_memory(const mcp_kept_connection *member) {
	return member->server.kind == MCP_SERVER_MEMORY;
}

static mcp_kept_connection *create(const mcp_server *server,
	const mcp_connection_settings *settings) {
	mcp_connection_table *table = &MCP_G(connections);
	mcp_kept_connection *member = pecalloc(1, sizeof(*member), 1);
	member->server = *server;
	member->settings = *settings;
	member->next = table->first;
	if (member->next != NULL) {
		member->next->previous = member;
	}
	table->first = member;
	return member;
}

static void destroy(mcp_connection_table *table, mcp_kept_connection *member) {
	if (member->store != NULL) {
		if (table->pid == getpid() || is_memory(member)) {
			mcp_store_free(member->store);
		} else {
			mcp_store_disown(member->store);
		}
	}
	if (member->previous != NULL) {
		member->previous->next = member->next;
	} else {
		table->first = member->next;
	}
	if (member->next != NULL) {
		member->next->previous = member->previous;
	}
	pefree(member, 1);
}

void mcp_connections_init(mcp_connection_table *table) {
	zend_hash_init(&table->shared, 8, NULL, NULL, 1);
	table->first = NULL;
	table->pid = getpid();
	table->generation = 1;
}

void mcp_connections_destroy(mcp_connection_table *table) {
	while (table->first != NULL) {
		destroy(table, table->first);
	}
	zend_hash_destroy(&table->shared);
}

/* A memory:// server is the process's own memory: the child has its own copy already. */
static void disown_inherited(mcp_connection_table *table, pid_t pid) {
	for (mcp_kept_connection *member = table->first; member != NULL; member = member->next) {
		if (member->store != NULL && !is_memory(member)) {
			mcp_store_disown(member->store);
			member->store = NULL;
		}
	}
	table->pid = pid;
	table->generation++;
}

uint64_t mcp_connections_generation(void) {
	mcp_connection_table *table = &MCP_G(connections);
	pid_t pid = getpid();
	if (UNEXPECTED(table->pid != pid)) {
		disown_inherited(table, pid);
	}
	return table->generation;
}

static size_t write_key(char *key, size_t size, const mcp_server *server,
	const mcp_connection_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return (size_t)snprintf(key, size, "%s", server->address);
	}
	return (size_t)snprintf(key, size, "%s|%" PRIu32 "|%" PRIu32 "|%" PRIu32, server->address,
		settings->connect_timeout_ms, settings->timeout_ms, settings->retry_after_ms);
}

mcp_kept_connection *mcp_connections_share(const mcp_server *server,
	const mcp_connection_settings *settings) {
	char key[MCP_SERVER_ADDRESS_MAX + 64];
	size_t length = write_key(key, sizeof(key), server, settings);
	HashTable *shared = &MCP_G(connections).shared;
	mcp_kept_connection *member = zend_hash_str_find_ptr(shared, key, length);
	if (member == NULL) {
		member = create(server, settings);
		member->is_shared = true;
		zend_hash_str_add_new_ptr(shared, key, length, member);
	}
	return member;
}

mcp_kept_connection *mcp_connections_own(const mcp_server *server,
	const mcp_connection_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return mcp_connections_share(server, settings);
	}
	return create(server, settings);
}

void mcp_connections_free(mcp_kept_connection *member) {
	if (!member->is_shared) {
		destroy(&MCP_G(connections), member);
	}
}

/* All of the process together, for memory_limit does not see them. */
static mcp_store *create_memory(const mcp_kept_connection *member) {
	mcp_memory_budget *budget = &MCP_G(connections).memory;
	mcp_store *store = mcp_store_memory_create(member->server.address, mcp_environment_get());
	if (store != NULL) {
		budget->limit_bytes = (size_t)MCP_G(memory_limit);
		mcp_store_memory_share(store, budget);
	}
	return store;
}

static mcp_store *connect_later(const mcp_kept_connection *member) {
	if (is_memory(member)) {
		return create_memory(member);
	}
	const mcp_environment *environment = mcp_environment_get();
	mcp_wire_settings settings = {
		.host = member->server.host,
		.port = member->server.port,
		.connect_timeout_ms = member->settings.connect_timeout_ms,
		.timeout_ms = member->settings.timeout_ms,
	};
	return mcp_connection_create(mcp_wire_libmemcached_create(&settings, environment), &settings,
		member->settings.retry_after_ms, environment);
}

void mcp_connections_note_use(mcp_kept_connection *member) {
	member->used = ++MCP_G(connections).clock;
}

/* A descriptor for each timeout that was ever used would be too many. */
static void make_room(void) {
	size_t open = 0;
	mcp_kept_connection *oldest = NULL;
	for (mcp_kept_connection *member = MCP_G(connections).first; member != NULL;
		 member = member->next) {
		if (member->store == NULL || is_memory(member)) {
			continue;
		}
		open++;
		oldest = oldest == NULL || member->used < oldest->used ? member : oldest;
	}
	if (open >= MCP_CONNECTIONS_MAX) {
		mcp_connections_close(oldest);
	}
}

mcp_store *mcp_connections_store(mcp_kept_connection *member) {
	mcp_connections_note_use(member);
	if (member->store == NULL) {
		make_room();
		member->store = connect_later(member);
		if (UNEXPECTED(member->store == NULL)) {
			zend_error_noreturn(E_ERROR, "Out of memory");
		}
	}
	return member->store;
}

void mcp_connections_close(mcp_kept_connection *member) {
	if (member->store == NULL || is_memory(member)) {
		return;
	}
	mcp_connections_generation();
	if (member->store != NULL) {
		mcp_store_free(member->store);
		member->store = NULL;
		MCP_G(connections).generation++;
	}
}
