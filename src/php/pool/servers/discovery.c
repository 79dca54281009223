/* Requests the server list, accepts it only if a Pool can use it, and reports the result. */
/* SPDX-License-Identifier: MIT */
#include "discovery.h"

#include "../../../store/wire/direct/wire_direct_cluster.h"
#include "../../host/environment.h"
#include "../../host/shared_memory.h"
#include "zend_smart_str.h"
#include "php_mcpatterns.h"

/* Number of endpoints that a thread keeps without a Pool. */
#define DISCOVERIES_IDLE_MAX 16
#define MS_PER_S 1000.0

/* Set in MINIT and MSHUTDOWN only: threads and forked children use the pointer unchanged. NULL: nothing is shared. */
static mcp_discovery_registry *board;

void php_mcp_discoveries_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_DISCOVERIES, &size);
	board = size >= sizeof(*board) ? memory : NULL;
}

void php_mcp_discoveries_stop(void) {
	board = NULL;
}

/* --- the thread's table --- */

static mcp_discovery *create_discovery(const mcp_server *endpoint, const uint64_t name[2],
	bool is_shareable) {
	mcp_discovery *discovery = pecalloc(1, sizeof(*discovery), 1);
	mcp_discovery_registry_record *shared =
		board != NULL && is_shareable ? mcp_discovery_registry_find(board, name) : NULL;
	if (shared == NULL) {
		discovery->own = pecalloc(1, sizeof(*discovery->own), 1);
	}
	discovery->endpoint = *endpoint;
	discovery->known.record = shared != NULL ? shared : discovery->own;
	return discovery;
}

static void destroy(zval *entry) {
	mcp_discovery *discovery = Z_PTR_P(entry);
	if (discovery->list != NULL) {
		zend_string_release(discovery->list);
	}
	if (discovery->own != NULL) {
		pefree((void *)discovery->own, 1);
	}
	pefree(discovery, 1);
}

void php_mcp_discoveries_init(mcp_idle_table *table) {
	php_mcp_idle_table_init(table, DISCOVERIES_IDLE_MAX, destroy);
}

mcp_discovery *php_mcp_discoveries_share(const mcp_server *endpoint, const uint64_t name[2],
	bool is_shareable) {
	mcp_idle_table *table = &MCP_G(discoveries);
	zend_string *key =
		php_mcp_idle_table_key(zend_string_init((const char *)name, 2 * sizeof(*name), false));
	mcp_discovery *discovery = php_mcp_idle_table_share(table, key);
	if (discovery == NULL) {
		discovery = create_discovery(endpoint, name, is_shareable);
		php_mcp_idle_table_add(table, key, discovery);
	}
	zend_string_release(key);
	return discovery;
}

/* Write the list in the format of the option. Servers are reached in the same way as the endpoint. */
static zend_string *write_list(const mcp_server *endpoint, const mcp_cluster *cluster) {
	smart_str list = {0};
	const char *at = cluster->text, *end = at + cluster->length;
	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *next = comma != NULL ? comma + 1 : end;
		smart_str_appends_ex(&list, endpoint->is_tls ? "tls://" : "", 1);
		smart_str_appendl_ex(&list, at, (size_t)(next - at), 1);
		at = next;
	}
	smart_str_0(&list);
	return list.s;
}

/* Parameters of a discovery request. */
typedef struct question {
	const mcp_server *endpoint;
	const mcp_connection_settings *settings;
} question;

static mcp_status ask_nameserver(const question *asked, mcp_cluster *cluster, mcp_reason *reason) {
	mcp_dns_settings settings = {
		.name = asked->endpoint->host,
		.type = asked->endpoint->dns,
		.port = asked->endpoint->port,
		.timeout_ms = asked->settings->connect_timeout_ms + asked->settings->timeout_ms,
		.resolv_conf = *MCP_G(resolv_conf) != '\0' ? MCP_G(resolv_conf) : "/etc/resolv.conf",
	};
	return mcp_dns_discover(&settings, php_mcp_environment_get(), cluster, reason);
}

/* Uses its own connection, because the endpoint of a Pool serves no items. */
static mcp_status ask_endpoint_once(void *context, mcp_cluster *cluster, mcp_reason *reason) {
	const question *asked = context;
	const mcp_server_access *access = asked->settings->access;
	if (asked->endpoint->dns != 0) {
		return ask_nameserver(asked, cluster, reason);
	}
	mcp_wire_settings settings = {
		.host = asked->endpoint->host,
		.port = asked->endpoint->port,
		.connect_timeout_ms = asked->settings->connect_timeout_ms,
		.timeout_ms = asked->settings->timeout_ms,
	};
	mcp_channel carrier;
	if (asked->endpoint->is_tls) {
		carrier = php_mcp_server_access_carrier(access, asked->endpoint->host);
		settings.carrier = &carrier;
	}
	if (access != NULL) {
		php_mcp_server_secret_show(&access->secret, &settings.user, &settings.password);
	}
	return mcp_wire_direct_discover(&settings, php_mcp_environment_get(), cluster, reason);
}

/* Parse the list as a Pool does. */
static bool is_usable(void *context, const mcp_cluster *cluster) {
	const question *asked = context;
	if (cluster->servers == 0 || cluster->length == 0) {
		return false;
	}
	mcp_server_list servers;
	zend_string *list = write_list(asked->endpoint, cluster);
	mcp_written_servers written = {.text = mcp_bytes_of(ZSTR_VAL(list), ZSTR_LEN(list))};
	zend_string *mistake = php_mcp_servers_parse(&servers, &written);
	zend_string_release(list);
	if (mistake != NULL) {
		zend_string_release(mistake);
		return false;
	}
	php_mcp_servers_free(&servers);
	return true;
}

