/* The exceptions, and the table that maps each status of a store to an exception and a message. */
/* SPDX-License-Identifier: MIT */
#include "failure.h"

#include "../engine/bailout.h"
#include "classes.h"

#include "ext/spl/spl_exceptions.h"
#include "ext/standard/html.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "zend_smart_str.h"

#include "exceptions_arginfo.h"

zend_class_entry *php_mcp_exception_interface;
zend_class_entry *php_mcp_server_exception;
zend_class_entry *php_mcp_lock_timeout_exception;
zend_class_entry *php_mcp_lock_lost_exception;
zend_class_entry *php_mcp_stored_value_exception;
zend_class_entry *php_mcp_rebuild_paused_exception;
zend_class_entry *php_mcp_unstorable_interface;
zend_class_entry *php_mcp_too_large_exception;
zend_class_entry *php_mcp_not_serializable_exception;

void php_mcp_exceptions_register(void) {
	php_mcp_exception_interface = register_class_McPatterns_Exception(zend_ce_throwable);
	zend_class_entry *ours = php_mcp_exception_interface, *base = spl_ce_RuntimeException;
	php_mcp_server_exception = register_class_McPatterns_ServerException(base, ours);
	php_mcp_lock_timeout_exception = register_class_McPatterns_LockTimeoutException(base, ours);
	php_mcp_lock_lost_exception = register_class_McPatterns_LockLostException(base, ours);
	php_mcp_stored_value_exception =
		register_class_McPatterns_StoredValueException(spl_ce_UnexpectedValueException, ours);
	php_mcp_unstorable_interface = register_class_McPatterns_UnstorableException(ours);
	php_mcp_too_large_exception =
		register_class_McPatterns_TooLargeException(php_mcp_stored_value_exception,
			php_mcp_unstorable_interface);
	php_mcp_not_serializable_exception =
		register_class_McPatterns_NotSerializableException(zend_ce_type_error,
			php_mcp_unstorable_interface);
	php_mcp_rebuild_paused_exception = register_class_McPatterns_RebuildPausedException(base, ours);
}

/* Maximum bytes of a name in messages. Longer names are truncated. */
#define NAME_SHOWN_MAX 120

typedef struct rule {
	zend_class_entry **exception;
	const char *reason;
	/* text before the server's own failure, if the failure explains the status; NULL: it does not */
	const char *prefix;
} rule;

static const rule unexpected = {&php_mcp_server_exception, "the server sent an unexpected reply",
	NULL};

static const rule rules[] = {
	[MCP_EXISTS] = {&php_mcp_server_exception,
		"too much contention: other clients kept changing the item", NULL},
	[MCP_NOT_A_NUMBER] = {&php_mcp_stored_value_exception,
		"the stored value is not a number; does another class or client use the key?", NULL},
	[MCP_OUT_OF_RANGE] = {&php_mcp_stored_value_exception,
		"the result would exceed PHP_INT_MAX; the previous value was kept", NULL},
	[MCP_TOO_LARGE] = {&php_mcp_too_large_exception,
		"the value is too large for the server or for mcpatterns.item_size_limit; the previous value "
		"was kept unless the server rejected this one",
		NULL},
	[MCP_FOREIGN] = {&php_mcp_stored_value_exception, "the stored item has a different type", NULL},
	[MCP_BAD_KEY] = {&php_mcp_server_exception, "memcached rejected the key", NULL},
	[MCP_REFUSED] = {&php_mcp_server_exception, "the server rejected the request", ""},
	[MCP_UNSUPPORTED] = {&php_mcp_server_exception, "the server does not support the request",
		NULL},
	[MCP_NO_CAS] = {&php_mcp_server_exception,
		"memcached runs without CAS (option -C): cache rebuilds and locks need it", NULL},
	[MCP_UNREACHABLE] = {&php_mcp_server_exception, "the server could not be reached", ""},
	[MCP_TIMEOUT] = {&php_mcp_server_exception, "the server did not reply in time", ""},
	[MCP_UNKNOWN] = {&php_mcp_server_exception, "outcome unknown: the server did not reply",
		"outcome unknown: "},
	[MCP_ANSWER_TOO_LARGE] = {&php_mcp_server_exception,
		"the reply exceeds mcpatterns.item_size_limit or memory_limit", ""},
	[MCP_PROTOCOL] = {&php_mcp_server_exception, "invalid reply: not the memcached protocol", ""},
};

static const rule *rule_for(mcp_status status) {
	size_t index = (size_t)status;
	if (index >= sizeof(rules) / sizeof(rules[0]) || rules[index].exception == NULL) {
		return &unexpected;
	}
	return &rules[index];
}

