/* Collects the facts of each server, and judges them by the bounds of docs/operate/doctor.md. */
/* SPDX-License-Identifier: MIT */
#include "server_judging.h"

#include "../../../core/decimal.h"
#include "../../../core/key/key.h"
#include "../../host/environment.h"
#include "../../host/system_time.h"
#include "../../host/user.h"
#include "../../objects/failure.h"
#include "findings.h"

#include <math.h>

/* The number of what was not told, or is no number. */
#define MCP_NOT_TOLD UINT64_MAX

typedef struct mcp_server_version {
	unsigned major, minor, patch;
} mcp_server_version;

static inline bool php_mcp_server_facts_has(const mcp_server_facts *facts,
	mcp_server_number number) {
	return facts->numbers[number] != MCP_NOT_TOLD;
}

/* By the words of a failure, which are this extension's own (store/reason.c, php/tls/tls_words.c) but for what a server has answered.
 * The first line that is found counts: the special stands before the general. */

#ifndef PHP_WIN32
#include <sys/stat.h>
#endif

typedef struct meaning {
	const char *part; /* of the words */
	mcp_finding_code code;
} meaning;

#define CLOSED "server closed the connection"

/* Where what was answered is of no use at all. */
static const meaning useless[] = {
	{CLOSED, MCP_FINDING_CONNECTION_CLOSED},
	{"", MCP_FINDING_INVALID_RESPONSE},
};

static const meaning meanings[] = {
	{"unauthenticated", MCP_FINDING_PASSWORD},
	{"refused the user or the password", MCP_FINDING_PASSWORD},
	{"when it is given a password", MCP_FINDING_PASSWORD},
	{"answered \"SERVER_ERROR", MCP_FINDING_SERVER_ERROR},
	{MCP_REASON_FULL_SERVER, MCP_FINDING_SERVER_ERROR},
	{CLOSED, MCP_FINDING_CONNECTION_CLOSED},
	{"server broke the connection", MCP_FINDING_CONNECTION_CLOSED},
	{"certificate", MCP_FINDING_CERTIFICATE},
	{"TLS", MCP_FINDING_TLS},
	{"did not answer within", MCP_FINDING_TIMEOUT},
	{"took longer than", MCP_FINDING_TIMEOUT},
	{"its host is unknown", MCP_FINDING_UNKNOWN_HOST},
	{"nothing listens there", MCP_FINDING_REFUSED},
	{"no such file", MCP_FINDING_SOCKET_MISSING},
	{"no permission", MCP_FINDING_SOCKET_PERMISSION},
	{"answer", MCP_FINDING_INVALID_RESPONSE},
	{"", MCP_FINDING_UNREACHABLE},
};

/* Takes the last one, which any words have, where no other is in them. */
static mcp_finding_code find(const meaning *list, const char *words) {
	while (strstr(words, list->part) == NULL) {
		list++;
	}
	return list->code;
}

static mcp_finding_code code_of(const mcp_server_facts *facts) {
	if (facts->status == MCP_TIMEOUT) {
		return MCP_FINDING_TIMEOUT;
	}
	return find(mcp_status_is_useless(facts->status) ? useless : meanings, facts->words);
}

#ifdef PHP_WIN32

static bool add_permission(zval *list, const mcp_server_facts *facts) {
	(void)list;
	(void)facts;
	return false;
}

void php_mcp_failure_judging_look_at_socket(zval *list, const mcp_server *server) {
	(void)list;
	(void)server;
}

#else

#define ACCESS_BITS 0777

/* Says whose the socket is, where its folder lets this process look. */
static bool add_permission(zval *list, const mcp_server_facts *facts) {
	struct stat status;
	mcp_user user = php_mcp_user_ask();
	if (facts->server->kind != MCP_SERVER_UNIX || stat(facts->server->host, &status) != 0) {
		return false;
	}
	php_mcp_findings_add(list, MCP_FINDING_SOCKET_PERMISSION, facts->server->address,
		"%s; the socket is of user %lu and group %lu with the mode %04o, and this PHP runs as user %lu and group %lu",
		facts->words, (unsigned long)status.st_uid, (unsigned long)status.st_gid,
		(unsigned)status.st_mode & ACCESS_BITS, (unsigned long)user.id, (unsigned long)user.group);
	return true;
}

