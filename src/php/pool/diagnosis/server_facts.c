/* Asks for statistics first, which come over a connection of our own whatever the transport is: a server that lies is heard
 * by libmemcached only where it has none. */
/* SPDX-License-Identifier: MIT */
#include "server_facts.h"

#include "../../../core/decimal.h"
#include "../../../core/key/key.h"
#include "../../host/environment.h"
#include "../../host/system_time.h"
#include "../../objects/failure.h"

#define NS_PER_S_DOUBLE 1e9

/* Names the lines, and the key of what Pool::diagnose() returns; NULL: it does not. */
typedef struct number_line {
	const char *name;
	const char *key;
	bool is_setting;
} number_line;

static const number_line number_lines[MCP_FACT_NUMBERS] = {
	[MCP_FACT_UPTIME] = {"uptime", "uptime", false},
	[MCP_FACT_TIME] = {"time", "time", false},
	[MCP_FACT_ITEMS] = {"curr_items", "items", false},
	[MCP_FACT_MEMORY_USED] = {"bytes", "memory_used", false},
	[MCP_FACT_MEMORY] = {"limit_maxbytes", "memory", false},
	[MCP_FACT_EVICTIONS] = {"evictions", "evictions", false},
	[MCP_FACT_UNFETCHED] = {"evicted_unfetched", "evicted_unfetched", false},
	[MCP_FACT_CONNECTIONS] = {"curr_connections", "connections", false},
	[MCP_FACT_CONNECTIONS_MAX] = {"max_connections", "connections_max", false},
	[MCP_FACT_REJECTED] = {"rejected_connections", "connections_rejected", false},
	[MCP_FACT_ITEM_SIZE] = {"item_size_max", "item_size", true},
	[MCP_FACT_UDP_PORT] = {"udpport", "udp_port", true},
	[MCP_FACT_IDLE_TIMEOUT] = {"idle_timeout", NULL, true},
};

typedef struct switch_line {
	const char *name;
	const char *key;
} switch_line;

static const switch_line switch_lines[MCP_FACT_SWITCHES] = {
	[MCP_FACT_GIVES_CAS] = {"cas_enabled", "cas"},
	[MCP_FACT_EVICTS] = {"evictions", "evicts"},
	[MCP_FACT_FLUSHES] = {"flush_enabled", "flush"},
	[MCP_FACT_WANTS_PASSWORD] = {"auth_enabled_ascii", "password"},
};

static bool is(mcp_bytes bytes, const char *text) {
	return mcp_bytes_equal(bytes, mcp_bytes_of(text, strlen(text)));
}

static void take_number(mcp_server_facts *facts, mcp_bytes name, mcp_bytes value, bool is_setting) {
	for (size_t i = 0; i < MCP_FACT_NUMBERS; i++) {
		uint64_t number;
		if (number_lines[i].is_setting == is_setting && is(name, number_lines[i].name) &&
			mcp_decimal_parse_u64(value, &number) && number <= ZEND_LONG_MAX) {
			facts->numbers[i] = number;
		}
	}
}

static void take_version(mcp_server_facts *facts, mcp_bytes value) {
	size_t length = value.length < MCP_FACT_VERSION_MAX ? value.length : MCP_FACT_VERSION_MAX;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)value.data[i];
		facts->version[i] = byte >= 0x20 && byte < 0x7f ? value.data[i] : '?';
	}
	facts->version[length] = '\0';
}

static void take_statistic(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_server_facts *facts = context;
	take_number(facts, name, value, false);
	if (is(name, "version")) {
		take_version(facts, value);
	}
}

static mcp_told read_switch(mcp_bytes value) {
	if (is(value, "yes") || is(value, "on")) {
		return MCP_TOLD_YES;
	}
	/* The authentication file's name stands in the place of a "yes". */
	return is(value, "no") || is(value, "off") ? MCP_TOLD_NO : MCP_UNTOLD;
}

static void take_setting(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_server_facts *facts = context;
	take_number(facts, name, value, true);
	for (size_t i = 0; i < MCP_FACT_SWITCHES; i++) {
		if (is(name, switch_lines[i].name)) {
			facts->switches[i] = read_switch(value);
		}
	}
	if (is(name, "inter")) {
		facts->is_on_all_addresses = is(value, "NULL") ? MCP_TOLD_YES : MCP_TOLD_NO;
	}
}

/* Keeps the failure of a question, if it is one. */
static void keep_failure(mcp_server_facts *facts, mcp_store *store, mcp_status status) {
	facts->status = status;
	if (mcp_status_is_failure(status) && status != MCP_UNSUPPORTED) {
		zend_string *words = php_mcp_failure_describe(status, mcp_store_last_failure(store));
		snprintf(facts->words, sizeof(facts->words), "%s", ZSTR_VAL(words));
		zend_string_release(words);
	}
}

