/* Reads this process's user and group from the system, once per request and after each change of the user. To detect
 * a change, wraps PHP's functions that change the user. Without these cached results, each near hit would need two
 * system calls, which take longer than the hit (measured). */
/* SPDX-License-Identifier: MIT */
#include "user.h"

#include "php_mcpatterns.h"

#ifndef PHP_WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

static mcp_user ask_briefly(void) {
#ifdef PHP_WIN32
	return (mcp_user){0};
#else
	return (mcp_user){.id = (uint64_t)geteuid(), .group = (uint64_t)getegid()};
#endif
}

mcp_user php_mcp_user_ask(void) {
	mcp_user user = ask_briefly();
#ifndef PHP_WIN32
	struct stat status;
	if (stat("/proc/self/ns/user", &status) == 0) {
		user.namespace_id = (uint64_t)status.st_ino;
	}
#endif
	return user;
}

mcp_user php_mcp_user_of_request(void) {
	uint64_t version = php_mcp_user_changes_count();
	if (MCP_REQUEST(user_asked_at) != version) {
		MCP_REQUEST(user) = ask_briefly();
		MCP_REQUEST(user_asked_at) = version;
	}
	return MCP_REQUEST(user);
}

/* --- changes of the user --- */

mcp_atomic_u64 php_mcp_user_changes = 1;

typedef struct user_function {
	const char *name;
	zif_handler handler; /* NULL: this PHP does not have the function */
} user_function;

static user_function functions[] = {
	{"posix_seteuid", NULL},
	{"posix_setegid", NULL},
	{"posix_setuid", NULL},
	{"posix_setgid", NULL},
	{"pcntl_unshare", NULL},
	{"pcntl_setns", NULL},
};

#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

/* This relies on the engine to call the `handler` of an internal function. Tested by
 * cache/near/near_is_of_the_user_who_calls.phpt. A failed call also counts, because it might have had an effect. */
static ZEND_NAMED_FUNCTION(call_and_note) {
	const zend_string *name = EX(func)->common.function_name;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		if (zend_string_equals_cstr(name, functions[i].name, strlen(functions[i].name))) {
			functions[i].handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		}
	}
	php_mcp_user_changes_add();
	/* The connections of Pool::default() belong to the user that created it. */
	MCP_G(settings_version)++;
}

static zend_internal_function *find_internal(const user_function *wanted) {
	zend_function *found =
		zend_hash_str_find_ptr(CG(function_table), wanted->name, strlen(wanted->name));
	bool is_internal = found != NULL && found->type == ZEND_INTERNAL_FUNCTION;
	return is_internal ? &found->internal_function : NULL;
}

void php_mcp_user_changes_watch(void) {
	for (size_t i = 0; i < FUNCTIONS; i++) {
		zend_internal_function *function = find_internal(&functions[i]);
		if (function != NULL) {
			functions[i].handler = function->handler;
			function->handler = call_and_note;
		}
	}
}

void php_mcp_user_changes_unwatch(void) {
	for (size_t i = 0; i < FUNCTIONS; i++) {
		zend_internal_function *function = find_internal(&functions[i]);
		if (function != NULL && function->handler == call_and_note) {
			function->handler = functions[i].handler;
		}
	}
}

void php_mcp_user_changes_add(void) {
	atomic_fetch_add_explicit(&php_mcp_user_changes, 1, memory_order_seq_cst);
}
