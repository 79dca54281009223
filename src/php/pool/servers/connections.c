/* Owns every connection of the thread in one table, and closes and disowns them. */
/* SPDX-License-Identifier: MIT */
#include "connections.h"

#include "../../../store/server/connection.h"
#include "../../../store/wrapped/change_notifier.h"
#include "../../../store/memory/store_memory.h"
#include "../../metrics/meters.h"
#include "../../host/shared_memory.h"
#include "../../host/process.h"
#include "transports.h"
#include "php_mcpatterns.h"

/* malloc'ed; in the thread's table for its whole life. */
struct mcp_kept_connection {
	mcp_server server;
	mcp_connection_settings settings;
	mcp_store *store; /* NULL: not connected, closed, or disowned */
	uint64_t used;    /* by the table's clock */
	uint32_t users;   /* 1 if unshared */
	bool is_shared;
	mcp_kept_connection *previous, *next;
};

static bool is_memory(const mcp_kept_connection *connection) {
	return connection->server.kind == MCP_SERVER_MEMORY;
}

static mcp_kept_connection *create(const mcp_server *server,
	const mcp_connection_settings *settings) {
	mcp_connection_table *table = &MCP_G(connections);
	mcp_kept_connection *connection = pecalloc(1, sizeof(*connection), 1);
	connection->server = *server;
	connection->settings = *settings;
	php_mcp_server_access_share(settings->access);
	connection->users = 1;
	table->tls_count += server->is_tls;
	connection->next = table->first;
	if (connection->next != NULL) {
		connection->next->previous = connection;
	}
	table->first = connection;
	return connection;
}

static void destroy(mcp_connection_table *table, mcp_kept_connection *connection) {
	if (connection->store != NULL) {
		if (table->pid == php_mcp_process_id() || is_memory(connection)) {
			mcp_store_free(connection->store);
		} else {
			mcp_store_disown(connection->store);
		}
	}
	if (connection->previous != NULL) {
		connection->previous->next = connection->next;
	} else {
		table->first = connection->next;
	}
	if (connection->next != NULL) {
		connection->next->previous = connection->previous;
	}
	table->tls_count -= connection->server.is_tls;
	php_mcp_server_access_free(connection->settings.access);
	pefree(connection, 1);
}

void php_mcp_connections_init(mcp_connection_table *table) {
	zend_hash_init(&table->shared, 8, NULL, NULL, 1);
	table->first = NULL;
	table->pid = php_mcp_process_id();
	table->generation = 1;
}

void php_mcp_connections_destroy(mcp_connection_table *table) {
	while (table->first != NULL) {
		destroy(table, table->first);
	}
	mcp_late_writes_close(&table->late);
	zend_hash_destroy(&table->shared);
}

/* Disown the parent's connections. A memory:// server is process memory: the child has its own copy. */
static zend_never_inline ZEND_COLD void disown_inherited(mcp_connection_table *table, pid_t pid) {
	for (mcp_kept_connection *connection = table->first; connection != NULL;
		 connection = connection->next) {
		if (connection->store != NULL && !is_memory(connection)) {
			mcp_store_disown(connection->store);
			connection->store = NULL;
		}
	}
	mcp_late_writes_close(&table->late);
	table->pid = pid;
	table->generation++;
	php_mcp_meters_note_fork();
}

uint64_t php_mcp_connections_generation(void) {
	mcp_connection_table *table = &MCP_G(connections);
	pid_t pid = php_mcp_process_id();
	if (UNEXPECTED(table->pid != pid)) {
		disown_inherited(table, pid);
	}
	return table->generation;
}

/* First notice a fork: a child must not read replies to its parent. */
void php_mcp_connections_end_request(void) {
	mcp_late_writes *late = &MCP_G(connections).late;
	if (UNEXPECTED(late->count > 0)) {
		php_mcp_connections_generation();
		mcp_late_writes_sweep(late, mcp_monotonic_ms(php_mcp_environment_get()));
	}
}

/* 10 separators, 2 numbers of up to 20 digits, 6 of up to 11 characters and the NUL are 117 bytes, below 160. Then the
 * fingerprint and the password. */
#define SETTINGS_MAX (160 + 2 * MCP_ACCESS_FINGERPRINT_LENGTH + MCP_SECRET_MAX)

/* Write the secret part of the key. The key stays in this process. */
static void write_access(char hexadecimal[2 * MCP_ACCESS_FINGERPRINT_LENGTH + 1],
	const mcp_server_access *access) {
	hexadecimal[0] = '\0';
	for (size_t i = 0; access != NULL && i < MCP_ACCESS_FINGERPRINT_LENGTH; i++) {
		snprintf(hexadecimal + 2 * i, 3, "%02x", access->fingerprint[i]);
	}
}

static size_t write_key(char *key, size_t size, const mcp_server *server,
	const mcp_connection_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return (size_t)snprintf(key, size, "%s", server->address);
	}
	char access[2 * MCP_ACCESS_FINGERPRINT_LENGTH + 1];
	write_access(access, settings->access);
	return (size_t)snprintf(key, size,
		"%s|%d|%" PRIu32 "|%" PRIu32 "|%" PRIu32 "|%" PRIu64 "|%" PRIu64 "|%d|%d|%s|%s",
		server->address, (int)settings->transport, settings->connect_timeout_ms,
		settings->timeout_ms, settings->retry_after_ms, settings->user.id, settings->user.group,
		(int)server->is_tls, (int)server->is_discovery, access, server->secret.text);
}

