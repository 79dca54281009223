/* The subject of a finding is the setting that stands for the constructor's argument. */
/* SPDX-License-Identifier: MIT */
#include "pool_judging.h"

#include "../discovery/discovery_report.h"
#include "findings.h"

#include "../../value/serializers.h"
#include "php_mcpatterns.h"

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
		php_mcp_findings_add(list, MCP_FINDING_FAILOVER_ALONE, pool->servers[0].server->address,
			"failover is on, and this is the only server");
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
		php_mcp_findings_add(list, MCP_FINDING_OLD_DISCOVERY, endpoint,
			"it %s; version %" PRIu64 " of its list holds on", words.text,
			discovery->known.list.cluster.version);
	} else if (has_trouble) {
		php_mcp_findings_add(list, MCP_FINDING_OLD_DISCOVERY, endpoint, "it %s", words.text);
	}
}

void php_mcp_pool_judging_look(zval *list, const mcp_diagnosed *pool) {
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
