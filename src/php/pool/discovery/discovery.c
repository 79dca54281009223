/* A failed question, an empty list, one that no Pool could be made of and one with a lower version change nothing. */
/* SPDX-License-Identifier: MIT */
#include "discovery.h"

#include "../../../core/vendor/xxh64.h"
#include "../../host/environment.h"
#include "../../host/shared_memory.h"
#include "discovery_asking.h"
#include "php_mcpatterns.h"
#include "zend_smart_str.h"

/* An endpoint that has never told a list is asked again after this at the earliest. */
#define RETRY_MS_MIN 1000
#define WAIT_MS 1
/* For the looking up of its name, and a machine with other work to do. */
#define TURN_MS_MORE 1000
#define TURN_MS_MAX (MCP_BOARD_MINUTE_MS - 1)

/* Written in MINIT and MSHUTDOWN alone: threads and forked children find it as it was made. NULL: nothing is shared. */
static mcp_board *board;

void php_mcp_discoveries_start(void) {
	size_t size;
	void *memory = php_mcp_shared_memory_part(MCP_SHARED_DISCOVERIES, &size);
	board = size >= sizeof(*board) ? memory : NULL;
}

void php_mcp_discoveries_stop(void) {
	board = NULL;
}

/* --- the thread's table --- */

static uint64_t name_of(const mcp_server *endpoint) {
	uint64_t hash = XXH64(endpoint->address, strlen(endpoint->address), endpoint->is_tls);
	return hash != 0 ? hash : 1;
}

static mcp_discovery *create(const mcp_server *endpoint) {
	mcp_discovery *discovery = pecalloc(1, sizeof(*discovery), 1);
	discovery->endpoint = *endpoint;
	discovery->record = board != NULL ? mcp_board_find(board, name_of(endpoint)) : NULL;
	if (discovery->record == NULL) {
		discovery->own = pecalloc(1, sizeof(*discovery->own), 1);
		discovery->record = discovery->own;
	}
	return discovery;
}

static void destroy(mcp_discovery *discovery) {
	if (discovery->list != NULL) {
		zend_string_release(discovery->list);
	}
	if (discovery->own != NULL) {
		pefree((void *)discovery->own, 1);
	}
	pefree(discovery, 1);
}

void php_mcp_discoveries_destroy(mcp_discovery_table *table) {
	while (table->first != NULL) {
		mcp_discovery *discovery = table->first;
		table->first = discovery->next;
		destroy(discovery);
	}
}

static mcp_discovery *find(const char *address, bool is_tls) {
	mcp_discovery *discovery = MCP_G(discoveries).first;
	while (discovery != NULL &&
		(discovery->endpoint.is_tls != is_tls ||
			strcmp(discovery->endpoint.address, address) != 0)) {
		discovery = discovery->next;
	}
	return discovery;
}

const mcp_discovery *php_mcp_discoveries_find(const char *address, bool is_tls) {
	return find(address, is_tls);
}

mcp_discovery *php_mcp_discoveries_share(const mcp_server *endpoint) {
	mcp_discovery_table *table = &MCP_G(discoveries);
	mcp_discovery *discovery = find(endpoint->address, endpoint->is_tls);
	if (discovery == NULL) {
		discovery = create(endpoint);
		discovery->next = table->first;
		table->first = discovery;
	} else if (discovery->users == 0) {
		table->idle--;
	}
	discovery->users++;
	return discovery;
}

static void forget_oldest(mcp_discovery_table *table) {
	mcp_discovery **oldest = NULL;
	for (mcp_discovery **at = &table->first; *at != NULL; at = &(*at)->next) {
		if ((*at)->users == 0 && (oldest == NULL || (*at)->given_back < (*oldest)->given_back)) {
			oldest = at;
		}
	}
	if (oldest != NULL) {
		mcp_discovery *discovery = *oldest;
		*oldest = discovery->next;
		destroy(discovery);
		table->idle--;
	}
}

void php_mcp_discoveries_let_go(mcp_discovery *discovery) {
	mcp_discovery_table *table = &MCP_G(discoveries);
	if (--discovery->users > 0) {
		return;
	}
	discovery->given_back = ++table->clock;
	if (++table->idle > MCP_DISCOVERIES_IDLE_MAX) {
		forget_oldest(table);
	}
}

/* --- lists --- */

/* Writes the list as a user would: servers are reached as the endpoint is. */
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

/* Writes the list, and reads it as a Pool would. NULL if none can be made of it. */
static zend_string *make_list(const mcp_server *endpoint, const mcp_cluster *cluster) {
	if (cluster->length == 0) {
		return NULL;
	}
	mcp_server_list servers;
	zend_string *list = write_list(endpoint, cluster);
	mcp_written_servers written = {.text = mcp_bytes_of(ZSTR_VAL(list), ZSTR_LEN(list))};
	zend_string *mistake = php_mcp_servers_parse(&servers, &written);
	if (mistake != NULL) {
		zend_string_release(mistake);
		zend_string_release(list);
		return NULL;
	}
	php_mcp_servers_free(&servers);
	return list;
}