mcp_kept_connection *php_mcp_connections_share(const mcp_server *server,
	const mcp_connection_settings *settings) {
	char key[MCP_SERVER_ADDRESS_MAX + SETTINGS_MAX];
	size_t length = write_key(key, sizeof(key), server, settings);
	HashTable *shared = &MCP_G(connections).shared;
	mcp_kept_connection *connection = zend_hash_str_find_ptr(shared, key, length);
	if (connection != NULL) {
		connection->users++;
		return connection;
	}
	connection = create(server, settings);
	connection->is_shared = true;
	zend_hash_str_add_new_ptr(shared, key, length, connection);
	return connection;
}

mcp_kept_connection *php_mcp_connections_own(const mcp_server *server,
	const mcp_connection_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return php_mcp_connections_share(server, settings);
	}
	return create(server, settings);
}

static void stop_sharing(const mcp_kept_connection *connection) {
	char key[MCP_SERVER_ADDRESS_MAX + SETTINGS_MAX];
	size_t length = write_key(key, sizeof(key), &connection->server, &connection->settings);
	zend_hash_str_del(&MCP_G(connections).shared, key, length);
}

void php_mcp_connections_free(mcp_kept_connection *connection) {
	if (--connection->users > 0 || is_memory(connection)) {
		return;
	}
	if (connection->is_shared) {
		stop_sharing(connection);
	}
	destroy(&MCP_G(connections), connection);
}

/* Use one budget for the process, because memory_limit does not count this memory. */
static mcp_store *create_memory(const mcp_kept_connection *connection) {
	mcp_memory_budget *budget = &MCP_G(connections).memory;
	mcp_store *store =
		mcp_store_memory_create(connection->server.address, php_mcp_environment_get());
	if (store != NULL) {
		budget->limit_bytes = (size_t)MCP_G(memory_limit);
		mcp_store_memory_share(store, budget);
	}
	return store;
}

/* Password of the server itself, or else the Pool's. */
static const mcp_server_secret *secret_of(const mcp_kept_connection *connection) {
	const mcp_server_access *access = connection->settings.access;
	bool is_own = php_mcp_server_secret_is_given(&connection->server.secret);
	return is_own || access == NULL ? &connection->server.secret : &access->secret;
}

static mcp_channel (*create_carrier_of_unknown)(const mcp_server *endpoint);

void php_mcp_connections_register_unknown(mcp_channel (*create_carrier)(const mcp_server *)) {
	create_carrier_of_unknown = create_carrier;
}

static mcp_channel create_carrier(const mcp_kept_connection *connection) {
	if (connection->server.is_discovery) {
		return create_carrier_of_unknown(&connection->server);
	}
	return php_mcp_server_access_carrier(connection->settings.access, connection->server.host);
}

static mcp_store *connect_later(const mcp_kept_connection *connection) {
	if (is_memory(connection)) {
		return create_memory(connection);
	}
	const mcp_environment *environment = php_mcp_environment_get();
	mcp_wire_settings settings = {
		.host = connection->server.host,
		.port = connection->server.port,
		.connect_timeout_ms = connection->settings.connect_timeout_ms,
		.timeout_ms = connection->settings.timeout_ms,
		.late = &MCP_G(connections).late,
	};
	php_mcp_server_secret_show(secret_of(connection), &settings.user, &settings.password);
	mcp_channel carrier;
	if (connection->server.is_tls || connection->server.is_discovery) {
		carrier = create_carrier(connection);
		settings.carrier = &carrier;
	}
	mcp_transport transport =
		connection->server.is_discovery ? MCP_TRANSPORT_DIRECT : connection->settings.transport;
	mcp_wire *wire = php_mcp_transports_create_wire(transport, &settings, environment);
	return mcp_connection_create(wire, &settings, connection->settings.retry_after_ms, environment);
}

void php_mcp_connections_note_use(mcp_kept_connection *connection) {
	connection->used = ++MCP_G(connections).clock;
}

void php_mcp_connections_expect(size_t count) {
	size_t *longest = &MCP_G(connections).longest_list;
	*longest = MAX(*longest, count);
}

static size_t kept_max(void) {
	return MAX(MCP_CONNECTIONS_MAX, MCP_G(connections).longest_list + MCP_CONNECTIONS_SPARE);
}

/* Close the least recently used connection: a descriptor for every timeout setting ever used would be too many. */
static void make_room(void) {
	size_t open = 0;
	mcp_kept_connection *oldest = NULL;
	for (mcp_kept_connection *connection = MCP_G(connections).first; connection != NULL;
		 connection = connection->next) {
		if (connection->store == NULL || is_memory(connection)) {
			continue;
		}
		open++;
		oldest = oldest == NULL || connection->used < oldest->used ? connection : oldest;
	}
	if (open >= kept_max()) {
		php_mcp_connections_close(oldest);
	}
}

mcp_store *php_mcp_connections_store(mcp_kept_connection *connection) {
	php_mcp_connections_note_use(connection);
	if (connection->store == NULL) {
		make_room();
		mcp_told_host host = {
			.changes = php_mcp_near_changes(),
			.bells = php_mcp_wakeups(),
			.environment = php_mcp_environment_get(),
		};
		connection->store = mcp_change_notifier_create(connect_later(connection), &host);
		if (UNEXPECTED(connection->store == NULL)) {
			zend_error_noreturn(E_ERROR, "Out of memory");
		}
	}
	return connection->store;
}

void php_mcp_connections_close_tls(void) {
	for (mcp_kept_connection *connection = MCP_G(connections).first; connection != NULL;
		 connection = connection->next) {
		if (connection->server.is_tls) {
			php_mcp_connections_close(connection);
		}
	}
}

void php_mcp_connections_close(mcp_kept_connection *connection) {
	if (connection->store == NULL || is_memory(connection)) {
		return;
	}
	php_mcp_connections_generation();
	if (connection->store != NULL) {
		mcp_store_free(connection->store);
		connection->store = NULL;
		MCP_G(connections).generation++;
	}
}
