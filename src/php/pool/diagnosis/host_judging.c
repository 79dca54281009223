/* Reads the settings of other modules by their names: none of them need be there. */
/* SPDX-License-Identifier: MIT */
#include "host_judging.h"

#include "findings.h"

#include "../../engine/compat.h"
#include "../../host/shared_memory.h"
#include "php_ini.h"
#include "php_mcpatterns.h"
#include "zend_extensions.h"

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

bool php_mcp_host_judging_has_sessions(void) {
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
	if (MCP_G(answer_limit) == 0) {
		php_mcp_findings_add(list, MCP_FINDING_NO_ANSWER_LIMIT, "mcpatterns.answer_limit",
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
		php_mcp_findings_add(list, MCP_FINDING_SESSION_FOLDER, "session.save_path",
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
	if (*MCP_G(session_foreign) != '\0') {
		return "mcpatterns.session_foreign";
	}
	if (*MCP_G(session_prefix) != '\0') {
		return "mcpatterns.session_prefix";
	}
	if (MCP_G(session_failover)) {
		return "mcpatterns.session_failover";
	}
	return is(MCP_G(session_locking), "lock") ? NULL : "mcpatterns.session_locking";
}

void php_mcp_host_judging_look(zval *list) {
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
