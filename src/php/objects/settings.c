/* The handlers of the mcpatterns.* settings. The engine's own read as far as they understand a value: "5x"
 * would be 5 and "abc" 0 seconds, without a word. */
/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include "../../core/key/key.h"
#include "../../core/session/session_merge.h"
#include "../../store/item_size_limit.h"
#include "php_mcpatterns.h"
#include "../host/shared_access.h"
#include "../host/shared_memory.h"

/* Longer values are cut in messages. */
#define VALUE_SHOWN_MAX 100

static void report(int level, const zend_ini_entry *entry, const zend_string *value,
	const char *rule) {
	zend_error(level, "The INI setting %s must %s, \"%.*s\" given", ZSTR_VAL(entry->name), rule,
		VALUE_SHOWN_MAX, ZSTR_VAL(value));
}

/* Reports a refusal. ini_set() says it by its answer, and a start-up fails in the end; the rest (.user.ini,
 * php-fpm's pools, a server's configuration) would hear of nothing. */
static int refuse(const zend_ini_entry *entry, const zend_string *value, const char *rule,
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

/* Allows these words, among which is what php.ini's own become ("" and "1"). */
static bool is_switch(const zend_string *value) {
	static const char *const words[] = {"", "0", "1", "off", "on", "no", "yes", "false", "true",
		"none"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (zend_binary_strcasecmp(ZSTR_VAL(value), ZSTR_LEN(value), words[i], strlen(words[i])) ==
			0) {
			return true;
		}
	}
	return false;
}

/* Refuses a zero byte, behind which C would see nothing. */
ZEND_INI_MH(php_mcp_settings_update_string) {
	if (new_value != NULL && strlen(ZSTR_VAL(new_value)) != ZSTR_LEN(new_value)) {
		return refuse(entry, new_value, "be without zero bytes", stage);
	}
	MCP_G(settings_version)++;
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_seconds) {
	if (new_value == NULL || !is_number(new_value)) {
		return refuse(entry, new_value != NULL ? new_value : ZSTR_EMPTY_ALLOC(),
			"be a number of seconds", stage);
	}
	MCP_G(settings_version)++;
	return OnUpdateReal(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* Refuses -1 as well, which means "no limit" elsewhere in PHP and would leave room for nothing. */
static bool is_quantity(zend_string *value, zend_long least, zend_long most) {
	if (value == NULL) {
		return false;
	}
	zend_string *error = NULL;
	zend_long quantity = zend_ini_parse_quantity(value, &error);
	if (error != NULL) {
		zend_string_release(error);
		return false;
	}
	return ZSTR_LEN(value) > 0 && quantity >= least && quantity <= most;
}

static int refuse_value(const zend_ini_entry *entry, const zend_string *value, const char *rule,
	int stage) {
	return refuse(entry, value != NULL ? value : ZSTR_EMPTY_ALLOC(), rule, stage);
}

ZEND_INI_MH(php_mcp_settings_update_bytes) {
	if (!is_quantity(new_value, 1, ZEND_LONG_MAX)) {
		return refuse_value(entry, new_value, "be a number of bytes greater than 0", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_size) {
	if (!is_quantity(new_value, 0, ZEND_LONG_MAX)) {
		return refuse_value(entry, new_value, "be a number of bytes", stage);
	}
	MCP_G(settings_version)++;
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_shared_memory) {
	if (!is_quantity(new_value, 0, 0) &&
		!is_quantity(new_value, MCP_SHARED_MEMORY_MIN, MCP_SHARED_MEMORY_MAX)) {
		return refuse_value(entry, new_value, "be 0 or a number of bytes from 64K to 16G", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* Refuses less than a connection keeps anyway, which would limit nothing. */
ZEND_INI_MH(php_mcp_settings_update_item_size_limit) {
	if (!is_quantity(new_value, 0, 0) &&
		!is_quantity(new_value, (zend_long)MCP_ANSWER_ALWAYS_ALLOWED, ZEND_LONG_MAX)) {
		return refuse_value(entry, new_value, "be 0 or a number of bytes from 1M", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* As many as Linux takes (MAX_TCP_KEEPIDLE). */
#define KEEPALIVE_MAX_S 32767

ZEND_INI_MH(php_mcp_settings_update_keepalive) {
	if (!is_quantity(new_value, 0, KEEPALIVE_MAX_S)) {
		return refuse_value(entry, new_value, "be a number of seconds from 0 to 32767", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_path) {
	if (new_value != NULL && ZSTR_LEN(new_value) > 0 &&
		(ZSTR_VAL(new_value)[0] != '/' || strlen(ZSTR_VAL(new_value)) != ZSTR_LEN(new_value))) {
		return refuse_value(entry, new_value, "be an absolute path or empty", stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static const char *text_of(const zend_string *value) {
	return value != NULL ? ZSTR_VAL(value) : "";
}

ZEND_INI_MH(php_mcp_settings_update_group) {
	mcp_shared_access access;
	if (!php_mcp_shared_access_read(text_of(new_value), "", &access)) {
		return refuse_value(entry, new_value,
			"be a group of this system, by its name or number, or empty", stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_mode) {
	mcp_shared_access access;
	if (!php_mcp_shared_access_read("", text_of(new_value), &access)) {
		return refuse_value(entry, new_value, "be 0600, 0660 or empty", stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_zlib_level) {
	if (!is_quantity(new_value, 1, 9)) {
		return refuse_value(entry, new_value, "be a level from 1 to 9", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_zstd_level) {
	if (!is_quantity(new_value, 1, 22)) {
		return refuse_value(entry, new_value, "be a level from 1 to 22", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_locking) {
	/* PHP reads the bare word none in a file of settings as nothing. */
	static const char *const modes[] = {"lock", "merge", "none", ""};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (new_value != NULL && zend_string_equals_cstr(new_value, modes[i], strlen(modes[i]))) {
			return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
		}
	}
	return refuse_value(entry, new_value, "be lock, merge or none", stage);
}

/* As many seconds as there are in a day: whoever writes more means milliseconds. */
#define WAIT_MAX_S 86400.0

static bool is_time(const zend_string *value, double least_s) {
	double seconds = value != NULL && is_number(value) ? zend_strtod(ZSTR_VAL(value), NULL) : -1;
	return seconds >= least_s && seconds <= WAIT_MAX_S;
}

ZEND_INI_MH(php_mcp_settings_update_wait) {
	if (!is_time(new_value, 0)) {
		return refuse_value(entry, new_value, "be a number of seconds from 0 to 86400", stage);
	}
	return OnUpdateReal(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_lease) {
	if (!is_time(new_value, 0.001)) {
		return refuse_value(entry, new_value, "be a number of seconds from 0.001 to 86400", stage);
	}
	return OnUpdateReal(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_merge_depth) {
	if (!is_quantity(new_value, 1, MCP_SESSION_MERGE_DEPTH_MAX)) {
		return refuse_value(entry, new_value, "be a depth from 1 to 8", stage);
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* mcpatterns.session_key_file is listed before it, and does not change after the start. */
ZEND_INI_MH(php_mcp_settings_update_key_prefix) {
	mcp_bytes prefix = new_value != NULL ? mcp_bytes_of(ZSTR_VAL(new_value), ZSTR_LEN(new_value))
										 : mcp_bytes_none();
	if (prefix.length > 0 && !mcp_key_is_safe(prefix)) {
		return refuse_value(entry, new_value,
			"be up to 250 bytes without spaces and control characters", stage);
	}
	if (prefix.length > 0 && *MCP_G(session_key_file) != '\0') {
		return refuse_value(entry, new_value,
			"be empty if mcpatterns.session_key_file is set: another handler's sessions are not signed",
			stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_key_file) {
	if (stage != ZEND_INI_STAGE_STARTUP) {
		return refuse_value(entry, new_value, "be set in php.ini", stage);
	}
	return php_mcp_settings_update_path(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_report) {
	if (new_value != NULL && !is_switch(new_value)) {
		return refuse(entry, new_value, "be on or off", stage);
	}
	return OnUpdateBool(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

ZEND_INI_MH(php_mcp_settings_update_switch) {
	int taken = php_mcp_settings_update_report(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
	MCP_G(settings_version) += taken == SUCCESS;
	return taken;
}

bool php_mcp_settings_are_valid(void) {
	return !MCP_G(has_wrong_setting);
}

static const char *shown_of(const zend_ini_entry *entry, int type) {
	const zend_string *value =
		type == ZEND_INI_DISPLAY_ORIG && entry->modified ? entry->orig_value : entry->value;
	return text_of(value);
}

ZEND_INI_DISP(php_mcp_settings_show_secret) {
	ZEND_WRITE(*shown_of(ini_entry, type) != '\0' ? "set" : "no value",
		*shown_of(ini_entry, type) != '\0' ? 3 : 8);
}

/* Leaves out what stands before the last "@" of each server. */
ZEND_INI_DISP(php_mcp_settings_show_servers) {
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
