/* Asks the system for this process's user and group, once per request and user change. */
/* SPDX-License-Identifier: MIT */
#include "user.h"

#include "../engine/user_changes.h"
#include "php_mcpatterns.h"

#ifndef PHP_WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#ifdef PHP_WIN32

static mcp_user ask_briefly(void) {
	return (mcp_user){0};
}

mcp_user php_mcp_user_ask(void) {
	return (mcp_user){0};
}

#else

static uint64_t namespace_of_users(void) {
	struct stat status;
	return stat("/proc/self/ns/user", &status) == 0 ? (uint64_t)status.st_ino : 0;
}

static mcp_user ask_briefly(void) {
	return (mcp_user){.id = (uint64_t)geteuid(), .group = (uint64_t)getegid()};
}

mcp_user php_mcp_user_ask(void) {
	mcp_user user = ask_briefly();
	user.namespace_id = namespace_of_users();
	return user;
}

#endif

mcp_user php_mcp_user_of_request(void) {
	uint64_t version = php_mcp_user_changes_count();
	if (MCP_REQUEST(user_asked_at) != version) {
		MCP_REQUEST(user) = ask_briefly();
		MCP_REQUEST(user_asked_at) = version;
	}
	return MCP_REQUEST(user);
}
