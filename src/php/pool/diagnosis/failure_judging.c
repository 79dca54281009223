/* By the words of a failure, which are this extension's own (store/reason.c, php/tls/tls_words.c) but for what a server has answered.
 * The first line that is found counts: the special stands before the general. */
/* SPDX-License-Identifier: MIT */
#include "failure_judging.h"

#include "findings.h"

#include "../../host/user.h"

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
	{CLOSED, MCP_FINDING_CLOSED},
	{"", MCP_FINDING_NONSENSE},
};

static const meaning meanings[] = {
	{"unauthenticated", MCP_FINDING_PASSWORD},
	{"refused the user or the password", MCP_FINDING_PASSWORD},
	{"when it is given a password", MCP_FINDING_PASSWORD},
	{"answered \"SERVER_ERROR", MCP_FINDING_SERVER_ERROR},
	{MCP_REASON_FULL_SERVER, MCP_FINDING_SERVER_ERROR},
	{CLOSED, MCP_FINDING_CLOSED},
	{"server broke the connection", MCP_FINDING_CLOSED},
	{"certificate", MCP_FINDING_CERTIFICATE},
	{"TLS", MCP_FINDING_TLS},
	{"did not answer within", MCP_FINDING_UNANSWERED},
	{"took longer than", MCP_FINDING_UNANSWERED},
	{"its host is unknown", MCP_FINDING_UNKNOWN_HOST},
	{"nothing listens there", MCP_FINDING_REFUSED},
	{"no such file", MCP_FINDING_SOCKET_MISSING},
	{"no permission", MCP_FINDING_SOCKET_PERMISSION},
	{"answer", MCP_FINDING_NONSENSE},
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
		return MCP_FINDING_UNANSWERED;
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

void php_mcp_failure_judging_add(zval *list, const mcp_server_facts *facts) {
	if (is_of_discovery(facts->words)) {
		return;
	}
	mcp_finding_code code = code_of(facts);
	if (code != MCP_FINDING_SOCKET_PERMISSION || !add_permission(list, facts)) {
		php_mcp_findings_add(list, code, facts->server->address, "%s", facts->words);
	}
}
