/* The table of the mcpatterns.* settings and their rules. The engine's handlers are too lenient: they read "5x" as 5
 * and "abc" as 0, without a warning. */
/* SPDX-License-Identifier: MIT */
#include "../../core/key/key.h"
#include "../../core/session/session_parts.h"
#include "../../store/wire/wire.h"
#include "../host/shared_access.h"
#include "../host/shared_memory.h"
#include "../pool/servers/connections.h"
#include "php_mcpatterns.h"

#include <math.h>

/* Longer values are truncated in messages. */
#define VALUE_SHOWN_MAX 100

static void report(int level, const zend_ini_entry *entry, const zend_string *value,
	const char *rule) {
	zend_error(level, "The INI setting %s must %s, \"%.*s\" given", ZSTR_VAL(entry->name), rule,
		VALUE_SHOWN_MAX, ZSTR_VAL(value));
}

/* Report a rejected value, except for ini_set(), which returns false. Without a message, settings in .user.ini,
 * php-fpm's pools and a web server's configuration would fail silently. */
static int refuse_setting(const zend_ini_entry *entry, const zend_string *value, const char *rule,
	int stage) {
	if (stage == ZEND_INI_STAGE_STARTUP) {
		MCP_G(has_wrong_setting) = true;
		report(E_CORE_WARNING, entry, value, rule);
	} else if (stage != ZEND_INI_STAGE_RUNTIME) {
		report(E_WARNING, entry, value, rule);
	}
	return FAILURE;
}

static bool is_number(const zend_string *value) {
	zend_long whole;
	double number;
	return is_numeric_string(ZSTR_VAL(value), ZSTR_LEN(value), &whole, &number, false) != 0;
}

/* --- rules --- */

enum {
	MAKES_POOLS = 1, /* changes Pool::default() */
	AT_START = 2,    /* read at start-up only */
	OR_0 = 4,        /* 0 is also allowed */
};

typedef struct rule {
	/* Returns NULL if the value is allowed, or the text after "must ", usually `words`. */
	const char *(*judge)(const struct rule *self, zend_string *value);
	ZEND_INI_MH((*keep));
	unsigned traits;
	double least, most; /* range of numbers */
	const char *words;
} rule;

/* Rejects a null byte, because C would ignore the text after it. */
static const char *judge_text(const rule *self, zend_string *value) {
	return strlen(ZSTR_VAL(value)) == ZSTR_LEN(value) ? NULL : self->words;
}

static const char *judge_path(const rule *self, zend_string *value) {
	bool is_path = ZSTR_LEN(value) == 0 || ZSTR_VAL(value)[0] == '/';
	return is_path ? judge_text(self, value) : self->words;
}

/* Accepts the words of php.ini, and "" and "1", to which PHP converts these words. */
static const char *judge_switch(const rule *self, zend_string *value) {
	static const char *const words[] = {"", "0", "1", "off", "on", "no", "yes", "false", "true",
		"none"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(ZSTR_VAL(value), words[i]) == 0 && judge_text(self, value) == NULL) {
			return NULL;
		}
	}
	return self->words;
}

static const char *judge_seconds(const rule *self, zend_string *value) {
	double seconds = is_number(value) ? zend_strtod(ZSTR_VAL(value), NULL) : ZEND_NAN;
	return seconds >= self->least && seconds <= self->most ? NULL : self->words;
}

/* Rejects -1, which means "no limit" elsewhere in PHP. */
static const char *judge_quantity(const rule *self, zend_string *value) {
	zend_string *error = NULL;
	zend_long quantity = zend_ini_parse_quantity(value, &error);
	bool is_quantity = error == NULL && ZSTR_LEN(value) > 0;
	if (error != NULL) {
		zend_string_release(error);
	}
	bool is_in_range = (double)quantity >= self->least && (double)quantity <= self->most;
	return is_quantity && (is_in_range || (quantity == 0 && (self->traits & OR_0) != 0))
		? NULL
		: self->words;
}

static const char *judge_group(const rule *self, zend_string *value) {
	mcp_shared_access access;
	return php_mcp_shared_access_read(ZSTR_VAL(value), "", &access) ? NULL : self->words;
}