void php_mcp_failure_judging_look_at_socket(zval *list, const mcp_server *server) {
	struct stat status;
	if (server->kind == MCP_SERVER_UNIX && stat(server->host, &status) == 0 &&
		S_ISSOCK(status.st_mode) && (status.st_mode & S_IWOTH) != 0) {
		php_mcp_findings_add(list, MCP_FINDING_SOCKET_OPEN_TO_ALL, server->address,
			"every user of this host may write to the socket: its mode is %04o",
			(unsigned)status.st_mode & ACCESS_BITS);
	}
}

#endif

/* Says whether they are about an endpoint that tells no list. That is a finding by itself: a memcached in its best health may listen there. */
static bool is_of_discovery(const char *words) {
	return strstr(words, "discovery endpoint") != NULL || strstr(words, "list of servers") != NULL;
}

/* Adds a finding about a server that failed. */
static void php_mcp_failure_judging_add(zval *list, const mcp_server_facts *facts) {
	if (is_of_discovery(facts->words)) {
		return;
	}
	mcp_finding_code code = code_of(facts);
	if (code != MCP_FINDING_SOCKET_PERMISSION || !add_permission(list, facts)) {
		php_mcp_findings_add(list, code, facts->server->address, "%s", facts->words);
	}
}

/* Asks for statistics first, which come over a connection of our own whatever the transport is: a server that lies is heard
 * by libmemcached only where it has none. */

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

static bool is_text(mcp_bytes bytes, const char *text) {
	return mcp_bytes_equal(bytes, mcp_bytes_of(text, strlen(text)));
}

