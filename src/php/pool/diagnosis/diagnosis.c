/* Collects facts about servers, host and settings. lib/diagnosis.php evaluates them. */
/* SPDX-License-Identifier: MIT */
#include "diagnosis.h"

#include "../../../core/bytes.h"
#include "../../../core/key/key.h"
#include "../../../store/server/stat_lines.h"
#include "../../engine/compat.h"
#include "../../host/environment.h"
#include "../../host/shared_memory.h"
#include "../../engine/user.h"
#include "../../library/library.h"
#include "../../objects/failure.h"
#include "../../value/serializers.h"
#include "../servers/discovery.h"
#include "zend_extensions.h"
#include "php_ini.h"
#include "php_mcpatterns.h"

#ifndef PHP_WIN32
#include <sys/stat.h>
#endif

#define NS_PER_S_DOUBLE 1e9
#define MS_PER_S 1000.0

/* Code of a finding for the text of a failure, which is this extension's own text (store/reason.c,
 * php/tls/tls_stream.c) or the server's. The first match counts, so special rows precede general rows. */
typedef struct meaning {
	const char *part; /* part of the failure's text */
	const char *code; /* code of the finding */
} meaning;

#define CLOSED "server closed the connection"

static const meaning meanings[] = {
	{"unauthenticated", "password"},
	{"rejected the user or the password", "password"},
	{"reply to the password", "password"},
	{"replied \"SERVER_ERROR", "server_error"},
	{MCP_REASON_FULL_SERVER, "server_error"},
	{CLOSED, "connection_closed"},
	{"server broke the connection", "connection_closed"},
	{"certificate", "certificate"},
	{"TLS", "tls"},
	{"did not reply within", "timeout"},
	{"took longer than", "timeout"},
	{"its host is unknown", "unknown_host"},
	{"nothing listens there", "refused"},
	{"no such file", "socket_missing"},
	{"permission denied", "socket_permission"},
	{"repl", "invalid_response"}, /* "reply" or "replied" */
	{"", "unreachable"},
};

/* Returns NULL for an endpoint without a list, which is a finding of its own, because the endpoint can be a healthy
 * memcached. */
static const char *code_of(mcp_status status, const char *words) {
	if (strstr(words, "discovery endpoint") != NULL || strstr(words, "list of servers") != NULL ||
		strstr(words, "nameserver") != NULL) {
		return NULL;
	}
	if (status == MCP_TIMEOUT) {
		return "timeout";
	}
	if (mcp_status_is_useless(status)) {
		return strstr(words, CLOSED) != NULL ? "connection_closed" : "invalid_response";
	}
	const meaning *found = meanings;
	while (strstr(words, found->part) == NULL) {
		found++;
	}
	return found->code;
}

/* --- asking a server --- */

static void add_string_or_null(zval *row, const char *key, const char *text) {
	if (text == NULL) {
		add_assoc_null(row, key);
	} else {
		add_assoc_string(row, key, text);
	}
}

typedef enum mcp_known_answer { MCP_NOT_KNOWN, MCP_KNOWN_NO, MCP_KNOWN_YES } mcp_known_answer;

static void add_answer(zval *row, const char *key, mcp_known_answer answer) {
	if (answer == MCP_NOT_KNOWN) {
		add_assoc_null(row, key);
	} else {
		add_assoc_bool(row, key, answer == MCP_KNOWN_YES);
	}
}

/* Server under diagnosis. No array is modified while a reply is being read. */
typedef struct asking {
	mcp_store *store;
	uint64_t began_ns, most_ms;
	bool asks_meta; /* test for meta commands with a request, too, not only by the version */
	mcp_status status;
	mcp_buffer statistics, settings; /* lines of the replies */
	zend_string *words;              /* failure message; NULL: no failure */
	double clock;      /* this host's clock in the middle of the statistics round trip; 0: none */
	double seconds;    /* duration of that round trip */
	double quickest;   /* shortest duration of a round trip without connecting */
	bool is_cut_short; /* too slow for further requests */
	mcp_known_answer knows_meta, takes_cas; /* results of the tests, if made */
} asking;

/* Collect a line. Drops it if memory is exhausted. */
void php_mcp_diagnosis_collect(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_stat_lines_add(context, name, value);
}

