/* Asks all servers first, one after the other, each for no longer than its timeouts, and judges then. */
/* SPDX-License-Identifier: MIT */
#include "diagnosis.h"

#include "../../engine/compat.h"
#include "../../host/shared_memory.h"
#include "../../host/system_time.h"
#include "../../host/user.h"
#include "../../value/serializers.h"
#include "../discovery/discovery.h"
#include "findings.h"
#include "server_judging.h"
#include "zend_extensions.h"
#include "php_ini.h"
#include "php_mcpatterns.h"

/* Reads the settings of other modules by their names: none of them need be there. */

/* memcached is asked once more by who waits for a lock than it lasts. */
#define WAIT_MORE_S 1.0

/* Answers the setting's text; "" if there is none of this name. */
static const char *text_of(const char *text) {
	return text != NULL ? text : "";
}

static bool is(const char *text, const char *expected) {
	return strcmp(text, expected) == 0;
}

static const char *save_handler(void) {
	return text_of(zend_ini_string_literal("session.save_handler"));
}

static bool has_sessions(void) {
	return is(save_handler(), "mcpatterns");
}

/* Says whether PHP's own sessions are kept on the servers of mcpatterns.servers. */
static bool php_mcp_host_judging_has_sessions(void) {
	return has_sessions() && *text_of(zend_ini_string_literal("session.save_path")) == '\0';
}

static void judge_memory(zval *list) {
	const char *trouble = php_mcp_shared_memory_trouble();
	if (trouble != NULL) {
		php_mcp_findings_add(list, MCP_FINDING_SHARED_MEMORY, "mcpatterns.shared_memory",
			"it cannot be used: %s", trouble);
	} else if (MCP_G(shared_memory) == 0) {
		php_mcp_findings_add(list, MCP_FINDING_NO_SHARED_MEMORY, "mcpatterns.shared_memory",
			"it is 0: processes share no near values and no figures, and do not wake each other");
	} else if (*MCP_G(shared_memory_path) == '\0') {
		php_mcp_findings_add(list, MCP_FINDING_SHARED_MEMORY_ALONE, "mcpatterns.shared_memory_path",
			"it is empty: php-fpm and the command line have a memory each");
	}
	if (!MCP_G(counts_metrics)) {
		php_mcp_findings_add(list, MCP_FINDING_NO_METRICS, "mcpatterns.metrics",
			"nothing is counted");
	}
}

static bool is_opcache_on(void) {
	return zend_get_extension("Zend OPcache") != NULL && zend_ini_bool_literal("opcache.enable");
}

static void judge_settings(zval *list) {
	if (MCP_G(item_size_limit) == 0) {
		php_mcp_findings_add(list, MCP_FINDING_NO_ITEM_SIZE_LIMIT, "mcpatterns.item_size_limit",
			"it is 0: what a server may answer has no bound");
	}
	if (!is_opcache_on()) {
		php_mcp_findings_add(list, MCP_FINDING_NO_OPCACHE, "opcache.enable",
			"opcache is not loaded, or is off");
	}
	if (MCP_G(report_key_drift)) {
		php_mcp_findings_add(list, MCP_FINDING_KEY_DRIFT, "mcpatterns.report_key_drift",
			"it is on: Key::of() keeps all that it was given until the request ends");
	}
}

static void judge_lock(zval *list) {
	char time[MCP_FINDING_TEXT_MAX], other[MCP_FINDING_TEXT_MAX];
	double expire = MCP_G(session_lock_expire), wait = MCP_G(session_lock_wait);
	zend_long longest = zend_ini_long_literal("max_execution_time");
	php_mcp_findings_seconds(time, expire);
	if (longest > 0 && expire < (double)longest) {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_LOCK_SHORT, "mcpatterns.session_lock_expire",
			"it is %s, and a request may run for max_execution_time, %s", time,
			php_mcp_findings_seconds(other, (double)longest));
	}
	if (wait < expire + WAIT_MORE_S) {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_WAIT_SHORT, "mcpatterns.session_lock_wait",
			"it is %s, and a lock lasts for %s", php_mcp_findings_seconds(other, wait), time);
	}
}

static void judge_locking(zval *list) {
	const char *locking = MCP_G(session_locking);
	const char *format = text_of(zend_ini_string_literal("session.serialize_handler"));
	if (is(locking, "lock")) {
		judge_lock(list);
	} else if (!is(locking, "merge")) {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_UNLOCKED, "mcpatterns.session_locking",
			"it is none: requests of one session run side by side");
	} else if (!is(format, "php") && !is(format, "php_serialize")) {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_MERGE, "session.serialize_handler",
			"sessions are to be merged, and it is %s", format);
	}
}