static void take_number(mcp_server_facts *facts, mcp_bytes name, mcp_bytes value, bool is_setting) {
	for (size_t i = 0; i < MCP_FACT_NUMBERS; i++) {
		uint64_t number;
		if (number_lines[i].is_setting == is_setting && is_text(name, number_lines[i].name) &&
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
	if (is_text(name, "version")) {
		take_version(facts, value);
	}
}

static mcp_told read_switch(mcp_bytes value) {
	if (is_text(value, "yes") || is_text(value, "on")) {
		return MCP_TOLD_YES;
	}
	/* The authentication file's name stands in the place of a "yes". */
	return is_text(value, "no") || is_text(value, "off") ? MCP_TOLD_NO : MCP_UNTOLD;
}

static void take_setting(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_server_facts *facts = context;
	take_number(facts, name, value, true);
	for (size_t i = 0; i < MCP_FACT_SWITCHES; i++) {
		if (is_text(name, switch_lines[i].name)) {
			facts->switches[i] = read_switch(value);
		}
	}
	if (is_text(name, "inter")) {
		facts->is_on_all_addresses = is_text(value, "NULL") ? MCP_TOLD_YES : MCP_TOLD_NO;
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

/* Reads its version, "1.6.21", as far as it is numbers, and returns how many of the three there are. */
static int php_mcp_server_facts_version(const mcp_server_facts *facts,
	mcp_server_version *version) {
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

/* memcached tells a whole second, and looks at the time once in each, now and then once in two. */
#define SKEW_MAX_S 3.0
#define ITEM_SIZE_LEAST ((uint64_t)1024 * 1024)
#define MEMORY_DEFAULT ((uint64_t)64 * 1024 * 1024)
#define RESTARTED_S 300
#define NEARLY 0.9
/* Items take between this and all of a memory that is handed out to slabs as a whole, by their sizes. */
#define FULL_FROM 0.8
#define MS_PER_S 1000.0

typedef struct view {
	zval *list;
	const mcp_server_facts *facts;
	const char *address;
} view;

static uint64_t number(const view *of, mcp_server_number which) {
	return of->facts->numbers[which];
}

static bool has(const view *of, mcp_server_number which) {
	return php_mcp_server_facts_has(of->facts, which);
}

/* Says whether it is more than nothing. */
static bool counts(const view *of, mcp_server_number which) {
	return has(of, which) && number(of, which) > 0;
}

/* Says whether the first is at least that part of what the second allows. */
static bool is_part(const view *of, mcp_server_number some, mcp_server_number all, double part) {
	return has(of, some) && counts(of, all) &&
		(double)number(of, some) >= part * (double)number(of, all);
}

static bool is(const view *of, mcp_server_switch which, mcp_told told) {
	return of->facts->switches[which] == told;
}

/* Takes 1.6.2 for the first that is not: one request ends 1.6.0 (CVE-2020-10931), and what is older has others. */
static bool is_old(const mcp_server_version *version) {
	return version->major == 1 &&
		(version->minor < 6 || (version->minor == 6 && version->patch < 2));
}

static void judge_version(const view *of, const mcp_server_terms *terms) {
	mcp_server_version version;
	int parts = php_mcp_server_facts_version(of->facts, &version);
	if (parts < 2 || !has(of, MCP_FACT_TIME) || !has(of, MCP_FACT_UPTIME) ||
		!counts(of, MCP_FACT_MEMORY)) {
		php_mcp_findings_add(of->list, MCP_FINDING_INVALID_STATISTICS, of->address,
			"its statistics lack a version, the time, its uptime or its memory, or they make no sense");
	}
	if (parts == 3 && is_old(&version)) {
		php_mcp_findings_add(of->list, MCP_FINDING_OLD_VERSION, of->address, "it is memcached %s",
			of->facts->version);
	}
	if (terms->is_direct && of->facts->knows_meta == MCP_TOLD_NO) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_META, of->address,
			"it does not know the meta commands, or those of before 1.6.13, which are not used");
	}
}

static void judge_clock(const view *of) {
	char text[MCP_FINDING_TEXT_MAX];
	double skew = of->facts->skew;
	if (has(of, MCP_FACT_TIME) && fabs(skew) > SKEW_MAX_S) {
		php_mcp_findings_add(of->list, MCP_FINDING_CLOCK, of->address,
			"its clock is %s %s this host's", php_mcp_findings_seconds(text, round(fabs(skew))),
			skew > 0 ? "ahead of" : "behind");
	}
	if (has(of, MCP_FACT_UPTIME) && number(of, MCP_FACT_UPTIME) < RESTARTED_S) {
		php_mcp_findings_add(of->list, MCP_FINDING_RESTARTED, of->address,
			"it was started less than %d minutes ago", RESTARTED_S / 60);
	}
}

static void judge_items(const view *of, const mcp_server_terms *terms) {
	char text[MCP_FINDING_TEXT_MAX], limit[MCP_FINDING_TEXT_MAX];
	uint64_t size = number(of, MCP_FACT_ITEM_SIZE);
	if (!has(of, MCP_FACT_ITEM_SIZE)) {
		return;
	}
	php_mcp_findings_bytes(text, size);
	if (size < ITEM_SIZE_LEAST) {
		php_mcp_findings_add(of->list, MCP_FINDING_SMALL_ITEMS, of->address,
			"it takes no value of more than %s (-I)", text);
	}
	if (terms->item_size_limit > 0 && size > terms->item_size_limit) {
		php_mcp_findings_add(of->list, MCP_FINDING_LARGE_ITEMS, of->address,
			"it takes values of up to %s (-I), and mcpatterns.item_size_limit is %s", text,
			php_mcp_findings_bytes(limit, terms->item_size_limit));
	}
}

static void judge_evictions(const view *of, const mcp_server_terms *terms) {
	char time[MCP_FINDING_TEXT_MAX], memory[MCP_FINDING_TEXT_MAX];
	uint64_t unfetched = has(of, MCP_FACT_UNFETCHED) ? number(of, MCP_FACT_UNFETCHED) : 0;
	uint64_t uptime = has(of, MCP_FACT_UPTIME) ? number(of, MCP_FACT_UPTIME) : 0;
	uint64_t limit = has(of, MCP_FACT_MEMORY) ? number(of, MCP_FACT_MEMORY) : 0;
	php_mcp_findings_add(of->list,
		terms->has_sessions ? MCP_FINDING_SESSION_EVICTIONS : MCP_FINDING_EVICTIONS, of->address,
		"it has evicted %llu items in %s, %llu of them never read: its memory of %s is full",
		(unsigned long long)number(of, MCP_FACT_EVICTIONS),
		php_mcp_findings_seconds(time, (double)uptime), (unsigned long long)unfetched,
		php_mcp_findings_bytes(memory, limit));
}

static void judge_fullness(const view *of, bool evicts) {
	char used[MCP_FINDING_TEXT_MAX], memory[MCP_FINDING_TEXT_MAX];
	php_mcp_findings_add(of->list, evicts ? MCP_FINDING_NEARLY_FULL : MCP_FINDING_FULL, of->address,
		evicts ? "%s of its %s are in use"
			   : "items take %s of its %s, and it evicts nothing (-M): it refuses what is written, "
				 "or is about to",
		php_mcp_findings_bytes(used, number(of, MCP_FACT_MEMORY_USED)),
		php_mcp_findings_bytes(memory, number(of, MCP_FACT_MEMORY)));
}

static void judge_memory(const view *of, const mcp_server_terms *terms) {
	char memory[MCP_FINDING_TEXT_MAX];
	bool evicts = !is(of, MCP_FACT_EVICTS, MCP_TOLD_NO);
	if (!evicts) {
		php_mcp_findings_add(of->list, MCP_FINDING_NEVER_EVICTS, of->address,
			"it evicts nothing (-M), and refuses what is written when it is full");
	}
	if (counts(of, MCP_FACT_EVICTIONS)) {
		judge_evictions(of, terms);
	} else if (is_part(of, MCP_FACT_MEMORY_USED, MCP_FACT_MEMORY, evicts ? NEARLY : FULL_FROM)) {
		judge_fullness(of, evicts);
	}
	if (counts(of, MCP_FACT_MEMORY) && number(of, MCP_FACT_MEMORY) <= MEMORY_DEFAULT) {
		php_mcp_findings_add(of->list, MCP_FINDING_SMALL_MEMORY, of->address,
			"it has no more than %s of memory (-m)",
			php_mcp_findings_bytes(memory, number(of, MCP_FACT_MEMORY)));
	}
}

static void judge_connections(const view *of) {
	char time[MCP_FINDING_TEXT_MAX];
	if (counts(of, MCP_FACT_IDLE_TIMEOUT)) {
		php_mcp_findings_add(of->list, MCP_FINDING_IDLE_TIMEOUT, of->address,
			"it ends connections that were idle for %s (-o idle_timeout)",
			php_mcp_findings_seconds(time, (double)number(of, MCP_FACT_IDLE_TIMEOUT)));
	}
	if (counts(of, MCP_FACT_REJECTED)) {
		php_mcp_findings_add(of->list, MCP_FINDING_REJECTED_CONNECTIONS, of->address,
			"it has rejected %llu connections", (unsigned long long)number(of, MCP_FACT_REJECTED));
	}
	if (is_part(of, MCP_FACT_CONNECTIONS, MCP_FACT_CONNECTIONS_MAX, NEARLY)) {
		php_mcp_findings_add(of->list, MCP_FINDING_MANY_CONNECTIONS, of->address,
			"%llu of its %llu connections are in use",
			(unsigned long long)number(of, MCP_FACT_CONNECTIONS),
			(unsigned long long)number(of, MCP_FACT_CONNECTIONS_MAX));
	}
}

static void judge_cas(const view *of) {
	if (is(of, MCP_FACT_GIVES_CAS, MCP_TOLD_NO)) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_CAS, of->address, "it gives no cas ids (-C)");
	} else if (of->facts->takes_cas == MCP_TOLD_NO) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_CAS, of->address,
			"it takes no \"cas\", or gives no ids for it");
	}
}