static const char *judge_mode(const rule *self, zend_string *value) {
	mcp_shared_access access;
	return php_mcp_shared_access_read("", ZSTR_VAL(value), &access) ? NULL : self->words;
}

static const char *judge_locking(const rule *self, zend_string *value) {
	/* PHP reads the bare word none in an INI file as "". */
	static const char *const modes[] = {"lock", "merge", "none", ""};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (zend_string_equals_cstr(value, modes[i], strlen(modes[i]))) {
			return NULL;
		}
	}
	return self->words;
}

/* mcpatterns.session_key_file is read before this setting, and never changes after start-up. */
static const char *judge_key_prefix(const rule *self, zend_string *value) {
	if (ZSTR_LEN(value) == 0) {
		return NULL;
	}
	if (!mcp_key_is_safe(mcp_bytes_of(ZSTR_VAL(value), ZSTR_LEN(value)))) {
		return self->words;
	}
	return *MCP_G(session_key_file) == '\0'
		? NULL
		: "be empty if mcpatterns.session_key_file is set: another handler's sessions are not signed";
}

/* KEEPALIVE_MAX_S is Linux's maximum (MAX_TCP_KEEPIDLE). A wait above DAY_S was probably meant as milliseconds. */
#define KEEPALIVE_MAX_S 32767
#define DAY_S 86400

/* clang-format off */
static const rule text = {judge_text, OnUpdateString, MAKES_POOLS, 0, 0, "not contain null bytes"};
static const rule path = {judge_path, OnUpdateString, 0, 0, 0, "be an absolute path or empty"};
static const rule key_file = {judge_path, OnUpdateString, AT_START, 0, 0, "be an absolute path or empty"};
static const rule group = {judge_group, OnUpdateString, 0, 0, 0, "be the name or number of a group of this system, or empty"};
static const rule mode = {judge_mode, OnUpdateString, 0, 0, 0, "be 0600, 0660 or empty"};
static const rule locking = {judge_locking, OnUpdateString, 0, 0, 0, "be lock, merge or none"};
static const rule key_prefix = {judge_key_prefix, OnUpdateString, 0, 0, 0, "be at most 250 bytes without spaces or control characters"};
static const rule pool_switch = {judge_switch, OnUpdateBool, MAKES_POOLS, 0, 0, "be on or off"};
static const rule other_switch = {judge_switch, OnUpdateBool, 0, 0, 0, "be on or off"};
static const rule seconds = {judge_seconds, OnUpdateReal, MAKES_POOLS, -INFINITY, INFINITY, "be a number of seconds"};
static const rule wait = {judge_seconds, OnUpdateReal, 0, 0, DAY_S, "be between 0 and 86400 seconds"};
static const rule lease = {judge_seconds, OnUpdateReal, 0, 0.001, DAY_S, "be between 0.001 and 86400 seconds"};
static const rule interval = {judge_seconds, OnUpdateReal, 0, 1, 60, "be between 1 and 60 seconds"};
static const rule keepalive = {judge_quantity, OnUpdateLong, 0, 0, KEEPALIVE_MAX_S, "be between 0 and 32767 seconds"};
static const rule zlib_level = {judge_quantity, OnUpdateLong, 0, 1, 9, "be between 1 and 9"};
static const rule zstd_level = {judge_quantity, OnUpdateLong, 0, 1, 22, "be between 1 and 22"};
static const rule depth = {judge_quantity, OnUpdateLong, 0, 1, MCP_SESSION_MERGE_DEPTH_MAX, "be between 1 and 8"};
static const rule size = {judge_quantity, OnUpdateLong, MAKES_POOLS, 0, INFINITY, "be a number of bytes"};
static const rule bytes = {judge_quantity, OnUpdateLong, 0, 1, INFINITY, "be a number of bytes greater than 0"};
/* A connection always accepts MCP_ANSWER_ALWAYS_ALLOWED bytes, so a lower limit would have no effect. */
static const rule reply_size = {judge_quantity, OnUpdateLong, OR_0, MCP_ANSWER_ALWAYS_ALLOWED, INFINITY, "be 0 or at least 1M bytes"};
static const rule mapped = {judge_quantity, OnUpdateLong, OR_0, MCP_SHARED_MEMORY_MIN, MCP_SHARED_MEMORY_MAX, "be 0 or between 64K and 16G bytes"};
/* clang-format on */