static void judge_servers(zval *list) {
	const char *path = text_of(zend_ini_string_literal("session.save_path"));
	if (*path == '/') {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_PATH_IS_DIRECTORY, "session.save_path",
			"it is \"%s\", and no list of servers", path);
	} else if (*path != '\0') {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_SERVERS, "session.save_path",
			"sessions are kept on servers of their own");
	}
}

static void judge_sessions(zval *list) {
	judge_locking(list);
	judge_servers(list);
	if (!zend_ini_bool_literal("session.use_strict_mode")) {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_STRICT_MODE, "session.use_strict_mode",
			"it is off");
	}
	if (*MCP_G(session_key_file) == '\0') {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_UNSIGNED, "mcpatterns.session_key_file",
			"sessions are not signed");
	}
}

/* NULL if no setting for sessions was changed. */
static const char *changed_setting(void) {
	if (*MCP_G(session_key_file) != '\0') {
		return "mcpatterns.session_key_file";
	}
	if (*MCP_G(session_foreign_prefix) != '\0') {
		return "mcpatterns.session_foreign_prefix";
	}
	if (*MCP_G(session_prefix) != '\0') {
		return "mcpatterns.session_prefix";
	}
	if (MCP_G(session_failover)) {
		return "mcpatterns.session_failover";
	}
	return is(MCP_G(session_locking), "lock") ? NULL : "mcpatterns.session_locking";
}

static void php_mcp_host_judging_look(zval *list) {
	judge_memory(list);
	judge_settings(list);
	const char *handler = save_handler();
	const char *changed = changed_setting();
	if (has_sessions()) {
		judge_sessions(list);
	} else if (*handler != '\0' && !is(handler, "user") && changed != NULL) {
		php_mcp_findings_add(list, MCP_FINDING_SESSION_SETTINGS_UNUSED, changed,
			"it is set, and session.save_handler is %s", handler);
	}
}

/* The subject of a finding is the setting that stands for the constructor's argument. */

#ifndef PHP_WIN32
#include <sys/stat.h>
#endif

/* More is taken for milliseconds, and less for too little. */
#define TIMEOUT_LONG_MS 5000
#define TIMEOUT_SHORT_MS 10
#define RETRY_AFTER_LONG_MS 60000
#define MS_PER_S_DOUBLE 1000.0

static void judge_timeout(zval *list, const char *setting, uint32_t timeout_ms) {
	char text[MCP_FINDING_TEXT_MAX];
	php_mcp_findings_seconds(text, timeout_ms / MS_PER_S_DOUBLE);
	if (timeout_ms >= TIMEOUT_LONG_MS) {
		php_mcp_findings_add(list, MCP_FINDING_LONG_TIMEOUT, setting, "it is %s", text);
	} else if (timeout_ms < TIMEOUT_SHORT_MS) {
		php_mcp_findings_add(list, MCP_FINDING_SHORT_TIMEOUT, setting, "it is %s", text);
	}
}

static void judge_times(zval *list, const mcp_diagnosed *pool) {
	char text[MCP_FINDING_TEXT_MAX];
	judge_timeout(list, "mcpatterns.connect_timeout", pool->connect_timeout_ms);
	judge_timeout(list, "mcpatterns.timeout", pool->timeout_ms);
	if (pool->retry_after_ms == 0) {
		php_mcp_findings_add(list, MCP_FINDING_NO_RETRY_AFTER, "mcpatterns.retry_after",
			"it is 0: a server that failed is asked again by each call");
	} else if (pool->retry_after_ms > RETRY_AFTER_LONG_MS) {
		php_mcp_findings_add(list, MCP_FINDING_LONG_RETRY_AFTER, "mcpatterns.retry_after",
			"it is %s", php_mcp_findings_seconds(text, pool->retry_after_ms / MS_PER_S_DOUBLE));
	}
	if (!pool->is_persistent) {
		php_mcp_findings_add(list, MCP_FINDING_NOT_PERSISTENT, "mcpatterns.persistent",
			"connections end with each Pool");
	}
	if (pool->fails_over && pool->count == 1) {
		php_mcp_findings_add(list, MCP_FINDING_FAILOVER_SINGLE_SERVER,
			pool->servers[0].server->address, "failover is on, and this is the only server");
	}
}

