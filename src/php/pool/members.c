/* One member per server and socket settings, with its store made at first use. Every connection of
 * the thread hangs from the table here, so that one place closes them and one place disowns them. */
/* SPDX-License-Identifier: MIT */
#include "members.h"

#include "../../store/connection.h"
#include "../../store/store_memory.h"
#include "../../store/wire_libmemcached.h"
#include "php_mcpatterns.h"

#include <unistd.h>

/* malloc'ed; linked into the thread's table from creation to the end. */
struct mcp_member {
	mcp_server server;
	mcp_member_settings settings;
	mcp_store *store; /* NULL: not connected yet, closed, or disowned */
	uint64_t used;    /* by the table's clock */
	bool is_shared;
	mcp_member *previous, *next;
};

static bool is_memory(const mcp_member *member) {
	return member->server.kind == MCP_SERVER_MEMORY;
}

static mcp_member *create(const mcp_server *server, const mcp_member_settings *settings) {
	mcp_member_table *table = &MCP_G(members);
	mcp_member *member = pecalloc(1, sizeof(*member), 1);
	member->server = *server;
	member->settings = *settings;
	member->next = table->first;
	if (member->next != NULL) {
		member->next->previous = member;
	}
	table->first = member;
	return member;
}

static void destroy(mcp_member_table *table, mcp_member *member) {
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

void mcp_members_init(mcp_member_table *table) {
	zend_hash_init(&table->shared, 8, NULL, NULL, 1);
	table->first = NULL;
	table->pid = getpid();
	table->generation = 1;
}

void mcp_members_destroy(mcp_member_table *table) {
	while (table->first != NULL) {
		destroy(table, table->first);
	}
	zend_hash_destroy(&table->shared);
}

/* A memory:// server is the process's own memory: the child has its own copy already. */
static void disown_inherited(mcp_member_table *table, pid_t pid) {
	for (mcp_member *member = table->first; member != NULL; member = member->next) {
		if (member->store != NULL && !is_memory(member)) {
			mcp_store_disown(member->store);
			member->store = NULL;
		}
	}
	table->pid = pid;
	table->generation++;
}

uint64_t mcp_members_generation(void) {
	mcp_member_table *table = &MCP_G(members);
	pid_t pid = getpid();
	if (UNEXPECTED(table->pid != pid)) {
		disown_inherited(table, pid);
	}
	return table->generation;
}

static size_t write_key(char *key, size_t size, const mcp_server *server,
	const mcp_member_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return (size_t)snprintf(key, size, "%s", server->address);
	}
	return (size_t)snprintf(key, size, "%s|%" PRIu32 "|%" PRIu32 "|%" PRIu32, server->address,
		settings->connect_timeout_ms, settings->timeout_ms, settings->retry_after_ms);
}

mcp_member *mcp_members_share(const mcp_server *server, const mcp_member_settings *settings) {
	char key[MCP_SERVER_ADDRESS_MAX + 64];
	size_t length = write_key(key, sizeof(key), server, settings);
	HashTable *shared = &MCP_G(members).shared;
	mcp_member *member = zend_hash_str_find_ptr(shared, key, length);
	if (member == NULL) {
		member = create(server, settings);
		member->is_shared = true;
		zend_hash_str_add_new_ptr(shared, key, length, member);
	}
	return member;
}

mcp_member *mcp_members_own(const mcp_server *server, const mcp_member_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return mcp_members_share(server, settings);
	}
	return create(server, settings);
}

void mcp_members_free(mcp_member *member) {
	if (!member->is_shared) {
		destroy(&MCP_G(members), member);
	}
}

/* All of the process together, for memory_limit does not see them. */
static mcp_store *create_memory(const mcp_member *member) {
	mcp_memory_budget *budget = &MCP_G(members).memory;
	mcp_store *store = mcp_store_memory_create(member->server.address, mcp_environment_get());
	if (store != NULL) {
		budget->limit_bytes = (size_t)MCP_G(memory_limit);
		mcp_store_memory_share(store, budget);
	}
	return store;
}

static mcp_store *connect_later(const mcp_member *member) {
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

void mcp_member_note_use(mcp_member *member) {
	member->used = ++MCP_G(members).clock;
}

/* A descriptor for each timeout that was ever used would be too many. */
static void make_room(void) {
	size_t open = 0;
	mcp_member *oldest = NULL;
	for (mcp_member *member = MCP_G(members).first; member != NULL; member = member->next) {
		if (member->store == NULL || is_memory(member)) {
			continue;
		}
		open++;
		oldest = oldest == NULL || member->used < oldest->used ? member : oldest;
	}
	if (open >= MCP_CONNECTIONS_MAX) {
		mcp_member_close(oldest);
	}
}

mcp_store *mcp_member_store(mcp_member *member) {
	mcp_member_note_use(member);
	if (member->store == NULL) {
		make_room();
		member->store = connect_later(member);
		if (UNEXPECTED(member->store == NULL)) {
			zend_error_noreturn(E_ERROR, "Out of memory");
		}
	}
	return member->store;
}

void mcp_member_close(mcp_member *member) {
	if (member->store == NULL || is_memory(member)) {
		return;
	}
	mcp_members_generation();
	if (member->store != NULL) {
		mcp_store_free(member->store);
		member->store = NULL;
		MCP_G(members).generation++;
	}
}