static ZEND_INI_MH(update) {
	const rule *self = mh_arg3;
	zend_string *value = new_value != NULL ? new_value : ZSTR_EMPTY_ALLOC();
	bool is_too_late = (self->traits & AT_START) != 0 && stage != ZEND_INI_STAGE_STARTUP;
	const char *mistake = is_too_late ? "be set in php.ini" : self->judge(self, value);
	if (mistake != NULL) {
		return refuse_setting(entry, value, mistake, stage);
	}
	MCP_G(settings_version) += (self->traits & MAKES_POOLS) != 0;
	return self->keep(entry, new_value, mh_arg1, mh_arg2, NULL, stage);
}

static const char *shown_of(const zend_ini_entry *entry, int type) {
	const zend_string *value =
		type == ZEND_INI_DISPLAY_ORIG && entry->modified ? entry->orig_value : entry->value;
	return value != NULL ? ZSTR_VAL(value) : "";
}

static ZEND_INI_DISP(show_secret) {
	ZEND_WRITE(*shown_of(ini_entry, type) != '\0' ? "set" : "no value",
		*shown_of(ini_entry, type) != '\0' ? 3 : 8);
}

/* Hides the user and password before the last "@" of each server. */
static ZEND_INI_DISP(show_servers) {
	const char *at = shown_of(ini_entry, type);
	do {
		size_t length = strcspn(at, ",");
		const char *secret_end = zend_memrchr(at, '@', length);
		const char *begin = secret_end != NULL ? secret_end : at;
		if (secret_end != NULL) {
			ZEND_WRITE("...", 3);
		}
		bool has_more = at[length] == ',';
		ZEND_WRITE(begin, length - (size_t)(begin - at) + has_more);
		at += length + has_more;
	} while (*at != '\0');
}

/* --- the settings --- */

/* bin/lib/extension.sh sets another default for tests that connect to every server over TLS. */
#ifndef MCP_DEFAULT_CONNECT_TIMEOUT_S
#define MCP_DEFAULT_CONNECT_TIMEOUT_S 0.2
#endif

#ifdef ZTS
#define GLOBALS (void *)&mcpatterns_globals_id
#else
#define GLOBALS (void *)&mcpatterns_globals
#endif
#define SHOWN(name, initial, where, field, rule, show)             \
	ZEND_INI_ENTRY3_EX("mcpatterns." name, initial, where, update, \
		(void *)offsetof(zend_mcpatterns_globals, field), GLOBALS, (void *)&rule, show)
#define SETTING(name, initial, where, field, rule) SHOWN(name, initial, where, field, rule, NULL)
#define SWITCH(name, initial, where, field, rule) \
	SHOWN(name, initial, where, field, rule, zend_ini_boolean_displayer_cb)