static mcp_status ask_statistics(mcp_server_facts *facts, mcp_store *store) {
	uint64_t before_ns = php_mcp_system_wall_ns();
	uint64_t asked_ns = php_mcp_environment_measure_ns();
	mcp_status status = mcp_store_stats(store, take_statistic, facts);
	uint64_t taken_ns = php_mcp_environment_measure_ns() - asked_ns;
	facts->seconds = facts->quickest = (double)taken_ns / NS_PER_S_DOUBLE;
	if (status == MCP_OK && php_mcp_server_facts_has(facts, MCP_FACT_TIME)) {
		/* The server told a whole second, at some moment of the round trip. */
		double here = (double)before_ns / NS_PER_S_DOUBLE + facts->seconds / 2;
		facts->skew = (double)facts->numbers[MCP_FACT_TIME] + 0.5 - here;
	}
	return status == MCP_UNSUPPORTED && mcp_store_ping(store) != MCP_OK ? MCP_UNREACHABLE : status;
}

static mcp_status ask_settings(mcp_server_facts *facts, mcp_store *store) {
	uint64_t asked_ns = php_mcp_environment_measure_ns();
	mcp_status status = mcp_store_settings(store, take_setting, facts);
	double taken = (double)(php_mcp_environment_measure_ns() - asked_ns) / NS_PER_S_DOUBLE;
	facts->quickest = MIN(facts->quickest, taken);
	return status;
}

static mcp_key key_of_ours(void) {
	static const char name[] = "mcpatterns-doctor";
	mcp_bytes bytes = mcp_bytes_of(name, sizeof(name) - 1);
	return (mcp_key){.wire = bytes, .route = bytes, .is_safe = true};
}

/* Reads what a cas was answered. Another doctor's item may stand there, or none any more. */
static mcp_told told_of_cas(mcp_store *store, mcp_status status) {
	const mcp_store_failure *failure = mcp_store_last_failure(store);
	if (status == MCP_OK || status == MCP_EXISTS || status == MCP_NOT_FOUND) {
		return MCP_TOLD_YES;
	}
	bool is_refused = status == MCP_REFUSED ||
		(status == MCP_UNKNOWN && failure != NULL &&
			mcp_reason_is_a_server_error(&failure->reason));
	return is_refused || status == MCP_NO_CAS ? MCP_TOLD_NO : MCP_UNTOLD;
}

#define OURS_LIVES_MS 10000

/* Stores an item, reads its cas id, and compares it. A server that stores nothing now tells nothing by that. False if it has not
 * answered, and had better be asked no more. */
static bool try_cas(mcp_server_facts *facts, mcp_store *store) {
	mcp_key key = key_of_ours();
	mcp_record record = {.body = mcp_bytes_of("cas", 3), .ttl_ms = OURS_LIVES_MS};
	mcp_item item;
	mcp_status status = mcp_store_set(store, &key, &record);
	if (status != MCP_OK) {
		return !mcp_status_is_unanswered(status);
	}
	status = mcp_store_get(store, &key, &item);
	if (status == MCP_OK) {
		status = mcp_store_cas(store, &key, &record, item.cas);
	}
	facts->takes_cas = told_of_cas(store, status);
	bool answers = facts->takes_cas != MCP_UNTOLD || !mcp_status_is_unanswered(status);
	if (answers) {
		mcp_store_delete(store, &key);
	}
	return answers;
}

/* Asks for what is left of an item that is not there. */
static mcp_status ask_meta(mcp_server_facts *facts, mcp_store *store) {
	mcp_key key = key_of_ours();
	uint64_t left_ms;
	mcp_status status = mcp_store_ttl_left(store, &key, &left_ms);
	facts->knows_meta = status == MCP_UNSUPPORTED ? MCP_TOLD_NO : MCP_TOLD_YES;
	return mcp_status_is_failure(status) && status != MCP_UNSUPPORTED ? status : MCP_OK;
}

static bool is_over(mcp_server_facts *facts, uint64_t began_ns, const mcp_server_asking *asking) {
	facts->is_cut_short = php_mcp_environment_elapsed_ms(began_ns) > asking->most_ms;
	return facts->is_cut_short;
}