static void judge_settings(const view *of) {
	const mcp_server *server = of->facts->server;
	judge_cas(of);
	if (counts(of, MCP_FACT_UDP_PORT)) {
		php_mcp_findings_add(of->list, MCP_FINDING_UDP, of->address,
			"it listens to UDP on port %llu", (unsigned long long)number(of, MCP_FACT_UDP_PORT));
	}
	if (is(of, MCP_FACT_FLUSHES, MCP_TOLD_NO)) {
		php_mcp_findings_add(of->list, MCP_FINDING_NO_FLUSH, of->address,
			"it refuses to be emptied");
	}
	if (server->kind == MCP_SERVER_TCP && !server->is_tls &&
		of->facts->is_on_all_addresses == MCP_TOLD_YES &&
		is(of, MCP_FACT_WANTS_PASSWORD, MCP_TOLD_NO)) {
		php_mcp_findings_add(of->list, MCP_FINDING_PUBLIC_ADDRESS, of->address,
			"it listens on all addresses of its host, and asks nobody for a password");
	}
}

/* Takes for slow who needs half of the time for an answer that has nothing to do with its items. */
static void judge_speed(const view *of, const mcp_server_terms *terms) {
	char text[MCP_FINDING_TEXT_MAX], limit[MCP_FINDING_TEXT_MAX];
	double timeout = terms->timeout_ms / MS_PER_S;
	if (of->facts->is_cut_short) {
		php_mcp_findings_add(of->list, MCP_FINDING_SLOW, of->address,
			"its statistics took %s, so that it was asked no more",
			php_mcp_findings_seconds(text, of->facts->seconds));
	} else if (of->facts->quickest > timeout / 2) {
		php_mcp_findings_add(of->list, MCP_FINDING_SLOW, of->address,
			"it takes %s to answer, and is waited for %s",
			php_mcp_findings_seconds(text, of->facts->quickest),
			php_mcp_findings_seconds(limit, timeout));
	}
}