/* Keep the failure of a request, if any. */
static void keep_failure(asking *self, mcp_status status) {
	self->status = status;
	if (mcp_status_is_failure(status) && status != MCP_UNSUPPORTED) {
		self->words = php_mcp_failure_describe(status, mcp_store_last_failure(self->store));
	}
}

static mcp_status ask_statistics(asking *self) {
	uint64_t before_ns = php_mcp_environment_wall_ns();
	uint64_t asked_ns = php_mcp_environment_measure_ns();
	mcp_status status = mcp_store_stats(self->store, php_mcp_diagnosis_collect, &self->statistics);
	uint64_t taken_ns = php_mcp_environment_measure_ns() - asked_ns;
	self->seconds = self->quickest = (double)taken_ns / NS_PER_S_DOUBLE;
	if (status == MCP_OK) {
		self->clock = (double)before_ns / NS_PER_S_DOUBLE + self->seconds / 2;
	}
	return status == MCP_UNSUPPORTED && mcp_store_ping(self->store) != MCP_OK ? MCP_UNREACHABLE
																			  : status;
}

static mcp_status ask_settings(asking *self) {
	uint64_t asked_ns = php_mcp_environment_measure_ns();
	mcp_status status = mcp_store_settings(self->store, php_mcp_diagnosis_collect, &self->settings);
	double taken = (double)(php_mcp_environment_measure_ns() - asked_ns) / NS_PER_S_DOUBLE;
	self->quickest = MIN(self->quickest, taken);
	return status;
}

static mcp_key key_of_ours(void) {
	static const char name[] = "mcpatterns-doctor";
	mcp_bytes bytes = mcp_bytes_of(name, sizeof(name) - 1);
	return (mcp_key){.wire = bytes, .route = bytes, .is_safe = true};
}

/* Interpret the reply to a cas. The key can have no item, or the item of another diagnosis. */
static mcp_known_answer answer_about_cas(mcp_store *store, mcp_status status) {
	const mcp_store_failure *failure = mcp_store_last_failure(store);
	if (status == MCP_OK || status == MCP_EXISTS || status == MCP_NOT_FOUND) {
		return MCP_KNOWN_YES;
	}
	bool is_refused = status == MCP_REFUSED ||
		(status == MCP_UNKNOWN && failure != NULL &&
			mcp_reason_is_a_server_error(&failure->reason));
	return is_refused || status == MCP_NO_CAS ? MCP_KNOWN_NO : MCP_NOT_KNOWN;
}

#define OURS_LIVES_MS 10000

/* Store an item, read its CAS value, and compare. A server that stores nothing at present gives no result. Returns
 * false if the server did not reply and should get no more requests. */
static bool try_cas(asking *self) {
	mcp_key key = key_of_ours();
	mcp_record record = {.body = mcp_bytes_of("cas", 3), .ttl_ms = OURS_LIVES_MS};
	mcp_item item;
	mcp_status status = mcp_store_set(self->store, &key, &record);
	if (status != MCP_OK) {
		return !mcp_status_is_unanswered(status);
	}
	status = mcp_store_get(self->store, &key, &item);
	if (status == MCP_OK) {
		status = mcp_store_cas(self->store, &key, &record, item.cas);
	}
	self->takes_cas = answer_about_cas(self->store, status);
	bool answers = self->takes_cas != MCP_NOT_KNOWN || !mcp_status_is_unanswered(status);
	if (answers) {
		mcp_store_delete(self->store, &key);
	}
	return answers;
}

/* Request the remaining TTL of a missing item. */
static mcp_status ask_meta(asking *self) {
	mcp_key key = key_of_ours();
	uint64_t left_ms;
	mcp_status status = mcp_store_ttl_left(self->store, &key, &left_ms);
	self->knows_meta = status == MCP_UNSUPPORTED ? MCP_KNOWN_NO : MCP_KNOWN_YES;
	return mcp_status_is_failure(status) && status != MCP_UNSUPPORTED ? status : MCP_OK;
}

static bool is_over(asking *self) {
	self->is_cut_short = php_mcp_environment_elapsed_ms(self->began_ns) > self->most_ms;
	return self->is_cut_short;
}

static void find_cas(void *context, mcp_bytes name, mcp_bytes value) {
	bool *gives_none = context;
	if (mcp_bytes_are(name, "cas_enabled")) {
		*gives_none = mcp_bytes_are(value, "no");
	}
}

