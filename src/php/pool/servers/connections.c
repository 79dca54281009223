/* Owns every connection of the thread in one table, and closes and disowns them. */
/* SPDX-License-Identifier: MIT */
#include "connections.h"

#include "../../../store/server/connection.h"
#include "../../../store/wrapped/change_notifier.h"
#include "../../../store/wire/direct/wire_direct.h"
#include "../../metrics/meters.h"
#include "../../host/shared_memory.h"
#include "discovery.h"
#include "php_mcpatterns.h"

#ifdef HAVE_MCPATTERNS_LIBMEMCACHED
#include "../../../store/wire/libmemcached/libmemcached_version.h"
#include "../../../store/wire/libmemcached/wire_libmemcached.h"
#endif

/* malloc'ed, and in the thread's table until it is freed. */
struct mcp_kept_connection {
	mcp_server server;
	mcp_connection_settings settings;
	mcp_store *store; /* NULL: not connected, closed, or disowned */
	uint64_t used;    /* time of the last use, by the table's clock */
	uint32_t users;   /* 1 if unshared */
	zend_string *key; /* key in the table of shared connections; NULL: unshared */
	mcp_kept_connection *previous, *next;
};

static bool is_memory(const mcp_kept_connection *connection) {
	return connection->server.kind == MCP_SERVER_MEMORY;
}

