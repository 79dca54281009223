/* Queues failures for a Pool's listener, and limits how often similar ones are reported. */
/* SPDX-License-Identifier: MIT */
#include "listener.h"

#include "../../host/environment.h"

/* Failures of one kind and server are reported once within this time. */
#define QUIET_MS 1000

static void begin_with(mcp_listener *listener, size_t servers) {
	listener->servers = servers;
	listener->failures = ecalloc(servers, sizeof(mcp_noted_failure));
	listener->quiet_until_ms = ecalloc(servers * MCP_ERROR_KIND_KINDS, sizeof(uint64_t));
}

mcp_listener *php_mcp_listener_create(size_t servers) {
	mcp_listener *listener = ecalloc(1, sizeof(*listener));
	listener->call = php_mcp_user_call_none();
	listener->end = &listener->first;
	begin_with(listener, servers);
	return listener;
}

static void free_servers(mcp_listener *listener) {
	efree(listener->failures);
	efree(listener->quiet_until_ms);
}

void php_mcp_listener_change_servers(mcp_listener *listener, size_t servers) {
	free_servers(listener);
	begin_with(listener, servers);
}

mcp_queued_error *php_mcp_listener_take_trouble(mcp_listener *listener) {
	mcp_queued_error *one = listener->first;
	listener->first = one->next;
	if (listener->first == NULL) {
		listener->end = &listener->first;
	}
	return one;
}

void php_mcp_listener_free_trouble(mcp_queued_error *one) {
	zend_string_release(one->name);
	if (one->exception != NULL) {
		OBJ_RELEASE(one->exception);
	}
	efree(one);
}

static void drop_untold(mcp_listener *listener) {
	memset(listener->failures, 0, listener->servers * sizeof(mcp_noted_failure));
	while (listener->first != NULL) {
		php_mcp_listener_free_trouble(php_mcp_listener_take_trouble(listener));
	}
}

/* Release the previous listener last: it can hold the last reference to anything. */
void php_mcp_listener_set(mcp_listener *listener, const mcp_user_call *call) {
	mcp_user_call before = listener->call;
	drop_untold(listener);
	memset(listener->quiet_until_ms, 0,
		listener->servers * MCP_ERROR_KIND_KINDS * sizeof(uint64_t));
	listener->call = php_mcp_user_call_none();
	if (call != NULL) {
		listener->call = *call;
		php_mcp_user_call_keep(&listener->call);
	}
	if (!php_mcp_user_call_is_none(&before)) {
		php_mcp_user_call_release(&before);
	}
}

void php_mcp_listener_free(mcp_listener *listener) {
	php_mcp_listener_set(listener, NULL);
	free_servers(listener);
	efree(listener);
}

void php_mcp_listener_show(mcp_listener *listener, zend_get_gc_buffer *buffer) {
	php_mcp_user_call_show(&listener->call, buffer);
}

bool php_mcp_listener_is_news(mcp_listener *listener, size_t server, mcp_error_kind kind) {
	if (php_mcp_user_call_is_none(&listener->call) || listener->is_running) {
		return false;
	}
	uint64_t now_ms = mcp_monotonic_ms(php_mcp_environment_get());
	uint64_t *quiet_until_ms = &listener->quiet_until_ms[server * MCP_ERROR_KIND_KINDS + kind];
	if (now_ms < *quiet_until_ms) {
		return false;
	}
	*quiet_until_ms = now_ms + QUIET_MS;
	return true;
}

bool php_mcp_listener_has_untold(const mcp_listener *listener) {
	for (size_t i = 0; i < listener->servers; i++) {
		if (listener->failures[i].status != MCP_OK) {
			return true;
		}
	}
	return listener->first != NULL;
}

void php_mcp_listener_add_trouble(mcp_listener *listener, const mcp_queued_error *trouble) {
	mcp_queued_error *one = emalloc(sizeof(*one));
	*one = *trouble;
	if (one->exception != NULL) {
		GC_ADDREF(one->exception);
	}
	*listener->end = one;
	listener->end = &one->next;
}
