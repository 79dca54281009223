/* The callback of Pool::onError() and its queue. Independent of pools: pool_listener.c fills the queue and calls the
 * callback. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LISTENER_H
#define MCP_PHP_LISTENER_H

#include "../../../store/store.h"
#include "../../engine/user_call.h"

#include "php.h"

typedef enum mcp_error_kind {
	MCP_ERROR_KIND_SERVER,      /* a server failed; the stores report it themselves */
	MCP_ERROR_KIND_UNSTORABLE,  /* a value cannot be stored */
	MCP_ERROR_KIND_UNREADABLE,  /* a stored value cannot be read */
	MCP_ERROR_KIND_COMPUTATION, /* a computation failed, and no caller sees it */
	MCP_ERROR_KIND_WHEN_DOWN,   /* an object returned its default because a server failed */
	MCP_ERROR_KIND_DIFFERENT,   /* a served value differs from an Audit's result */
	MCP_ERROR_KIND_KINDS,
} mcp_error_kind;

/* Failure that is not a server's, to be reported later. Holds references. */
typedef struct mcp_queued_error {
	mcp_error_kind kind;
	size_t server;
	zend_string *name;
	zend_object *exception; /* or NULL */
	double at_s;
	struct mcp_queued_error *next;
} mcp_queued_error;

/* Failure with a copy of its reason: the operation may fail again for another reason. */
typedef struct mcp_noted_failure {
	mcp_status status; /* MCP_OK: none */
	bool is_explained;
	mcp_store_failure failure; /* the reason */
} mcp_noted_failure;

/* emalloc'ed, as are its members. */
typedef struct mcp_listener {
	mcp_user_call call; /* with references; none: nothing is reported */
	/* If either is set, the module's list holds the pool. */
	bool is_running; /* failures meanwhile are not reported */
	bool is_queued;
	struct mcp_pool *next;
	size_t servers;
	mcp_noted_failure *failures; /* of each server, not reported yet */
	uint64_t *quiet_until_ms;    /* of each server and kind, by the monotonic clock */
	mcp_queued_error *first, **end;
} mcp_listener;

mcp_listener *php_mcp_listener_create(size_t servers);
void php_mcp_listener_free(mcp_listener *listener);
/* Change the number of servers. No failure of the previous ones may be pending. */
void php_mcp_listener_change_servers(mcp_listener *listener, size_t servers);
/* Take references to the contents of `call`. NULL: report nothing from now on. May run user code, at the end. */
void php_mcp_listener_set(mcp_listener *listener, const mcp_user_call *call);
/* Report references to the garbage collector. */
void php_mcp_listener_show(mcp_listener *listener, zend_get_gc_buffer *buffer);

/* Returns true, and starts the quiet time, if there is a callback and no similar failure was reported recently. */
bool php_mcp_listener_is_news(mcp_listener *listener, size_t server, mcp_error_kind kind);
bool php_mcp_listener_has_untold(const mcp_listener *listener);

/* Takes over the name, and a reference to the exception. */
void php_mcp_listener_add_trouble(mcp_listener *listener, const mcp_queued_error *trouble);
/* Remove and return the oldest one. The queue must not be empty. */
mcp_queued_error *php_mcp_listener_take_trouble(mcp_listener *listener);
void php_mcp_listener_free_trouble(mcp_queued_error *trouble);

#endif