/* Test the server's abilities. Without CAS values, no meta commands are used, even if the server supports them. */
static mcp_status ask_abilities(asking *self) {
	bool gives_no_cas = false;
	mcp_stat_lines_visit(&self->settings, find_cas, &gives_no_cas);
	if (gives_no_cas || is_over(self) || !try_cas(self)) {
		return MCP_OK;
	}
	bool asks_meta = self->asks_meta && self->takes_cas != MCP_KNOWN_NO;
	return asks_meta && !is_over(self) ? ask_meta(self) : MCP_OK;
}

/* Test cas even if a proxy returns no statistics. */
static void ask_one_server(asking *self) {
	self->began_ns = php_mcp_environment_measure_ns();
	keep_failure(self, ask_statistics(self));
	if (self->status == MCP_UNSUPPORTED && !is_over(self)) {
		try_cas(self);
	}
	if (self->status != MCP_OK || is_over(self)) {
		return;
	}
	mcp_status status = ask_settings(self);
	if (status == MCP_OK || status == MCP_UNSUPPORTED) {
		status = ask_abilities(self);
	}
	keep_failure(self, status);
}

/* --- the facts of a server --- */

static void add_line(void *context, mcp_bytes name, mcp_bytes value) {
	zval *row = context;
	int64_t number;
	if (mcp_decimal_parse_i64(value, &number)) {
		add_assoc_long_ex(row, name.data, name.length, (zend_long)number);
	} else {
		add_assoc_stringl_ex(row, name.data, name.length, value.data, value.length);
	}
}

void php_mcp_diagnosis_add_lines(zval *row, const char *key, mcp_buffer *lines) {
	zval list;
	array_init(&list);
	mcp_stat_lines_visit(lines, add_line, &list);
	add_assoc_zval(row, key, &list);
	mcp_buffer_free(lines);
}

/* Add the owner of the socket, if its folder is readable. */
static void add_socket(zval *row, const mcp_server *server) {
#ifndef PHP_WIN32
	struct stat status;
	if (server->kind == MCP_SERVER_UNIX && stat(server->host, &status) == 0) {
		zval socket;
		array_init(&socket);
		add_assoc_long(&socket, "user", (zend_long)status.st_uid);
		add_assoc_long(&socket, "group", (zend_long)status.st_gid);
		add_assoc_long(&socket, "mode", (zend_long)(status.st_mode & 0777));
		add_assoc_bool(&socket, "is_socket", S_ISSOCK(status.st_mode));
		add_assoc_zval(row, "socket", &socket);
		return;
	}
#endif
	(void)server;
	add_assoc_null(row, "socket");
}

/* True if traffic to the server leaves this host. */
static bool is_far(const mcp_server *server) {
	return server->kind == MCP_SERVER_TCP && strncmp(server->host, "127.", 4) != 0 &&
		strcmp(server->host, "localhost") != 0 && strcmp(server->host, "::1") != 0 &&
		strcmp(server->host, "[::1]") != 0;
}

static void add_server(zval *servers, asking *self, const mcp_server *server,
	const mcp_server_access *access) {
	static const char *const kinds[] =
		{[MCP_SERVER_TCP] = "tcp", [MCP_SERVER_UNIX] = "unix", [MCP_SERVER_MEMORY] = "memory"};
	bool answers = self->status == MCP_OK || self->status == MCP_UNSUPPORTED;
	const char *words = self->words != NULL ? ZSTR_VAL(self->words) : NULL;
	zval row;
	array_init(&row);
	add_assoc_string(&row, "address", server->address);
	add_assoc_string(&row, "kind", kinds[server->kind]);
	add_assoc_bool(&row, "is_tls", server->is_tls);
	add_assoc_bool(&row, "is_far", is_far(server));
	add_assoc_bool(&row, "has_password",
		php_mcp_server_secret_is_given(&server->secret) ||
			(access != NULL && php_mcp_server_secret_is_given(&access->secret)));
	add_assoc_bool(&row, "answers", answers);
	add_assoc_bool(&row, "has_statistics", self->status == MCP_OK);
	add_string_or_null(&row, "error", words);
	add_string_or_null(&row, "failure", words != NULL ? code_of(self->status, words) : NULL);
	add_assoc_double(&row, "seconds", self->seconds);
	add_assoc_double(&row, "quickest", self->quickest);
	add_assoc_bool(&row, "is_cut_short", self->is_cut_short);
	if (self->clock > 0) {
		add_assoc_double(&row, "clock", self->clock);
	} else {
		add_assoc_null(&row, "clock");
	}
	add_answer(&row, "knows_meta", self->knows_meta);
	add_answer(&row, "takes_cas", self->takes_cas);
	php_mcp_diagnosis_add_lines(&row, "statistics", &self->statistics);
	php_mcp_diagnosis_add_lines(&row, "settings", &self->settings);
	add_socket(&row, server);
	add_next_index_zval(servers, &row);
}