static bool begins_with(const char *text, const char *head) {
	return strncmp(text, head, strlen(head)) == 0;
}

/* Says whether what is sent there leaves this host. */
static bool is_far(const mcp_server *server) {
	return server->kind == MCP_SERVER_TCP && !begins_with(server->host, "127.") &&
		strcmp(server->host, "localhost") != 0 && strcmp(server->host, "::1") != 0 &&
		strcmp(server->host, "[::1]") != 0;
}

static bool is_off(const mcp_tls_options *options, mcp_tls_option option) {
	return options->is_given[option] && !options->switches[option];
}

static bool is_on(const mcp_tls_options *options, mcp_tls_option option) {
	return options->is_given[option] && options->switches[option];
}

static bool has_password(const mcp_server *server, const mcp_server_access *access) {
	return php_mcp_server_secret_is_given(&server->secret) ||
		(access != NULL && php_mcp_server_secret_is_given(&access->secret));
}

/* NULL if certificates are looked at as they should be. */
static const char *unverified(const mcp_tls_options *options) {
	bool has_fingerprint = options->texts[MCP_TLS_PEER_FINGERPRINT] != NULL;
	if (is_off(options, MCP_TLS_VERIFY_PEER) && !has_fingerprint) {
		return "its certificate is not verified (verify_peer)";
	}
	if (is_off(options, MCP_TLS_VERIFY_PEER_NAME) && !has_fingerprint) {
		return "its certificate may be for another name (verify_peer_name)";
	}
	return is_on(options, MCP_TLS_ALLOW_SELF_SIGNED) && !has_fingerprint
		? "its certificate may be anybody's own (allow_self_signed)"
		: NULL;
}

static void judge_access(zval *list, const mcp_server *server, const mcp_server_access *access) {
	const char *words = server->is_tls && access != NULL ? unverified(&access->tls) : NULL;
	if (words != NULL) {
		php_mcp_findings_add(list, MCP_FINDING_TLS_UNVERIFIED, server->address, "%s", words);
	}
	if (!server->is_tls && is_far(server) && has_password(server, access)) {
		php_mcp_findings_add(list, MCP_FINDING_PASSWORD_IN_CLEAR, server->address,
			"it is given a password without TLS");
	}
}

#ifdef PHP_WIN32

static void judge_key(zval *list, const mcp_server_access *access) {
	(void)list;
	(void)access;
}

#else

static void judge_key(zval *list, const mcp_server_access *access) {
	zend_string *const *texts = access->tls.texts;
	const zend_string *path =
		texts[MCP_TLS_LOCAL_PK] != NULL ? texts[MCP_TLS_LOCAL_PK] : texts[MCP_TLS_LOCAL_CERT];
	struct stat status;
	if (path != NULL && stat(ZSTR_VAL(path), &status) == 0 && (status.st_mode & S_IROTH) != 0) {
		php_mcp_findings_add(list, MCP_FINDING_KEY_READABLE,
			texts[MCP_TLS_LOCAL_PK] != NULL ? "mcpatterns.tls_local_pk"
											: "mcpatterns.tls_local_cert",
			"every user of this host may read the private key: the file's mode is %04o",
			(unsigned)status.st_mode & 0777);
	}
}

#endif

static const char *first_far(const mcp_diagnosed *pool) {
	for (size_t i = 0; i < pool->count; i++) {
		if (is_far(pool->servers[i].server)) {
			return pool->servers[i].server->address;
		}
	}
	return NULL;
}

static void judge_values(zval *list, const mcp_diagnosed *pool) {
	if (*MCP_G(shared_memory_group) != '\0' && MCP_G(shared_memory) > 0 && !pool->is_signed) {
		php_mcp_findings_add(list, MCP_FINDING_UNSIGNED_SHARING, "mcpatterns.shared_memory_group",
			"all users of the group \"%s\" may write what others are answered near, and no value is signed",
			MCP_G(shared_memory_group));
	}
	const char *far = first_far(pool);
	if (far != NULL && !pool->is_signed && !pool->limits_classes) {
		php_mcp_findings_add(list, MCP_FINDING_ANY_CLASS, far,
			"its values are unsigned, come over a network, and may make objects of any class");
	}
	bool is_chosen = *MCP_G(serializer) != '\0';
	if (!is_chosen && strcmp(pool->serializer, "php") == 0 &&
		php_mcp_serializers_best() != &php_mcp_serializer_igbinary) {
		php_mcp_findings_add(list, MCP_FINDING_SERIALIZER, "mcpatterns.serializer",
			"igbinary is not loaded, so that PHP's own serializer is taken");
	}
}