bool php_mcp_failure_is_of_server(mcp_status status) {
	const rule *found = rule_for(status);
	return found != &unexpected && *found->exception == php_mcp_server_exception;
}

/* Appends a name for logs and terminals: control characters, including those of Latin 1, and invalid bytes become
 * "?". */
static void append_shown(smart_str *message, mcp_bytes name) {
	size_t next = 0;
	while (next < name.length) {
		size_t begin = next;
		zend_result status;
		unsigned int character =
			php_next_utf8_char((const unsigned char *)name.data, name.length, &next, &status);
		if (next > NAME_SHOWN_MAX) {
			smart_str_appends(message, "...");
			break;
		}
		bool is_control = character < 0x20 || (character >= 0x7f && character <= 0x9f);
		if (status == SUCCESS && !is_control) {
			smart_str_appendl(message, name.data + begin, next - begin);
		} else {
			smart_str_appendc(message, '?');
		}
	}
}

static void append_name(smart_str *message, mcp_bytes name) {
	smart_str_appends(message, " \"");
	append_shown(message, name);
	smart_str_appendc(message, '"');
}

zend_string *php_mcp_failure_show_name(mcp_bytes name) {
	smart_str shown = {0};
	append_shown(&shown, name);
	return smart_str_extract(&shown);
}

zend_string *php_mcp_failure_describe(mcp_status status, const mcp_store_failure *failure) {
	const rule *found = rule_for(status);
	if (failure == NULL || found->prefix == NULL) {
		return zend_string_init(found->reason, strlen(found->reason), false);
	}
	return zend_strpprintf(0, "%s%sthe server %s", found->prefix,
		failure->is_tripped ? "circuit breaker is open: " : "", failure->reason.text);
}

static void throw_message(zend_class_entry *exception, smart_str *message) {
	smart_str_0(message);
	zend_throw_exception(exception, ZSTR_VAL(message->s), 0);
	smart_str_free(message);
}

static void throw_cannot(zend_class_entry *exception, const char *action, mcp_bytes name,
	const char *address, const char *reason) {
	php_mcp_bailout_raise();
	smart_str message = {0};
	smart_str_appends(&message, "Cannot ");
	smart_str_appends(&message, action);
	if (name.length > 0) {
		append_name(&message, name);
	}
	if (address != NULL) {
		smart_str_appends(&message, " on ");
		smart_str_appends(&message, address);
	}
	smart_str_appends(&message, ": ");
	smart_str_appends(&message, reason);
	throw_message(exception, &message);
}

void php_mcp_failure_throw(mcp_status status, const char *action, mcp_bytes name,
	mcp_store *server) {
	zend_string *reason =
		php_mcp_failure_describe(status, server != NULL ? mcp_store_last_failure(server) : NULL);
	const char *address = server != NULL ? server->address : NULL;
	throw_cannot(*rule_for(status)->exception, action, name, address, ZSTR_VAL(reason));
	zend_string_release(reason);
}

void php_mcp_failure_throw_because(mcp_status status, const char *action, mcp_bytes name,
	const char *reason) {
	throw_cannot(*rule_for(status)->exception, action, name, NULL, reason);
}

void php_mcp_failure_throw_not_serializable(mcp_bytes name, const char *reason) {
	zend_string *whole = zend_strpprintf(0, "not serializable: %s", reason);
	throw_cannot(php_mcp_not_serializable_exception, "store the value of", name, NULL,
		ZSTR_VAL(whole));
	zend_string_release(whole);
}

void php_mcp_failure_throw_about(zend_class_entry *exception, const char *noun, mcp_bytes name,
	const char *what) {
	php_mcp_bailout_raise();
	smart_str message = {0};
	smart_str_appends(&message, noun);
	append_name(&message, name);
	smart_str_appendc(&message, ' ');
	smart_str_appends(&message, what);
	throw_message(exception, &message);
}

mcp_store *php_mcp_failure_server(mcp_status status, mcp_store *store, const mcp_key *key) {
	bool is_recorded = status == MCP_REFUSED || mcp_status_is_the_end(status);
	mcp_store *failed = is_recorded ? mcp_store_failed(store) : NULL;
	return failed != NULL || key == NULL ? failed : mcp_store_owner(store, key);
}

void php_mcp_failure_throw_for_key(mcp_status status, const char *action, mcp_bytes name,
	mcp_store *store, const mcp_key *key) {
	php_mcp_failure_throw(status, action, name, php_mcp_failure_server(status, store, key));
}