static void judge_answers(const view *of, const mcp_server_terms *terms) {
	judge_speed(of, terms);
	judge_version(of, terms);
	judge_clock(of);
	judge_items(of, terms);
	judge_memory(of, terms);
	judge_connections(of);
	judge_settings(of);
}

void php_mcp_server_judging_look(zval *list, const mcp_server_facts *facts,
	const mcp_server_terms *terms) {
	view of = {list, facts, facts->server->address};
	if (facts->server->kind == MCP_SERVER_MEMORY) {
		php_mcp_findings_add(list,
			terms->has_sessions ? MCP_FINDING_SESSION_MEMORY : MCP_FINDING_MEMORY_SERVER,
			of.address, "it is in the memory of this process alone");
		return;
	}
	php_mcp_failure_judging_look_at_socket(list, facts->server);
	if (facts->status == MCP_UNSUPPORTED) {
		php_mcp_findings_add(list, MCP_FINDING_NO_STATISTICS, of.address,
			"it answers, but tells no statistics: a proxy");
		judge_cas(&of);
	} else if (facts->status == MCP_OK) {
		judge_answers(&of, terms);
	} else {
		php_mcp_failure_judging_add(list, facts);
	}
}

/* A trait that may differ from server to server. */
typedef struct trait {
	bool (*is_told)(const mcp_server_facts *facts);
	bool (*is_same)(const mcp_server_facts *some, const mcp_server_facts *other);
} trait;

/* Finds the first that differs from the first that has told it. False if there is none. */
static bool find_different(const trait *which, const mcp_server_facts *facts, size_t count,
	const mcp_server_facts **first, const mcp_server_facts **other) {
	*first = NULL;
	for (*other = facts; *other < facts + count; (*other)++) {
		if (!which->is_told(*other)) {
			continue;
		}
		if (*first == NULL) {
			*first = *other;
		} else if (!which->is_same(*first, *other)) {
			return true;
		}
	}
	return false;
}

static bool tells_version(const mcp_server_facts *facts) {
	return *facts->version != '\0';
}

static bool is_same_version(const mcp_server_facts *some, const mcp_server_facts *other) {
	return strcmp(some->version, other->version) == 0;
}

static bool tells_size(const mcp_server_facts *facts) {
	return php_mcp_server_facts_has(facts, MCP_FACT_ITEM_SIZE);
}

static bool is_same_size(const mcp_server_facts *some, const mcp_server_facts *other) {
	return some->numbers[MCP_FACT_ITEM_SIZE] == other->numbers[MCP_FACT_ITEM_SIZE];
}

static void compare_versions(zval *list, const mcp_server_facts *facts, size_t count) {
	const mcp_server_facts *first, *other;
	if (find_different(&(trait){tells_version, is_same_version}, facts, count, &first, &other)) {
		php_mcp_findings_add(list, MCP_FINDING_DIFFERENT_VERSIONS, other->server->address,
			"it is memcached %s, and %s is %s", other->version, first->server->address,
			first->version);
	}
}

static void compare_sizes(zval *list, const mcp_server_facts *facts, size_t count) {
	char text[MCP_FINDING_TEXT_MAX], of_first[MCP_FINDING_TEXT_MAX];
	const mcp_server_facts *first, *other;
	if (find_different(&(trait){tells_size, is_same_size}, facts, count, &first, &other)) {
		php_mcp_findings_add(list, MCP_FINDING_DIFFERENT_ITEM_SIZES, other->server->address,
			"it takes values of up to %s, and %s of up to %s",
			php_mcp_findings_bytes(text, other->numbers[MCP_FACT_ITEM_SIZE]),
			first->server->address,
			php_mcp_findings_bytes(of_first, first->numbers[MCP_FACT_ITEM_SIZE]));
	}
}

void php_mcp_server_judging_compare(zval *list, const mcp_server_facts *facts, size_t count) {
	compare_versions(list, facts, count);
	compare_sizes(list, facts, count);
}