void php_mcp_diagnosis_ask(zval *servers, const mcp_server *server, mcp_store *store,
	const mcp_connection_settings *settings) {
	asking self = {
		.store = store,
		.most_ms = (uint64_t)settings->connect_timeout_ms + settings->timeout_ms,
		.asks_meta = settings->transport == MCP_TRANSPORT_DIRECT,
	};
	if (server->kind == MCP_SERVER_MEMORY) {
		keep_failure(&self, mcp_store_stats(store, php_mcp_diagnosis_collect, &self.statistics));
	} else {
		ask_one_server(&self);
	}
	add_server(servers, &self, server, settings->access);
	if (self.words != NULL) {
		zend_string_release(self.words);
	}
}

/* Add the mode of the private key's file; null without one. */
static void add_key_mode(zval *row, const mcp_server_access *access) {
#ifndef PHP_WIN32
	const zval *path = &access->tls.values[MCP_TLS_LOCAL_PK];
	if (Z_ISUNDEF_P(path)) {
		path = &access->tls.values[MCP_TLS_LOCAL_CERT];
	}
	struct stat status;
	if (!Z_ISUNDEF_P(path) && stat(Z_STRVAL_P(path), &status) == 0) {
		add_assoc_long(row, "key_mode", (zend_long)(status.st_mode & 0777));
		return;
	}
#endif
	(void)access;
	add_assoc_null(row, "key_mode");
}

static void add_pool(zval *facts, const mcp_diagnosed *pool) {
	static const mcp_server_access none;
	const mcp_connection_settings *connection = pool->connection;
	const mcp_server_access *access = connection->access != NULL ? connection->access : &none;
	zval row, tls;
	array_init(&row);
	array_init(&tls);
	add_assoc_double(&row, "connect_timeout", connection->connect_timeout_ms / MS_PER_S);
	add_assoc_double(&row, "timeout", connection->timeout_ms / MS_PER_S);
	add_assoc_double(&row, "retry_after", connection->retry_after_ms / MS_PER_S);
	add_assoc_bool(&row, "is_direct", connection->transport == MCP_TRANSPORT_DIRECT);
	add_assoc_bool(&row, "is_persistent", pool->is_persistent);
	add_assoc_bool(&row, "fails_over", pool->fails_over);
	add_assoc_bool(&row, "is_signed", pool->format->signing_keys != NULL);
	add_assoc_bool(&row, "limits_classes", pool->format->allowed_classes != NULL);
	add_assoc_string(&row, "serializer", pool->format->serializer->name);
	add_assoc_bool(&row, "has_igbinary",
		php_mcp_serializers_best() == php_mcp_serializers_get(MCP_SERIALIZER_IGBINARY));
	php_mcp_tls_options_show(&tls, &access->tls);
	add_assoc_zval(&row, "tls", &tls);
	add_key_mode(&row, access);
	add_assoc_zval(facts, "pool", &row);
}

static void add_discovery(zval *facts, const mcp_discovery *discovery) {
	mcp_reason words;
	zval state;
	array_init(&state);
	bool has_trouble = php_mcp_discovery_report_trouble(discovery, &words);
	add_string_or_null(&state, "trouble", has_trouble ? words.text : NULL);
	add_assoc_bool(&state, "has_failed", discovery->known.has_failed);
	add_assoc_zval(facts, "discovery_state", &state);
	php_mcp_discovery_report_add(facts, discovery);
}

/* --- the facts of this host --- */

static void add_settings(zval *facts) {
	zval row;
	array_init(&row);
	bool has_opcache = zend_get_extension("Zend OPcache") != NULL;
	add_string_or_null(&row, "shared_memory_trouble", php_mcp_shared_memory_trouble());
	add_assoc_long(&row, "shared_memory", MCP_G(shared_memory));
	add_assoc_string(&row, "shared_memory_path", MCP_G(shared_memory_path));
	add_assoc_string(&row, "shared_memory_group", MCP_G(shared_memory_group));
	add_assoc_bool(&row, "metrics", MCP_G(counts_metrics));
	add_assoc_long(&row, "item_size_limit", MCP_G(item_size_limit));
	add_assoc_string(&row, "serializer", MCP_G(serializer));
	add_assoc_bool(&row, "opcache", has_opcache && zend_ini_bool_literal("opcache.enable"));
	add_assoc_bool(&row, "report_key_drift", MCP_G(report_key_drift));
	add_assoc_zval(facts, "settings", &row);
}