/* Asks what it takes. Without cas ids no meta commands are sent, whatever it knows. */
static mcp_status ask_abilities(mcp_server_facts *facts, mcp_store *store,
	const mcp_server_asking *asking, uint64_t began_ns) {
	if (facts->switches[MCP_FACT_GIVES_CAS] == MCP_TOLD_NO || is_over(facts, began_ns, asking) ||
		!try_cas(facts, store)) {
		return MCP_OK;
	}
	bool asks_meta = asking->asks_meta && facts->takes_cas != MCP_TOLD_NO;
	return asks_meta && !is_over(facts, began_ns, asking) ? ask_meta(facts, store) : MCP_OK;
}

/* A proxy that tells nothing of itself takes a cas, or none, all the same. */
static void ask(mcp_server_facts *facts, mcp_store *store, const mcp_server_asking *asking) {
	uint64_t began_ns = php_mcp_environment_measure_ns();
	keep_failure(facts, store, ask_statistics(facts, store));
	if (facts->status == MCP_UNSUPPORTED && !is_over(facts, began_ns, asking)) {
		try_cas(facts, store);
	}
	if (facts->status != MCP_OK || is_over(facts, began_ns, asking)) {
		return;
	}
	mcp_status status = ask_settings(facts, store);
	facts->has_settings = status == MCP_OK;
	if (status == MCP_OK || status == MCP_UNSUPPORTED) {
		status = ask_abilities(facts, store, asking, began_ns);
	}
	keep_failure(facts, store, status);
}

int php_mcp_server_facts_version(const mcp_server_facts *facts, mcp_server_version *version) {
	return MAX(0,
		sscanf(facts->version, "%u.%u.%u", &version->major, &version->minor, &version->patch));
}

/* Takes it by the version that meta commands came with, as none was asked. */
static void guess_meta(mcp_server_facts *facts) {
	mcp_server_version version;
	if (facts->knows_meta == MCP_UNTOLD && php_mcp_server_facts_version(facts, &version) >= 2) {
		bool is_new = version.major > 1 || (version.major == 1 && version.minor >= 6);
		facts->knows_meta = is_new ? MCP_TOLD_YES : MCP_TOLD_NO;
	}
}

void php_mcp_server_facts_ask(mcp_server_facts *facts, mcp_store *store, const mcp_server *server,
	const mcp_server_asking *asking) {
	memset(facts, 0, sizeof(*facts));
	facts->server = server;
	for (size_t i = 0; i < MCP_FACT_NUMBERS; i++) {
		facts->numbers[i] = MCP_NOT_TOLD;
	}
	if (server->kind == MCP_SERVER_MEMORY) {
		keep_failure(facts, store, mcp_store_stats(store, take_statistic, facts));
		return;
	}
	ask(facts, store, asking);
	guess_meta(facts);
}

static void add_told(zval *row, const char *key, mcp_told told) {
	if (told == MCP_UNTOLD) {
		add_assoc_null(row, key);
	} else {
		add_assoc_bool(row, key, told == MCP_TOLD_YES);
	}
}

static void add_words(zval *row, const char *key, const char *words) {
	if (*words == '\0') {
		add_assoc_null(row, key);
	} else {
		add_assoc_string(row, key, words);
	}
}

static void add_numbers(zval *row, const mcp_server_facts *facts) {
	for (size_t i = 0; i < MCP_FACT_NUMBERS; i++) {
		if (number_lines[i].key == NULL) {
			continue;
		}
		if (php_mcp_server_facts_has(facts, (mcp_server_number)i)) {
			add_assoc_long(row, number_lines[i].key, (zend_long)facts->numbers[i]);
		} else {
			add_assoc_null(row, number_lines[i].key);
		}
	}
}

void php_mcp_server_facts_add(zval *report, const mcp_server_facts *facts) {
	bool answers = facts->status == MCP_OK || facts->status == MCP_UNSUPPORTED;
	bool has_clock =
		facts->server->kind != MCP_SERVER_MEMORY && php_mcp_server_facts_has(facts, MCP_FACT_TIME);
	zval row;
	array_init(&row);
	add_assoc_bool(&row, "answers", answers);
	add_words(&row, "error", facts->words);
	add_assoc_double(&row, "seconds", facts->seconds);
	add_assoc_bool(&row, "tls", facts->server->is_tls);
	add_words(&row, "version", facts->version);
	add_told(&row, "meta", facts->knows_meta);
	if (has_clock) {
		add_assoc_double(&row, "skew", facts->skew);
	} else {
		add_assoc_null(&row, "skew");
	}
	for (size_t i = 0; i < MCP_FACT_SWITCHES; i++) {
		add_told(&row, switch_lines[i].key, facts->switches[i]);
	}
	add_numbers(&row, facts);
	add_assoc_zval(report, facts->server->address, &row);
}