void php_mcp_discovery_renew(mcp_discovery *discovery, const mcp_connection_settings *settings) {
	question asked = {&discovery->endpoint, settings};
	mcp_discovered_settings asking = {
		.environment = php_mcp_environment_get(),
		.connect_timeout_ms = settings->connect_timeout_ms,
		.timeout_ms = settings->timeout_ms,
		.retry_after_ms = settings->retry_after_ms,
		.refresh_ms = discovery->endpoint.dns != 0 ? (uint32_t)(MCP_G(dns_interval) * MS_PER_S)
												   : MCP_BOARD_MINUTE_MS,
		.is_unversioned = discovery->endpoint.dns != 0,
		.ask = ask_endpoint_once,
		.is_usable = is_usable,
		.context = &asked,
	};
	mcp_discovered_renew(&discovery->known, &asking);
	if (discovery->written == discovery->known.changes) {
		return;
	}
	if (discovery->list != NULL) {
		zend_string_release(discovery->list);
	}
	discovery->list = write_list(&discovery->endpoint, &discovery->known.list.cluster);
	discovery->written = discovery->known.changes;
}

/* --- the channel of an endpoint without a list --- */

/* malloc'ed. The wire knows only its socket, which must be the first member. */
typedef struct unknown_socket {
	mcp_socket socket;
	const mcp_server *endpoint;
	char words[MCP_REASON_MAX];
} unknown_socket;

/* Reports the result of this thread's last discovery request. */
static mcp_socket_outcome refuse_unknown(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	(void)address;
	(void)deadline;
	(void)answer_timeout_ms;
	unknown_socket *self = (unknown_socket *)socket;
	const char *trouble = "has not sent its list of servers yet";
	const mcp_discovery *discovery;
	ZEND_HASH_REVERSE_FOREACH_PTR(&MCP_G(discoveries).entries, discovery) {
		if (discovery->known.has_failed && discovery->list == NULL &&
			discovery->endpoint.is_tls == self->endpoint->is_tls &&
			strcmp(discovery->endpoint.address, self->endpoint->address) == 0) {
			trouble = discovery->known.reason.text;
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	snprintf(self->words, sizeof(self->words), "%s", trouble);
	socket->error = 0;
	return MCP_SOCKET_BROKEN;
}

static bool is_silent(mcp_socket *socket) {
	(void)socket;
	return false;
}

static mcp_socket let_go_of_nothing(mcp_socket *socket) {
	return *socket;
}

static const char *words(const mcp_socket *socket) {
	return ((const unknown_socket *)socket)->words;
}

static void free_socket(mcp_socket *socket) {
	pefree(socket, 1);
}

/* Never connects, so the functions of an open socket are not called. */
static const mcp_channel_operations operations = {
	.connect = refuse_unknown,
	.send = mcp_socket_send,
	.try_to_send = mcp_socket_try_to_send,
	.receive = mcp_socket_receive,
	.is_silent = is_silent,
	.close = mcp_socket_close,
	.disown = mcp_socket_close,
	.let_go = let_go_of_nothing,
	.words = words,
	.free = free_socket,
	.is_plain = true,
};

mcp_channel php_mcp_discovery_channel(const mcp_server *endpoint) {
	unknown_socket *self = pecalloc(1, sizeof(*self), 1);
	self->socket.descriptor = -1;
	self->endpoint = endpoint;
	return (mcp_channel){&operations, &self->socket};
}

/* --- reports --- */

/* Reports show this process's requests, because it is unknown which process of the host made the last request. */

/* Add a version as a string if it does not fit a PHP int, which no honest endpoint sends. */
static void add_version(zval *report, uint64_t version) {
	if (version <= (uint64_t)ZEND_LONG_MAX) {
		add_assoc_long(report, "version", (zend_long)version);
	} else {
		add_assoc_str(report, "version", zend_strpprintf(0, "%" PRIu64, version));
	}
}

/* Every process that uses an accepted lower version reports this version. */
bool php_mcp_discovery_report_trouble(const mcp_discovery *discovery, mcp_reason *words) {
	const mcp_discovered *known = &discovery->known;
	if (known->has_failed) {
		*words = known->reason;
		return true;
	}
	uint64_t version = known->list.cluster.version;
	snprintf(words->text, sizeof(words->text),
		"repeated version %" PRIu64 " of its list %d times in a row: version %" PRIu64
		" replaces version %" PRIu64,
		version, MCP_DISCOVERED_REPEATS, version, known->list.after);
	return known->list.after != 0;
}

void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery) {
	const mcp_discovered *known = &discovery->known;
	zval row;
	array_init(&row);
	add_assoc_string(&row, "endpoint", discovery->endpoint.address);
	add_assoc_bool(&row, "tls", discovery->endpoint.is_tls);
	if (discovery->list != NULL) {
		add_version(&row, known->list.cluster.version);
	} else {
		add_assoc_null(&row, "version");
	}
	add_assoc_long(&row, "servers", (zend_long)known->list.cluster.servers);
	if (known->asked_ms > 0) {
		add_assoc_double(&row, "asked", (double)known->asked_ms / MS_PER_S);
	} else {
		add_assoc_null(&row, "asked");
	}
	mcp_reason words;
	if (php_mcp_discovery_report_trouble(discovery, &words)) {
		add_assoc_str(&row, "error", zend_strpprintf(0, "the server %s", words.text));
	} else {
		add_assoc_null(&row, "error");
	}
	add_assoc_bool(&row, "shared", discovery->own == NULL);
	add_assoc_zval(report, "discovery", &row);
}