/* clang-format off */
PHP_INI_BEGIN()
	SHOWN("servers", "127.0.0.1:11211", PHP_INI_ALL, servers, text, show_servers)
	SETTING("prefix", "", PHP_INI_ALL, prefix, text)
	SETTING("distribution", "ketama", PHP_INI_ALL, distribution, text)
	SETTING("transport", MCP_DEFAULT_TRANSPORT, PHP_INI_ALL, transport, text)
	SETTING("connect_timeout", ZEND_TOSTR(MCP_DEFAULT_CONNECT_TIMEOUT_S), PHP_INI_ALL, connect_timeout, seconds)
	SETTING("timeout", "0.5", PHP_INI_ALL, timeout, seconds)
	SETTING("retry_after", "1", PHP_INI_ALL, retry_after, seconds)
	SETTING("tcp_keepalive", "60", PHP_INI_SYSTEM, tcp_keepalive, keepalive)
	SETTING("dns_interval", "30", PHP_INI_SYSTEM, dns_interval, interval)
	SETTING("resolv_conf", "", PHP_INI_SYSTEM, resolv_conf, path)
	SWITCH("persistent", "1", PHP_INI_ALL, persistent, pool_switch)
	SETTING("tls_cafile", "", PHP_INI_ALL, tls[MCP_TLS_CAFILE], text)
	SETTING("tls_capath", "", PHP_INI_ALL, tls[MCP_TLS_CAPATH], text)
	SETTING("tls_peer_name", "", PHP_INI_ALL, tls[MCP_TLS_PEER_NAME], text)
	SETTING("tls_peer_fingerprint", "", PHP_INI_ALL, tls[MCP_TLS_PEER_FINGERPRINT], text)
	SETTING("tls_local_cert", "", PHP_INI_ALL, tls[MCP_TLS_LOCAL_CERT], text)
	SETTING("tls_local_pk", "", PHP_INI_ALL, tls[MCP_TLS_LOCAL_PK], text)
	SETTING("tls_ciphers", "", PHP_INI_ALL, tls[MCP_TLS_CIPHERS], text)
	SETTING("tls_crypto_method", "", PHP_INI_ALL, tls[MCP_TLS_CRYPTO_METHOD], text)
	SWITCH("tls_verify_peer", "1", PHP_INI_ALL, tls_verify_peer, pool_switch)
	SWITCH("tls_verify_peer_name", "1", PHP_INI_ALL, tls_verify_peer_name, pool_switch)
	SWITCH("tls_allow_self_signed", "0", PHP_INI_ALL, tls_allow_self_signed, pool_switch)
	SHOWN("tls_passphrase", "", PHP_INI_ALL, tls[MCP_TLS_PASSPHRASE], text, show_secret)
	SETTING("user", "", PHP_INI_ALL, server_user, text)
	SHOWN("password", "", PHP_INI_ALL, server_password, text, show_secret)
	SETTING("serializer", "", PHP_INI_ALL, serializer, text)
	SETTING("compression", "", PHP_INI_ALL, compression, text)
	SETTING("compress_above", "2000", PHP_INI_ALL, compress_above, size)
	SETTING("zlib_level", "6", PHP_INI_ALL, zlib_level, zlib_level)
	SETTING("zstd_level", "1", PHP_INI_ALL, zstd_level, zstd_level)
	SETTING("decompress_limit", "16M", PHP_INI_ALL, decompress_limit, bytes)
	SETTING("memory_limit", "64M", PHP_INI_SYSTEM, memory_limit, bytes)
	SETTING("item_size_limit", "64M", PHP_INI_SYSTEM, item_size_limit, reply_size)
	SETTING("shared_memory", "16M", PHP_INI_SYSTEM, shared_memory, mapped)
	SETTING("shared_memory_path", "", PHP_INI_SYSTEM, shared_memory_path, path)
	SETTING("shared_memory_group", "", PHP_INI_SYSTEM, shared_memory_group, group)
	SETTING("shared_memory_mode", "", PHP_INI_SYSTEM, shared_memory_mode, mode)
	SWITCH("metrics", "1", PHP_INI_SYSTEM, counts_metrics, pool_switch)
	SETTING("trace_file", "", PHP_INI_SYSTEM, trace_file, path)
	SWITCH("mc_alias", "0", PHP_INI_SYSTEM, mc_alias, pool_switch)
	SWITCH("mc_legacy", "0", PHP_INI_SYSTEM, mc_legacy, pool_switch)
	SWITCH("report_key_drift", "0", PHP_INI_ALL, report_key_drift, other_switch)
	SETTING("session_locking", "lock", PHP_INI_ALL, session_locking, locking)
	SETTING("session_lock_wait", "35", PHP_INI_ALL, session_lock_wait, wait)
	SETTING("session_lock_expire", "30", PHP_INI_ALL, session_lock_expire, lease)
	SETTING("session_merge_depth", "1", PHP_INI_ALL, session_merge_depth, depth)
	SETTING("session_prefix", "", PHP_INI_ALL, session_prefix, text)
	SETTING("session_key_file", "", PHP_INI_SYSTEM, session_key_file, key_file)
	SWITCH("session_failover", "0", PHP_INI_ALL, session_failover, other_switch)
	SETTING("session_foreign_prefix", "", PHP_INI_ALL, session_foreign_prefix, key_prefix)
PHP_INI_END()
/* clang-format on */

bool php_mcp_settings_register(int type, int module_number) {
	(void)type; /* unused before PHP 8.4 */
	REGISTER_INI_ENTRIES();
	return !MCP_G(has_wrong_setting);
}