/* Add a setting of another module; "" if the module is missing. */
static void add_text(zval *row, const char *key, const char *text) {
	add_assoc_string(row, key, text != NULL ? text : "");
}

static void add_session(zval *facts) {
	zval row;
	array_init(&row);
	add_text(&row, "handler", zend_ini_string_literal("session.save_handler"));
	add_text(&row, "save_path", zend_ini_string_literal("session.save_path"));
	add_text(&row, "format", zend_ini_string_literal("session.serialize_handler"));
	add_assoc_bool(&row, "strict_mode", zend_ini_bool_literal("session.use_strict_mode"));
	add_assoc_long(&row, "max_execution_time", zend_ini_long_literal("max_execution_time"));
	add_assoc_string(&row, "locking", MCP_G(session_locking));
	add_assoc_double(&row, "lock_expire", MCP_G(session_lock_expire));
	add_assoc_double(&row, "lock_wait", MCP_G(session_lock_wait));
	add_assoc_string(&row, "key_file", MCP_G(session_key_file));
	add_assoc_string(&row, "foreign", MCP_G(session_foreign_prefix));
	add_assoc_string(&row, "prefix", MCP_G(session_prefix));
	add_assoc_bool(&row, "failover", MCP_G(session_failover));
	add_assoc_zval(facts, "session", &row);
}

static void add_host(zval *facts, const mcp_diagnosed *pool) {
	mcp_user user = php_mcp_user_ask();
	zval host;
	array_init(&host);
	add_assoc_string(&host, "php", PHP_VERSION);
	add_assoc_string(&host, "mcpatterns", PHP_MCPATTERNS_VERSION);
	add_assoc_double(&host, "time", (double)php_mcp_environment_wall_ns() / NS_PER_S_DOUBLE);
	add_assoc_long(&host, "user", (zend_long)user.id);
	add_assoc_str(&host, "shared_memory", php_mcp_shared_memory_describe());
	if (pool != NULL) {
		const mcp_format *format = pool->format;
		bool is_direct = pool->connection->transport == MCP_TRANSPORT_DIRECT;
		add_assoc_string(&host, "transport", is_direct ? "direct" : "libmemcached");
		add_assoc_string(&host, "serializer", format->serializer->name);
		add_assoc_string(&host, "compression",
			format->compressor != NULL ? format->compressor->name : "none");
	}
	add_assoc_zval(facts, "host", &host);
	add_assoc_long(facts, "group", (zend_long)user.group);
}

static void join_findings(zval *report) {
	zval *findings = zend_hash_str_find(Z_ARRVAL_P(report), ZEND_STRL("findings")), *finding;
	SEPARATE_ARRAY(findings);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(findings), finding) {
		SEPARATE_ARRAY(finding);
		zval *pieces = zend_hash_str_find(Z_ARRVAL_P(finding), ZEND_STRL("finding"));
		zend_string *text = php_mcp_library_join(Z_ARRVAL_P(pieces));
		zval_ptr_dtor(pieces);
		ZVAL_STR(pieces, text);
	}
	ZEND_HASH_FOREACH_END();
}

void php_mcp_diagnosis_make(zval *report, zval *servers, const mcp_diagnosed *pool,
	const char *mistake) {
	zval facts;
	array_init(&facts);
	add_assoc_zval(&facts, "servers", servers);
	add_string_or_null(&facts, "mistake", mistake);
	if (pool == NULL) {
		add_assoc_null(&facts, "pool");
	} else {
		add_pool(&facts, pool);
	}
	if (pool != NULL && pool->discovery != NULL) {
		add_discovery(&facts, pool->discovery);
	}
	add_settings(&facts);
	add_session(&facts);
	add_host(&facts, pool);
	if (php_mcp_library_call(MCP_LIBRARY_DIAGNOSIS, &facts, 1, report)) {
		SEPARATE_ARRAY(report);
		join_findings(report);
	}
}