static bool is_newer(const mcp_discovery *discovery, uint64_t version) {
	return discovery->list == NULL || version > discovery->version;
}

/* Takes the record's list if it is newer. Others' processes write there: it is judged as an answer is. */
static void look(mcp_discovery *discovery) {
	mcp_cluster cluster;
	uint64_t edition;
	if (mcp_board_edition(discovery->record) == discovery->looked_at ||
		!mcp_board_read(discovery->record, &cluster, &edition)) {
		return;
	}
	discovery->looked_at = edition;
	zend_string *list =
		is_newer(discovery, cluster.version) ? make_list(&discovery->endpoint, &cluster) : NULL;
	if (list != NULL) {
		if (discovery->list != NULL) {
			zend_string_release(discovery->list);
		}
		discovery->list = list;
		discovery->version = cluster.version;
		discovery->servers = cluster.servers;
	}
}

/* --- asking --- */

/* False if the answer changes nothing, and why. */
static bool is_good(const mcp_discovery *discovery, const mcp_cluster *cluster,
	mcp_reason *reason) {
	zend_string *list = make_list(&discovery->endpoint, cluster);
	if (list == NULL) {
		mcp_reason_say(reason, "answered a list of servers that makes no sense");
		return false;
	}
	zend_string_release(list);
	if (discovery->list != NULL && cluster->version < discovery->version) {
		snprintf(reason->text, sizeof(reason->text),
			"answered version %" PRIu64 " of its list, and has told %" PRIu64 " before",
			cluster->version, discovery->version);
		return false;
	}
	return true;
}

static bool is_on_the_board(const mcp_discovery *discovery) {
	return mcp_board_edition(discovery->record) != 0;
}

/* Asks in the caller's turn. */
static void ask(mcp_discovery *discovery, const mcp_discovery_terms *terms) {
	mcp_cluster cluster;
	mcp_reason reason = {.text = ""};
	bool is_told =
		php_mcp_discovery_asking_ask(&discovery->endpoint, terms, &cluster, &reason) == MCP_OK &&
		is_good(discovery, &cluster, &reason);
	discovery->asked_ms = mcp_wall_ms(php_mcp_environment_get());
	discovery->has_failed = !is_told;
	discovery->reason = reason;
	if (is_told && (is_newer(discovery, cluster.version) || !is_on_the_board(discovery))) {
		mcp_board_write(discovery->record, &cluster);
		look(discovery);
	}
}

static uint64_t turn_ms(const mcp_discovery_terms *terms) {
	uint64_t needed_ms =
		(uint64_t)terms->connect_timeout_ms + 2 * (uint64_t)terms->timeout_ms + TURN_MS_MORE;
	return MIN(needed_ms, TURN_MS_MAX);
}

static uint64_t pause_ms(const mcp_discovery *discovery, const mcp_discovery_terms *terms) {
	bool is_known = discovery->list != NULL;
	return is_known ? MCP_BOARD_MINUTE_MS
					: MIN(MAX(terms->retry_after_ms, RETRY_MS_MIN), MCP_BOARD_MINUTE_MS);
}

/* Waits for the process that asks; the clock may stand still for this thread, but not while it sleeps. Signals' handlers run
 * when it is over, as they do for whoever asks: without a list every operation fails. */
static void wait_for_another(mcp_discovery *discovery) {
	const mcp_environment *environment = php_mcp_environment_get();
	while (discovery->list == NULL &&
		mcp_board_is_claimed(discovery->record, mcp_monotonic_ms(environment))) {
		mcp_sleep_ms(environment, WAIT_MS);
		look(discovery);
	}
}

bool php_mcp_discovery_is_outdated(const mcp_discovery *discovery) {
	uint64_t now_ms = mcp_monotonic_ms(php_mcp_environment_get());
	return mcp_board_edition(discovery->record) != discovery->looked_at ||
		mcp_board_is_due(discovery->record, now_ms);
}

void php_mcp_discovery_renew(mcp_discovery *discovery, const mcp_discovery_terms *terms) {
	const mcp_environment *environment = php_mcp_environment_get();
	uint64_t claim;
	look(discovery);
	if (mcp_board_claim(discovery->record, mcp_monotonic_ms(environment), turn_ms(terms), &claim)) {
		ask(discovery, terms);
		uint64_t now_ms = mcp_monotonic_ms(environment);
		mcp_board_release(discovery->record, claim, now_ms + pause_ms(discovery, terms));
	} else {
		wait_for_another(discovery);
	}
}