static mcp_kept_connection *create_connection(const mcp_server *server,
	const mcp_connection_settings *settings) {
	mcp_connection_table *table = &MCP_G(connections);
	mcp_kept_connection *connection = pecalloc(1, sizeof(*connection), 1);
	connection->server = *server;
	connection->settings = *settings;
	if (settings->access != NULL) {
		settings->access->users++;
	}
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

/* Keeps memory:// servers: they are memory of the process, and the child has its own copy. */
void php_mcp_connections_notice_fork(void) {
	mcp_connection_table *table = &MCP_G(connections);
	if (table->pid == php_mcp_process_id()) {
		return;
	}
	for (mcp_kept_connection *connection = table->first; connection != NULL;
		 connection = connection->next) {
		if (connection->store != NULL && !is_memory(connection)) {
			mcp_store_disown(connection->store);
			connection->store = NULL;
		}
	}
	mcp_late_writes_close(&table->late);
	table->pid = php_mcp_process_id();
	table->generation++;
	php_mcp_meters_note_fork();
}

/* Detects a fork first, because a child must not read replies to its parent. */
void php_mcp_connections_end_request(void) {
	mcp_late_writes *late = &MCP_G(connections).late;
	if (UNEXPECTED(late->count > 0)) {
		php_mcp_connections_notice_fork();
		mcp_late_writes_sweep(late, mcp_monotonic_ms(php_mcp_environment_get()));
	}
}

/* --- transports --- */

bool php_mcp_connections_find_transport(const char *name, mcp_transport *transport) {
	if (*name == '\0') {
		name = MCP_DEFAULT_TRANSPORT;
	}
	bool is_direct = strcasecmp(name, "direct") == 0;
	*transport = is_direct ? MCP_TRANSPORT_DIRECT : MCP_TRANSPORT_LIBMEMCACHED;
	return is_direct || strcasecmp(name, "libmemcached") == 0;
}

#ifdef HAVE_MCPATTERNS_LIBMEMCACHED

bool php_mcp_connections_have_transport(mcp_transport transport) {
	return transport == MCP_TRANSPORT_LIBMEMCACHED || transport == MCP_TRANSPORT_DIRECT;
}

static mcp_wire *create_wire(mcp_transport transport, const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	return transport == MCP_TRANSPORT_DIRECT ? mcp_wire_direct_create(settings, environment)
											 : mcp_wire_libmemcached_create(settings, environment);
}

const char *php_mcp_connections_libmemcached_version(void) {
	return mcp_libmemcached_version();
}

bool php_mcp_connections_are_safe(void) {
	return mcp_libmemcached_is_supported();
}

#else

bool php_mcp_connections_have_transport(mcp_transport transport) {
	return transport == MCP_TRANSPORT_DIRECT;
}

static mcp_wire *create_wire(mcp_transport transport, const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	(void)transport;
	return mcp_wire_direct_create(settings, environment);
}

const char *php_mcp_connections_libmemcached_version(void) {
	return "none (built without it)";
}

bool php_mcp_connections_are_safe(void) {
	return true;
}

#endif

/* --- connections --- */

/* 10 separators, 2 numbers of up to 20 digits, 6 numbers of up to 11 characters and the NUL are 117 bytes, below 160.
 * The fingerprint and the password follow. */
#define SETTINGS_MAX (160 + 2 * MCP_ACCESS_FINGERPRINT_LENGTH + MCP_SECRET_MAX)

/* The key can contain secrets, because it never leaves this process. */
static size_t write_key(char *key, size_t size, const mcp_server *server,
	const mcp_connection_settings *settings) {
	if (server->kind == MCP_SERVER_MEMORY) {
		return (size_t)snprintf(key, size, "%s", server->address);
	}
	char access[2 * MCP_ACCESS_FINGERPRINT_LENGTH + 1] = "";
	for (size_t i = 0; settings->access != NULL && i < MCP_ACCESS_FINGERPRINT_LENGTH; i++) {
		snprintf(access + 2 * i, 3, "%02x", settings->access->fingerprint[i]);
	}
	return (size_t)snprintf(key, size,
		"%s|%d|%" PRIu32 "|%" PRIu32 "|%" PRIu32 "|%" PRIu64 "|%" PRIu64 "|%d|%d|%s|%s",
		server->address, (int)settings->transport, settings->connect_timeout_ms,
		settings->timeout_ms, settings->retry_after_ms, settings->user.id, settings->user.group,
		(int)server->is_tls, (int)server->is_discovery, access, server->secret.text);
}

mcp_kept_connection *php_mcp_connections_get(const mcp_server *server,
	const mcp_connection_settings *settings, bool is_shared) {
	if (!is_shared && server->kind != MCP_SERVER_MEMORY) {
		return create_connection(server, settings);
	}
	char key[MCP_SERVER_ADDRESS_MAX + SETTINGS_MAX];
	size_t length = write_key(key, sizeof(key), server, settings);
	HashTable *shared = &MCP_G(connections).shared;
	mcp_kept_connection *connection = zend_hash_str_find_ptr(shared, key, length);
	if (connection != NULL) {
		connection->users++;
		return connection;
	}
	connection = create_connection(server, settings);
	connection->key = zend_string_init(key, length, 1);
	zend_hash_add_new_ptr(shared, connection->key, connection);
	zend_string_release(connection->key);
	return connection;
}

void php_mcp_connections_free(mcp_kept_connection *connection) {
	if (--connection->users > 0 || is_memory(connection)) {
		return;
	}
	if (connection->key != NULL) {
		zend_hash_del(&MCP_G(connections).shared, connection->key);
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

static mcp_store *connect_later(const mcp_kept_connection *connection) {
	if (is_memory(connection)) {
		return create_memory(connection);
	}
	const mcp_environment *environment = php_mcp_environment_get();
	const mcp_server *server = &connection->server;
	mcp_wire_settings settings = {
		.host = server->host,
		.port = server->port,
		.connect_timeout_ms = connection->settings.connect_timeout_ms,
		.timeout_ms = connection->settings.timeout_ms,
		.late = &MCP_G(connections).late,
	};
	/* Password of the server or, if it has none, of the Pool. */
	const mcp_server_access *access = connection->settings.access;
	bool is_own = access == NULL || php_mcp_server_secret_is_given(&server->secret);
	php_mcp_server_secret_show(is_own ? &server->secret : &access->secret, &settings.user,
		&settings.password);
	mcp_channel carrier;
	if (server->is_tls || server->is_discovery) {
		carrier = server->is_discovery ? php_mcp_discovery_channel(server)
									   : php_mcp_server_access_carrier(access, server->host);
		settings.carrier = &carrier;
	}
	mcp_transport transport =
		server->is_discovery ? MCP_TRANSPORT_DIRECT : connection->settings.transport;
	mcp_wire *wire = create_wire(transport, &settings, environment);
	return mcp_connection_create(wire, &settings, connection->settings.retry_after_ms, environment);
}

void php_mcp_connections_note_use(mcp_kept_connection *connection) {
	connection->used = ++MCP_G(connections).clock;
}

/* Close the least recently used connection: one descriptor for every timeout setting that was ever used would be too
 * many. */
static void close_least_used(void) {
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
	if (open >= MAX(MCP_CONNECTIONS_MAX, MCP_G(connections).longest_list + MCP_CONNECTIONS_SPARE)) {
		php_mcp_connections_close(oldest);
	}
}

mcp_store *php_mcp_connections_store(mcp_kept_connection *connection) {
	php_mcp_connections_note_use(connection);
	if (connection->store == NULL) {
		close_least_used();
		mcp_notified_host host = {
			.changes = php_mcp_shared_memory_changes(),
			.bells = php_mcp_shared_memory_wakeups(),
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
	php_mcp_connections_notice_fork();
	if (connection->store != NULL) {
		mcp_store_free(connection->store);
		connection->store = NULL;
		MCP_G(connections).generation++;
	}
}