static void judge_discovery(zval *list, const mcp_discovery *discovery) {
	const char *endpoint = discovery->endpoint.address;
	mcp_reason words;
	bool has_trouble = php_mcp_discovery_report_trouble(discovery, &words);
	if (discovery->list == NULL) {
		php_mcp_findings_add(list, MCP_FINDING_NO_DISCOVERY, endpoint, "it %s",
			has_trouble ? words.text : "has not told its list of servers yet");
	} else if (discovery->known.has_failed) {
		php_mcp_findings_add(list, MCP_FINDING_STALE_DISCOVERY, endpoint,
			"it %s; version %" PRIu64 " of its list holds on", words.text,
			discovery->known.list.cluster.version);
	} else if (has_trouble) {
		php_mcp_findings_add(list, MCP_FINDING_STALE_DISCOVERY, endpoint, "it %s", words.text);
	}
}

static void php_mcp_pool_judging_look(zval *list, const mcp_diagnosed *pool) {
	if (pool->discovery != NULL) {
		judge_discovery(list, pool->discovery);
	}
	judge_times(list, pool);
	for (size_t i = 0; i < pool->count; i++) {
		judge_access(list, pool->servers[i].server, pool->access);
	}
	if (pool->access != NULL) {
		judge_key(list, pool->access);
	}
	judge_values(list, pool);
}

#define NS_PER_S_DOUBLE 1e9

static void ask_servers(mcp_server_facts *facts, const mcp_diagnosed *pool) {
	mcp_server_asking asking = {
		.most_ms = (uint64_t)pool->connect_timeout_ms + pool->timeout_ms,
		.asks_meta = pool->is_direct,
	};
	for (size_t i = 0; i < pool->count; i++) {
		const mcp_diagnosed_server *of = &pool->servers[i];
		php_mcp_server_facts_ask(&facts[i], of->store, of->server, &asking);
	}
}

static void look_at_servers(zval *findings, zval *servers, const mcp_diagnosed *pool) {
	mcp_server_facts *facts = safe_emalloc(pool->count, sizeof(*facts), 0);
	mcp_server_terms terms = {
		.item_size_limit = (uint64_t)MCP_G(item_size_limit),
		.timeout_ms = pool->timeout_ms,
		.has_sessions = php_mcp_host_judging_has_sessions(),
		.is_direct = pool->is_direct,
	};
	ask_servers(facts, pool);
	for (size_t i = 0; i < pool->count; i++) {
		php_mcp_server_judging_look(findings, &facts[i], &terms);
		php_mcp_server_facts_add(servers, &facts[i]);
	}
	php_mcp_server_judging_compare(findings, facts, pool->count);
	efree(facts);
}

static void add_host(zval *report, const mcp_diagnosed *pool) {
	zval host;
	array_init(&host);
	add_assoc_string(&host, "php", PHP_VERSION);
	add_assoc_string(&host, "mcpatterns", PHP_MCPATTERNS_VERSION);
	add_assoc_double(&host, "time", (double)php_mcp_system_wall_ns() / NS_PER_S_DOUBLE);
	add_assoc_long(&host, "user", (zend_long)php_mcp_user_ask().id);
	add_assoc_str(&host, "shared_memory", php_mcp_shared_memory_describe());
	if (pool != NULL) {
		add_assoc_string(&host, "transport", pool->is_direct ? "direct" : "libmemcached");
		add_assoc_string(&host, "serializer", pool->serializer);
		add_assoc_string(&host, "compression", pool->compression);
	}
	add_assoc_zval(report, "host", &host);
}

void php_mcp_diagnosis_make(zval *report, const mcp_diagnosed *pool, const char *mistake) {
	zval findings, servers;
	array_init(report);
	array_init(&findings);
	array_init(&servers);
	if (pool != NULL) {
		look_at_servers(&findings, &servers, pool);
		php_mcp_pool_judging_look(&findings, pool);
	} else {
		php_mcp_findings_add(&findings, MCP_FINDING_SETTINGS, "php.ini", "%s", mistake);
	}
	php_mcp_host_judging_look(&findings);
	add_assoc_zval(report, "findings", &findings);
	add_assoc_zval(report, "servers", &servers);
	if (pool != NULL && pool->discovery != NULL) {
		php_mcp_discovery_report_add(report, pool->discovery);
	}
	add_host(report, pool);
}
